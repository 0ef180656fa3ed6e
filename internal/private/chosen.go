package private

import (
	"os"
	"path/filepath"
)

// Append opens a file to write at its end, mode 0600, and makes it where there is
// none. One that is there must be ours, regular and no link, see [Read]; its
// directory may be anybody's, for a person chose it.
func Append(path string) (*os.File, error) {
	return openChosen(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY)
}

// ReadChosen is [Read] for a file that a person chose: its directory may be
// anybody's, and is left as it is.
func ReadChosen(path string, limit int) ([]byte, error) {
	f, err := openChosen(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(f, limit)
}

func openChosen(path string, flag int) (*os.File, error) {
	dir, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return openRegular(dir, filepath.Base(path), flag)
}
