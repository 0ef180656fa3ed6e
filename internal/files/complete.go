package files

import (
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// maxCompleted is how many names of a folder [Complete] looks at.
const maxCompleted = 10_000

// Complete completes the path of a file or folder as far as all names agree that begin with it. It
// adds a separator to the name of a folder, and keeps a ~ at the beginning. Names that begin with a
// dot count only if the dot was typed. If no name begins with the path, Complete returns it
// unchanged.
func Complete(typed string) string {
	folder, begun := splitLast(typed)
	path, err := ExpandHome(folder)
	if err != nil {
		return typed
	}
	dir, err := os.Open(filepath.Join(path, ".")) // "" is the current folder
	if err != nil {
		return typed
	}
	defer dir.Close()
	entries, _ := dir.ReadDir(maxCompleted) // as far as they can be read
	common, found := "", 0
	for _, entry := range entries {
		name := entry.Name()
		isHidden := strings.HasPrefix(name, ".") && !strings.HasPrefix(begun, ".")
		if isHidden || !strings.HasPrefix(name, begun) {
			continue
		}
		if info, err := os.Stat(filepath.Join(path, name)); err == nil && info.IsDir() {
			name += string(filepath.Separator)
		}
		if found == 0 {
			common = name
		}
		common = commonPrefix(common, name)
		found++
	}
	if found == 0 {
		return typed
	}
	return folder + common
}

// splitLast splits a path after its last separator.
func splitLast(path string) (folder, name string) {
	at := len(path)
	for at > 0 && !os.IsPathSeparator(path[at-1]) {
		at--
	}
	return path[:at], path[at:]
}

// commonPrefix returns the longest text of whole characters that both texts begin with.
func commonPrefix(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n > 0 && n < len(a) && !utf8.RuneStart(a[n]) {
		n--
	}
	return a[:n]
}

// Exists reports whether there is something at a path, even if it is a link that leads nowhere.
func Exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
