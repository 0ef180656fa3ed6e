package files

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"gatehouse/internal/testkit"
)

func TestAFileForOneProcessAtATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	f, release, err := AppendAlone(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := AppendAlone(path); !errors.Is(err, ErrInUse) {
		t.Errorf("a second time: %v", err)
	}
	if _, err := io.WriteString(f, "one\n"); err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
	release()

	f, release, err = AppendAlone(path)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	defer f.Close()
	if before, err := io.ReadAll(f); string(before) != "one\n" || err != nil {
		t.Errorf("%q, %v", before, err)
	}
	if _, err := f.WriteAt([]byte("x"), 0); err == nil {
		t.Error("what stands in it can be replaced")
	}
}

func TestWhatCannotBeAFileOfOneProcess(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	testkit.Link(t, filepath.Join(dir, "file"), link)
	for path, want := range map[string]error{dir: ErrNotRegular, link: ErrNotRegular, filepath.Join(dir, "none", "file"): os.ErrNotExist} {
		if _, _, err := AppendAlone(path); !errors.Is(err, want) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
