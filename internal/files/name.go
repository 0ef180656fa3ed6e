package files

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxName is the longest name, in bytes; some file systems take no more than 143.
const maxName = 100

// ExportName makes the name of a file of the parts, separated by blanks; the last one
// ends with the extension: "shares", "harbor.example", "2026-11-21.csv". The parts
// may come from outside. The name is one that every system takes and that cannot
// leave its directory: valid UTF-8 without separators, wildcards, control and format
// characters, with no dot, dash or tilde first, no dot or blank last, none that
// Windows reserves, and at most 100 bytes long.
func ExportName(parts ...string) string {
	name := strings.Join(strings.Fields(strings.Map(nameRune, strings.Join(parts, " "))), " ")
	extension := extensionOf(name)
	stem := strings.TrimLeft(strings.TrimSuffix(name, extension), " .-~")
	stem = strings.TrimRight(cut(stem, maxName-len(extension)-1), " .")
	switch {
	case stem == "":
		stem = "export"
	case reserved.MatchString(stem + extension):
		stem = "_" + stem
	}
	return stem + extension
}

// nameRune returns what a character becomes in a name: nothing for those that are not
// seen, a blank for space, and _ for those that a system forbids.
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

// lookAlikes pass for a separator, and become one in some conversions between character sets.
const lookAlikes = "⁄∕∖⧵⧸⧹／＼﹨：﹕︰"

// extensionPattern is an extension as programs use them.
var extensionPattern = regexp.MustCompile(`\.[0-9A-Za-z]{1,10}$`)

func extensionOf(name string) string { return extensionPattern.FindString(name) }

// reserved are the names that are devices on Windows, whatever the extension.
var reserved = regexp.MustCompile(`(?i)^(con|prn|aux|nul|clock\$|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(\.|$)`)

// cut cuts text between characters to at most so many bytes.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}

// ExpandHome puts the home directory in the place of a ~ that begins the path as a
// directory of its own. Its error is that of [os.UserHomeDir].
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
