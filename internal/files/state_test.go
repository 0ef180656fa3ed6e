package files

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// left is how a person left something.
type left struct {
	Columns []int
	Domain  string
}

// place is a file that is not there yet.
func place(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "gatehouse", "main.json")
}

// keep sets one value and waits until it is written.
func keep(t *testing.T, s *State, key string, v any) {
	t.Helper()
	s.Set(key, v)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// content is what a file holds.
func content(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestWhatWasSetIsThereInTheNextRun(t *testing.T) {
	path := place(t)
	s := OpenState(path)
	want := left{Columns: []int{3, 1}, Domain: "harbor.example"}
	s.Set("shares", left{Domain: "replaced"})
	s.Set("shares", want)
	s.Set("last domain", "東京.example")
	var got left
	if !s.Get("shares", &got) || !cmp.Equal(got, want) {
		t.Errorf("in the same run it is %+v", got)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	next := OpenState(path)
	var domain string
	if !next.Get("shares", &got) || !cmp.Equal(got, want) || !next.Get("last domain", &domain) || domain != "東京.example" {
		t.Errorf("in the next run it is %+v and %q", got, domain)
	}
}

func TestWhatDoesNotFitIsNotRemembered(t *testing.T) {
	s := MemoryState()
	s.Set("number", 7)
	s.Set("list", []any{1, "two"})
	word, numbers := "as it was", []int{9, 9, 9}
	if s.Get("number", &word) || s.Get("list", &numbers) || s.Get("nothing", &word) {
		t.Error("something was remembered")
	}
	if word != "as it was" || !cmp.Equal(numbers, []int{9, 9, 9}) {
		t.Errorf("the values have become %q and %v", word, numbers)
	}
}

func TestProcessesKeepEachOthersValues(t *testing.T) {
	path := place(t)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(`{"of a newer version":{"b":[1, 2],"a":1e400}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	one, other := OpenState(path), OpenState(path)
	keep(t, one, "both", 1)
	keep(t, one, "one", 1)
	keep(t, other, "other", 2)
	keep(t, other, "both", 2)
	if got, want := content(t, path), `{"both":2,"of a newer version":{"b":[1,2],"a":1e400},"one":1,"other":2}`; got != want {
		t.Errorf("the file holds\n%s\nwant\n%s", got, want)
	}
}

func TestADamagedFileIsSetAside(t *testing.T) {
	for name, damage := range map[string]string{
		"cut":                  `{"a":1,"b":`,
		"no object":            `[1]`,
		"null":                 `null`,
		"nothing":              ``,
		"version":              `{"version":"new"}`,
		"too large":            `{"a":"` + strings.Repeat("x", maxStateFile) + `"}`,
		"too large to be read": strings.Repeat(" ", maxNewerState) + `{}`,
	} {
		t.Run(name, func(t *testing.T) {
			path := place(t)
			keep(t, OpenState(path), "a", 1)
			if err := os.WriteFile(path, []byte(damage), 0o600); err != nil {
				t.Fatal(err)
			}
			s := OpenState(path)
			if !errors.Is(s.Err(), errDamaged) {
				t.Errorf("Open: %v", s.Err())
			}
			keep(t, s, "new", 2)
			if got := content(t, path); got != `{"new":2}` {
				t.Errorf("the file holds %s", got)
			}
			aside, err := filepath.Glob(path + ".aside-*")
			if err != nil || len(aside) != 1 || content(t, aside[0]) != damage {
				t.Errorf("set aside are %v", aside)
			}
		})
	}
}

func TestTheFileOfANewerProgramIsLeftAsItIs(t *testing.T) {
	path := place(t)
	keep(t, OpenState(path), "domain", "harbor.example")
	newer := `{"version":2,"domain":["of another type"]}`
	if err := os.WriteFile(path, []byte(newer), 0o600); err != nil {
		t.Fatal(err)
	}
	s := OpenState(path)
	const want = ": a newer gatehouse wrote it: it has version 2 of its format, and this one reads version 1"
	if err := s.Err(); !IsNewer(err) || err.Error() != "read "+path+want {
		t.Errorf("Open: %v", err)
	}
	if s.Get("domain", &[]string{}) {
		t.Error("something of it was read")
	}
	var domain string
	s.Set("domain", "quay.example") // for this run
	if err := s.Close(); !IsNewer(err) || !s.Get("domain", &domain) || domain != "quay.example" {
		t.Errorf("it is %q, %v", domain, err)
	}
	if got := content(t, path); got != newer {
		t.Errorf("the file holds %s", got)
	}
	if aside, _ := filepath.Glob(path + ".aside-*"); len(aside) > 0 {
		t.Errorf("set aside are %v", aside)
	}
}

func TestALongFileOfANewerProgramIsLeftAsItIsToo(t *testing.T) {
	path := place(t)
	keep(t, OpenState(path), "a", 1)
	newer := `{"a":"` + strings.Repeat("x", maxStateFile) + `","version":2}`
	if err := os.WriteFile(path, []byte(newer), 0o600); err != nil {
		t.Fatal(err)
	}
	s := OpenState(path)
	if err := s.Err(); !IsNewer(err) {
		t.Errorf("Open: %.200v", err)
	}
	s.Set("b", 2)
	if err := s.Close(); !IsNewer(err) {
		t.Errorf("Close: %.200v", err)
	}
	if got := content(t, path); got != newer {
		t.Errorf("the file holds %.40s…", got)
	}
	if aside, _ := filepath.Glob(path + ".aside-*"); len(aside) > 0 {
		t.Errorf("set aside are %v", aside)
	}
}

func TestAValueThatIsTooLongTakesNoRoomFromOthers(t *testing.T) {
	path := place(t)
	s := OpenState(path)
	s.Set("list", 1)
	s.Set("list", strings.Repeat("x", maxStateFile))
	if s.Err() == nil {
		t.Error("no error")
	}
	keep(t, s, "other", 2)
	if got := content(t, path); got != `{"list":1,"other":2}` {
		t.Errorf("the file holds %.80s", got)
	}
}

func TestAValueMayTakeTheRoomOfAValue(t *testing.T) {
	path := place(t)
	s := OpenState(path)
	keep(t, s, "list", strings.Repeat("x", maxStateValue-2)) // and its quotation marks
	s.Set("list", strings.Repeat("x", maxStateValue-1))
	var kept string
	if s.Err() == nil || !s.Get("list", &kept) || len(kept) != maxStateValue-2 {
		t.Errorf("of one byte more %d are remembered, %v", len(kept), s.Err())
	}
}

func TestAStateWithoutAFileWritesNone(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	s := MemoryState()
	keep(t, s, "a", 1)
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
}

func TestWhatCouldNotBeWrittenIsTriedAgainAtTheEnd(t *testing.T) {
	path := place(t)
	s := OpenState(path)
	s.disk = brokenAt{step: "sync"}.disk()
	s.Set("a", 1)
	if err := s.Close(); !errors.Is(err, errBroken) {
		t.Errorf("the error is %v", err)
	}
	s.disk = System()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if got := content(t, path); got != `{"a":1}` {
		t.Errorf("the file holds %s", got)
	}
}

func TestWhatDoesNotFitIsNotWritten(t *testing.T) {
	path := place(t)
	s := OpenState(path)
	for i := range maxStateFile/maxStateValue + 2 {
		s.Set(strconv.Itoa(i), strings.Repeat("x", maxStateValue-2))
	}
	if s.Close() == nil {
		t.Error("no error")
	}
	if info, err := os.Stat(path); err == nil && info.Size() > maxStateFile {
		t.Errorf("%d bytes were written", info.Size())
	}
	if err := OpenState(path).Err(); err != nil {
		t.Errorf("what is left cannot be read: %v", err)
	}
}

func TestNothingStaysOfAProcessThatDiedWhileItWrote(t *testing.T) {
	path := place(t)
	keep(t, OpenState(path), "a", 1)
	left := filepath.Join(filepath.Dir(path), ".main.json.123.tmp")
	if err := os.WriteFile(left, []byte(`{"a":`), 0o600); err != nil {
		t.Fatal(err)
	}
	keep(t, OpenState(path), "a", 2)
	if _, err := os.Stat(left); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("its file: %v", err)
	}
}

func TestSetDoesNotWaitForTheDisk(t *testing.T) {
	path := place(t)
	s := OpenState(path)
	writing, goOn := make(chan struct{}), make(chan struct{})
	rename := s.disk.Rename
	s.disk.Rename = func(from, to string) error {
		writing <- struct{}{}
		<-goOn
		return rename(from, to)
	}
	s.Set("a", 1)
	<-writing
	s.Set("a", 2)
	s.Set("b", 3)
	goOn <- struct{}{}
	<-writing
	var meanwhile int
	if !s.Get("b", &meanwhile) || meanwhile != 3 {
		t.Errorf("while it is written, the value is %d", meanwhile)
	}
	close(goOn)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got := content(t, path); got != `{"a":2,"b":3}` {
		t.Errorf("the file holds %s", got)
	}
	for key, want := range map[string]int{"a": 2, "b": 3} {
		var got int
		if !s.Get(key, &got) || got != want {
			t.Errorf("%s is %d in the same run, want %d", key, got, want)
		}
	}
}

func TestAWriteBringsWhatOtherProcessesHaveSet(t *testing.T) {
	path := place(t)
	one, other := OpenState(path), OpenState(path)
	keep(t, one, "one", 1)
	keep(t, other, "other", 2)
	var got int
	if !other.Get("one", &got) || got != 1 {
		t.Errorf("it is %d", got)
	}
}

func TestAFileMayHaveTheRoomOfAFile(t *testing.T) {
	path := place(t)
	keep(t, OpenState(path), "b", 1)
	filled := func(size int) string {
		const around = `{"a":"","b":2}`
		return `{"a":"` + strings.Repeat("x", size-len(around)) + `","b":2}`
	}
	put := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(filled(maxStateFile))
	s := OpenState(path)
	keep(t, s, "b", 3)
	if got := len(content(t, path)); got != maxStateFile {
		t.Errorf("%d bytes were written", got)
	}
	s.Set("b", 10) // a digit more
	if s.Close() == nil {
		t.Error("more was written")
	}
	put(filled(maxStateFile + 1))
	if err := OpenState(path).Err(); !errors.Is(err, errDamaged) {
		t.Errorf("more was read: %v", err)
	}
}

func TestALockThatStaysIsNotWaitedForLong(t *testing.T) {
	path := place(t)
	unlock, err := Lock(t.Context(), path+".lock")
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	synctest.Test(t, func(t *testing.T) {
		s := OpenState(path)
		start := time.Now()
		s.Set("a", 1)
		if err := s.Close(); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the error is %v", err)
		}
		if took := time.Since(start); took != stateLockTimeout {
			t.Errorf("it took %v", took)
		}
	})
}

func TestAnUnchangedValueIsNotWritten(t *testing.T) {
	path := place(t)
	keep(t, OpenState(path), "a", 1)
	s := OpenState(path)
	s.disk.Rename = func(string, string) error { return errors.New("it was written") }
	keep(t, s, "a", 1)
}

func TestAPanicOfAWriteIsItsError(t *testing.T) {
	s := OpenState(place(t))
	s.disk.Create = func(string, string) (Temporary, error) { panic("canary") }
	s.Set("a", 1)
	if err := s.Close(); err == nil || strings.Contains(err.Error(), "canary") {
		t.Errorf("the error is %v", err)
	}
}
