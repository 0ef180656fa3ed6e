package browse

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"gatehouse/internal/lists"
	"gatehouse/internal/testkit/uitest"
	"gatehouse/ui/screen"
)

// smallDisk is the directory of a file system that takes a few pages.
func smallDisk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=32k"); err != nil {
		t.Skip("no file system can be mounted here: ", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}

// export writes a list of some thousand records to a path, as it is exported.
func export(ctx context.Context, t *testing.T, path string, overwrite bool) error {
	t.Helper()
	l := listOf(t, string(uitest.Library(5000)))
	format := lists.OutputOfFile(path, lists.Exports())
	return l.writer().file(ctx, ExportChoice{Format: format, Shown: true, Path: path, Overwrite: overwrite}, func(int, int64) {})
}

func TestAnExportLeavesNoHalfFile(t *testing.T) {
	stopped, stop := context.WithCancel(t.Context())
	stop()
	readOnly := t.TempDir()
	if err := syscall.Mount("tmpfs", readOnly, "tmpfs", syscall.MS_RDONLY, ""); err != nil {
		t.Skip("no file system can be mounted here: ", err)
	}
	defer func() { _ = syscall.Unmount(readOnly, syscall.MNT_DETACH) }()
	for _, place := range []struct {
		name string
		dir  string
		ctx  context.Context
		want error
	}{
		{"a full disk", smallDisk(t), t.Context(), syscall.ENOSPC},
		{"a read-only disk", readOnly, t.Context(), syscall.EROFS},
		{"an interrupt", t.TempDir(), stopped, context.Canceled},
	} {
		for _, end := range []string{".xlsx", ".csv", ".json", ".ndjson"} {
			path := filepath.Join(place.dir, "shares"+end)
			err := export(place.ctx, t, path, false)
			if !errors.Is(err, place.want) {
				t.Errorf("%s: the export to %s ended with %v, want %v", place.name, end, err, place.want)
				continue
			}
			if said := screen.Describe(err); place.want != context.Canceled && (said.Sentence == "" || said.Hint == "") {
				t.Errorf("%s: it is said %+v", place.name, said)
			}
			if left, _ := filepath.Glob(filepath.Join(place.dir, "*")); len(left) > 0 {
				t.Errorf("%s: %s left %v", place.name, end, left)
			}
			if hidden, _ := filepath.Glob(filepath.Join(place.dir, ".*")); len(hidden) > 0 {
				t.Errorf("%s: %s left %v", place.name, end, hidden)
			}
		}
	}
}

func TestAFullDiskKeepsTheFileThatIsThere(t *testing.T) {
	dir := smallDisk(t)
	for _, end := range []string{".xlsx", ".csv"} {
		path := filepath.Join(dir, "shares"+end)
		if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := export(t.Context(), t, path, false); !errors.Is(err, fs.ErrExist) {
			t.Errorf("a file that is there is %v", err)
		}
		if err := export(t.Context(), t, path, true); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%s: %v", end, err)
		}
		if text, err := os.ReadFile(path); string(text) != "old" || err != nil {
			t.Errorf("the file is %q now, %v", text, err)
		}
	}
}
