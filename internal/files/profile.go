package files

import (
	"path/filepath"
	"strings"
	"unicode"
)

// ProfileFile is the file of a profile with an extension such as ".age", in [StateDir]. On
// macOS and Windows Prod and prod name one file, so a capital letter is written as a small
// one after a "+", which no profile has in its name.
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

// ProfileOf is the profile that a path of [ProfileFile] belongs to.
func ProfileOf(path string) string {
	name := filepath.Base(path)
	name = strings.TrimSuffix(name, filepath.Ext(name))
	var profile strings.Builder
	for i, part := range strings.Split(name, "+") {
		if i > 0 && part != "" {
			part = strings.ToUpper(part[:1]) + part[1:]
		}
		profile.WriteString(part)
	}
	return profile.String()
}
