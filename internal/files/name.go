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

// maxName is the maximum length of a name in bytes; some file systems allow no more than
// 143.
const maxName = 100

// ExportName makes a file name of parts with hyphens between them: "gatehouse", "shares",
// "harbor.example" and "2026-11-21.csv" become gatehouse-shares-harbor.example-2026-11-21.csv.
// Empty parts are left out. The parts may come from outside. The name is valid on every system
// and cannot leave its directory: valid UTF-8 without separators, wildcards, control and format
// characters, no leading dot, dash or tilde, no trailing dot or space, no name reserved by
// Windows, and at most 100 bytes.
func ExportName(parts ...string) string {
	parts = slices.DeleteFunc(slices.Clone(parts), func(part string) bool { return part == "" })
	name := strings.Join(strings.Fields(strings.Map(nameRune, strings.Join(parts, "-"))), " ")
	extension := extensions.FindString(name)
	stem := strings.TrimLeft(strings.TrimSuffix(name, extension), " .-~")
	stem = strings.ToValidUTF8(stem[:min(len(stem), maxName-len(extension)-1)], "") // without half a character
	stem = strings.TrimRight(stem, " .")
	switch {
	case stem == "":
		stem = "export"
	case IsDevice(stem + extension):
		stem = "_" + stem
	}
	return stem + extension
}

// nameRune maps a character of a name: invisible ones are removed, white space becomes a
// space, and forbidden ones become _.
func nameRune(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return ' '
	case unicode.IsControl(r), unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point), r == utf8.RuneError:
		return -1
	case strings.ContainsRune(`<>:"/\|?*`, r), strings.ContainsRune(lookAlikes, r):
		return '_'
	default:
		return r
	}
}

// lookAlikes look like a separator, and some character set conversions turn them into
// one.
const lookAlikes = "⁄∕∖⧵⧸⧹／＼﹨：﹕︰"

// extensions matches an extension of up to ten letters and digits.
var extensions = regexp.MustCompile(`\.[0-9A-Za-z]{1,10}$`)

var devices = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(con|prn|aux|nul|clock\$|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(\.|$)`)
})

// IsDevice reports whether Windows takes the name of a file for a device, whatever the extension.
func IsDevice(name string) bool { return devices().MatchString(name) }

// ExpandHome replaces a ~ at the start of a path, alone or before a separator, by the
// home directory. It fails as [os.UserHomeDir] does.
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

// ProfileFile returns the file of a profile in [StateDir], with an extension such as ".age". On macOS
// and Windows Prod and prod are the same file, so a capital letter is written as a small one after a
// "+", which no profile has in its name.
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
