package files

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
)

// ProfileFile is the file of a profile with an extension such as ".age", in [StateDir]. On
// macOS and Windows Prod and prod name one file, so a capital letter is written as a small
// one after a "+", which no profile has in its name. A file that an older program has
// written under the name itself is renamed.
func ProfileFile(profile, extension string) string {
	path := filepath.Join(StateDir(), encodeCapitals(profile)+extension)
	if old := filepath.Join(StateDir(), profile+extension); old != path {
		takeOver(old, path)
	}
	return path
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

func encodeCapitals(profile string) string {
	var name strings.Builder
	for _, letter := range profile {
		if unicode.IsUpper(letter) {
			name.WriteByte('+')
		}
		name.WriteRune(unicode.ToLower(letter))
	}
	return name.String()
}

// takeOverTimeout limits the wait for an older program that is writing the file.
const takeOverTimeout = time.Second

// takeOver renames a file whose name is exactly that of old, unless the new one exists. It
// holds the lock of the old one: an older program that is renewing the session would write
// the new tokens where nobody looks any more. If it fails the file stays, and the profile
// begins anew.
func takeOver(old, path string) {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return
	}
	if !isNamed(old) {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), takeOverTimeout)
	defer cancel()
	unlock, err := Lock(ctx, old+".lock")
	if err != nil {
		return
	}
	defer unlock()
	_ = inDirOf(old, func(dir *os.Root, name string) error { return dir.Rename(name, filepath.Base(path)) })
}

// isNamed reports whether a file has exactly this name, and not another one that the system
// takes for it.
func isNamed(path string) (found bool) {
	_ = inDirOf(path, func(dir *os.Root, name string) error {
		entries, err := fs.ReadDir(dir.FS(), ".")
		found = slices.ContainsFunc(entries, func(entry fs.DirEntry) bool { return entry.Name() == name })
		return err
	})
	return found
}
