package files

import (
	"io/fs"
	"os"
)

// Access lists decide here, which the mode does not show: a new file has those of its
// directory.

func trustedSecret(fs.FileInfo) error { return nil }

func trusted(fs.FileInfo) error { return nil }

func sameAccess(*os.File, fs.FileInfo) error { return nil }
