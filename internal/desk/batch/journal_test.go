package batch

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/files"
)

// journalOf opens a journal with this content for a, b and c.
func journalOf(t *testing.T, content string) (path string, j *Journal, err error) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "journal.ndjson")
	if content != "" {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	j, err = OpenJournal(path, listOf(t, "a@x", "b@x", "c@x"), outcomeIn)
	if err == nil {
		t.Cleanup(func() { _ = j.Close() })
	}
	return path, j, err
}

func contentOf(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

const (
	lineA  = `{"email":"a@x","answer":"yes"}` + "\n"
	lineB  = `{"email":"B@x","answer":"no"}` + "\n"
	lineB2 = `{"email":"b@x","answer":"yes, now"}` + "\n"
	lineZ  = `{"email":"z@x","answer":"yes"}` + "\n"
)

func TestAFileThatIsRefusedKeepsItsMode(t *testing.T) {
	for content, want := range map[string]os.FileMode{"something else\n": 0o644, "torn by nobody": 0o644, lineZ: 0o644, lineZ + lineA[:9]: 0o644, lineA: 0o600, "": 0o600} {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		j, err := OpenJournal(path, listOf(t, "a@x"), outcomeIn)
		if err == nil {
			_ = j.Close()
		}
		if (err == nil) != (want == 0o600) {
			t.Errorf("%q: %v", content, err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if runtime.GOOS != "windows" && info.Mode().Perm() != want {
			t.Errorf("%q: the mode is %v", content, info.Mode())
		}
		if after := contentOf(t, path); after != content {
			t.Errorf("%q has become %q", content, after)
		}
	}
}

func TestAJournalOfANewerProgramIsLeftAsItIs(t *testing.T) {
	for name, content := range map[string]string{
		"at its beginning": `{"version":2,"email":"a@x","answer":"yes"}` + "\n" + lineB + lineA[:9],
		"later":            lineA + `{"email":"b@x","answers":["yes"],"version":2}` + "\n" + lineB[:9],
	} {
		path, _, err := journalOf(t, content)
		if !files.IsNewer(err) || err.Error() != "a newer gatehouse wrote it: it has version 2 of its format, and this one reads version 1" {
			t.Errorf("%s: %v", name, err)
		}
		if after := contentOf(t, path); after != content {
			t.Errorf("%s: it has become %q", name, after)
		}
	}
}

func TestAJournalKeepsElements(t *testing.T) {
	path, j, err := journalOf(t, "")
	if err != nil {
		t.Fatal(err)
	}
	for i, answer := range []string{"yes", "no", "not known"} {
		add(t, j, i, elementOf(j.list.Addresses[i], answer))
	}
	for range 2 {
		want := []Outcome{{"a@x", Done, Cause{}}, {"b@x", Failed, Cause{What: "no"}}, {"c@x", Unknown, Cause{What: "undecided"}}}
		for i, o := range want {
			if got := j.Outcome(i); got != o {
				t.Errorf("%d: %+v", i, got)
			}
			if text, err := j.Element(i); err != nil || !cmp.Equal(text, elementOf(o.Email, []string{"yes", "no", "not known"}[i])) {
				t.Errorf("%d: %s", i, text)
			}
		}
		if err := j.Close(); err != nil { // and what a later run finds
			t.Fatal(err)
		}
		if j, err = OpenJournal(path, j.list, outcomeIn); err != nil {
			t.Fatal(err)
		}
	}
	_ = j.Close()
}

func TestTheLastElementOfAnAddressCounts(t *testing.T) {
	_, j, err := journalOf(t, lineB+lineA+lineB2)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := j.Element(1); err != nil || string(text)+"\n" != lineB2 || j.Outcome(1).State != Done {
		t.Errorf("%s, %+v", text, j.Outcome(1))
	}
}

func TestAnIncompleteLastLineIsRemoved(t *testing.T) {
	for n := 1; n < len(lineB); n++ {
		path, j, err := journalOf(t, lineA+lineB[:n])
		if err != nil {
			t.Fatalf("%q: %v", lineB[:n], err)
		}
		if !j.Torn || j.Outcome(0).State != Done || j.Outcome(1).State != Open {
			t.Errorf("%q: %+v", lineB[:n], j)
		}
		add(t, j, 2, elementOf("c@x", "yes"))
		if got := contentOf(t, path); got != lineA+`{"email":"c@x","answer":"yes"}`+"\n" {
			t.Errorf("%q: %s", lineB[:n], got)
		}
	}
}

func TestFilesThatAreNoJournalAreLeftAsTheyAre(t *testing.T) {
	for content, want := range map[string]string{
		lineA + lineB[:9] + "\n" + lineB2:                 "line 2: this is no result",
		lineA + lineB[:9] + lineB2:                        "line 2: this is no result",
		lineA + "\n":                                      "line 2: this is no result",
		"ada@harbor.example":                              "no line of it is about an address of this list",
		`{"email":"a@x","verdict":{}}`:                    "no line of it is about an address of this list",
		lineZ + lineZ:                                     "no line of it is about an address of this list",
		lineA + string(make([]byte, maxElement+2)) + "\n": "line 2: this line is too long",
	} {
		path, _, err := journalOf(t, content)
		if _, ok := errors.AsType[*FileError](err); !ok || err.Error() != want {
			t.Errorf("%.60q: %v", content, err)
		}
		if contentOf(t, path) != content {
			t.Errorf("%.60q was changed", content)
		}
	}
}

func TestElementsOfOtherAddressesStay(t *testing.T) {
	path, j, err := journalOf(t, lineZ+lineA)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := j.Element(0); err != nil || j.Foreign != 1 || string(text)+"\n" != lineA || contentOf(t, path) != lineZ+lineA {
		t.Errorf("%d foreign, %s", j.Foreign, text)
	}
}

func TestAJournalIsForOneProcess(t *testing.T) {
	path, j, err := journalOf(t, lineA)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := OpenJournal(path, j.list, outcomeIn); !errors.Is(err, files.ErrInUse) {
		t.Errorf("a second time: %v", err)
	}
	_ = j.Close()
	again, err := OpenJournal(path, j.list, outcomeIn)
	if err != nil {
		t.Fatal(err)
	}
	_ = again.Close()
	if _, err := OpenJournal(t.TempDir(), j.list, outcomeIn); !errors.Is(err, files.ErrNotRegular) {
		t.Errorf("a directory: %v", err)
	}
}

func TestWhatDoesNotFitALineIsRefused(t *testing.T) {
	path, j, err := journalOf(t, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, element := range []string{"{}\n{}", strings.Repeat(" ", maxElement+1)} {
		if err := j.Add(0, []byte(element), Outcome{}); err == nil || j.Outcome(0).State != Open || contentOf(t, path) != "" {
			t.Errorf("%.20q: %v", element, err)
		}
	}
}
