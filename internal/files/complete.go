package files

import (
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// maxCompleted is how many names of a folder are looked at.
const maxCompleted = 10_000

// Complete completes the path of a file or folder as far as all names that begin with it agree. The
// name of a folder gets a separator at its end. A ~ at the start is kept, and names that begin with a
// dot count only if a dot was typed. If no name begins so, the path is returned unchanged.
func Complete(typed string) string {
	folder, begun := splitLast(typed)
	path, err := ExpandHome(folder)
	if err != nil {
		return typed
	}
	dir, err := os.Open(filepath.Join(path, ".")) // the current folder for none
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
		if found++; found == 1 {
			common = name
		}
		common = commonPrefix(common, name)
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

// commonPrefix returns the longest text, in whole characters, that both begin with.
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
