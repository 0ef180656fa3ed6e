package files

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// maxName is the maximum length of a name in bytes. Some file systems have a limit of 143.
const maxName = 100

// ExportName makes a file name of parts with hyphens between them: "gatehouse", "shares",
// "harbor.example" and "2026-11-21.csv" become gatehouse-shares-harbor.example-2026-11-21.csv. It
// leaves out empty parts.
//
// The parts may come from outside. The name is valid on all systems and cannot lead out of its
// directory: it is valid UTF-8 of at most 100 bytes, without separators, wildcards, control and
// format characters; it does not begin with a dot, dash or tilde, nor end with a dot or space; and
// it is not a device on Windows.
func ExportName(parts ...string) string {
	parts = slices.DeleteFunc(slices.Clone(parts), func(part string) bool { return part == "" })
	name := strings.Map(nameRune, strings.Join(parts, "-"))
	name = strings.Join(strings.Fields(name), " ")
	extension := extensions.FindString(name)

	stem := strings.TrimLeft(strings.TrimSuffix(name, extension), " .-~")
	maxStem := maxName - len(extension) - len("_")
	stem = strings.ToValidUTF8(stem[:min(len(stem), maxStem)], "") // drops half a character
	stem = strings.TrimRight(stem, " .")
	switch {
	case stem == "":
		stem = "export"
	case IsDevice(stem + extension):
		stem = "_" + stem
	}
	return stem + extension
}

// nameRune maps a character of a name, for [strings.Map]: it removes invisible ones, makes white
// space a space, and forbidden ones an underscore.
func nameRune(r rune) rune {
	const removed = -1
	isInvisible := unicode.IsControl(r) ||
		unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point)
	switch {
	case unicode.IsSpace(r):
		return ' '
	case isInvisible, r == utf8.RuneError:
		return removed
	case strings.ContainsRune(`<>:"/\|?*`, r), strings.ContainsRune(lookAlikes, r):
		return '_'
	default:
		return r
	}
}

// lookAlikes are characters that look like a separator. Some conversions of character sets make one
// of them.
const lookAlikes = "⁄∕∖⧵⧸⧹／＼﹨：﹕︰"

// extensions matches an extension of up to ten letters and digits.
var extensions = regexp.MustCompile(`\.[0-9A-Za-z]{1,10}$`)

// devices matches the name of a device on Windows, with any extension.
var devices = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^` +
		`(con|prn|aux|nul|clock\$|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])` +
		` *(\.|$)`)
})

// IsDevice reports whether Windows takes the name of a file for a device, whatever the extension.
func IsDevice(name string) bool { return devices().MatchString(name) }

// ExpandHome replaces a ~ at the beginning of a path, alone or before a separator, by the home
// directory. The error is that of [os.UserHomeDir].
func ExpandHome(path string) (string, error) {
	rest, found := strings.CutPrefix(path, "~")
	if !found || rest != "" && !os.IsPathSeparator(rest[0]) {
		return path, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(home, rest), nil
}

// ProfileFile returns the path of a profile's file in [StateDir], with an extension such as ".age".
// As Prod and prod would be the same file on macOS and Windows, a capital letter becomes a "+",
// which no name of a profile has, and a small letter.
func ProfileFile(profile, extension string) string {
	var name strings.Builder
	for _, letter := range profile {
		if unicode.IsUpper(letter) {
			name.WriteByte('+')
		}
		name.WriteRune(unicode.ToLower(letter))
	}
	return filepath.Join(StateDir(), name.String()+extension)
}
