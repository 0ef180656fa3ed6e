package private

import (
	"os"
	"path/filepath"
)

// Append opens a file to write at its end, mode 0600, and makes it where there is
// none. One that is there must be ours, regular and no link, see [Read]; its
// directory may be anybody's, for a person chose it.
func Append(path string) (*os.File, error) {
	dir, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return openRegular(dir, filepath.Base(path), os.O_APPEND|os.O_CREATE|os.O_WRONLY)
}
