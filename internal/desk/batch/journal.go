package batch

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"gatehouse/internal/files"
	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/human"
)

// State is how the question about one address ended.
type State uint8

// The states. An address that has not been asked about is Open.
const (
	Open State = iota
	Done
	Noted  // all is well, with something that is good to know
	Warned // it is answered, with something to notice
	Failed
	Unknown // it could not be found out
)

// words are the words for states, in JSON and CSV as well as for people.
var words = map[State]string{
	Open:    "not asked",
	Done:    "ok",
	Noted:   "info",
	Warned:  "warn",
	Failed:  "fail",
	Unknown: "unknown",
}

// String returns the word for a state: "fail".
func (s State) String() string { return words[s] }

// Counted returns a number of addresses that ended in a state: "930 ok".
func (s State) Counted(n int) string { return human.Number(n) + " " + s.String() }

// Outcome is what a batch knows of an element.
type Outcome struct {
	Email string
	State State
	Cause Cause // of what is not Done
}

// IsNoAddress reports whether the element is about a text that is no address, and was not asked about.
func (o Outcome) IsNoAddress() bool { return hostname.EmailObjection(o.Email) != "" }

const (
	maxElement     = 1 << 20 // bytes
	elementVersion = 1       // also of those that name none
)

// Journal keeps the elements of a batch: one a line in its file as they become known, or in memory
// until they are forgotten. Its methods are called one after another.
type Journal struct {
	list    *List
	entries []entry

	file    *os.File // nil: in memory alone
	release func()
	end     int64 // of the last whole line

	// Torn is true if the last line was incomplete and has been removed. Foreign is how many
	// elements are about addresses that are not in the list; they are kept and not used.
	Torn    bool
	Foreign int
}

// entry is what is known about an address, and its element: in memory, or where it is in the file.
type entry struct {
	Outcome
	element []byte
	at      int64
	length  int
	isKept  bool // of an earlier run
}

// NewJournal makes a journal in memory.
func NewJournal(list *List) *Journal {
	return &Journal{list: list, entries: make([]entry, len(list.Addresses))}
}

// OpenJournal opens the journal of a list, or creates it. Until [Journal.Close] no other process can
// use it ([files.ErrInUse]); see [files.AppendAlone] for the conditions on the file. outcome reads
// an element, and its error says why a line is not a result of this command. If an address has
// several elements, the last one counts. An incomplete last line, which a killed process leaves
// behind, is removed.
//
// A file that is not the journal of this command and this list is left as it is. The error is then a
// [*FileError], or a [*files.NewerError] for the file of a newer program.
func OpenJournal(
	path string, list *List, outcome func(element []byte) (Outcome, error),
) (*Journal, error) {
	file, release, err := files.AppendAlone(path)
	if err != nil {
		return nil, err
	}
	j := NewJournal(list)
	j.file, j.release = file, release
	err = j.read(outcome)
	if err == nil {
		err = files.MakePrivate(file)
	}
	if err != nil {
		_ = j.Close()
		return nil, err
	}
	return j, nil
}

// Close saves and closes the file, and lets others use it.
func (j *Journal) Close() error {
	if j.file == nil {
		return nil
	}
	defer j.release()
	return errors.Join(j.file.Sync(), j.file.Close())
}

// read reads what an earlier run has left.
func (j *Journal) read(outcome func(element []byte) (Outcome, error)) error {
	in, known := bufio.NewReaderSize(j.file, maxElement+1), 0
	for line := 1; ; line++ {
		text, err := in.ReadSlice('\n')
		switch {
		case errors.Is(err, io.EOF) && known == 0 && (j.Foreign > 0 || len(text) > 0 && !isTorn(text)):
			return &FileError{Reason: "no line of it is about an address of this list"}
		case errors.Is(err, io.EOF):
			if j.Torn = len(text) > 0; j.Torn {
				return j.file.Truncate(j.end)
			}
			return nil
		case errors.Is(err, bufio.ErrBufferFull):
			return &FileError{Line: line, Reason: tooLong}
		case err != nil:
			return err
		}
		var head struct {
			Version int `json:"version"`
		}
		if json.Unmarshal(text, &head) == nil {
			if err := files.CheckVersion(head.Version, elementVersion); err != nil {
				return err
			}
		}
		o, err := outcome(text)
		if err != nil {
			return &FileError{Line: line, Reason: err.Error()}
		}
		if i, found := j.list.Find(o.Email); found {
			known++
			j.entries[i] = entry{Outcome: o, at: j.end, length: len(text) - 1, isKept: true}
		} else {
			j.Foreign++
		}
		j.end += int64(len(text))
	}
}

// Add keeps the element of an address, without a line end. It is appended to the file in one
// write: when Add returns, the end of the process can no longer lose it. After an error the
// journal takes no more.
func (j *Journal) Add(i int, element []byte, o Outcome) error {
	if len(element) > maxElement || bytes.IndexByte(element, '\n') >= 0 {
		return fmt.Errorf("the result of %q does not fit a line", j.list.Addresses[i])
	}
	if j.file == nil {
		j.entries[i] = entry{Outcome: o, element: element}
		return nil
	}
	if _, err := j.file.Write(append(element[:len(element):len(element)], '\n')); err != nil {
		_ = j.file.Truncate(j.end) // drop the incomplete line
		return err
	}
	j.entries[i] = entry{Outcome: o, at: j.end, length: len(element)}
	j.end += int64(len(element)) + 1
	return nil
}

// Outcome is the outcome for an address.
func (j *Journal) Outcome(i int) Outcome { return j.entries[i].Outcome }

// IsKept reports whether the element of an address is one of an earlier run.
func (j *Journal) IsKept(i int) bool { return j.entries[i].isKept }

// SumUp counts the outcomes.
func (j *Journal) SumUp() *Summary {
	s := NewSummary(j.list)
	for i, e := range j.entries {
		if e.State != Open {
			s.Count(e.Outcome, j.list.Count(i), j.IsKept(i))
		}
	}
	return s
}

// Element returns the element of an address, nil if there is none.
func (j *Journal) Element(i int) ([]byte, error) {
	e := j.entries[i]
	if j.file == nil || e.length == 0 {
		return e.element, nil
	}
	element := make([]byte, e.length)
	_, err := j.file.ReadAt(element, e.at)
	return element, err
}

// Forget drops an element from memory once it is written: a list may have a million. One of an
// address that is repeated stays, for the other lines with it.
func (j *Journal) Forget(i int) {
	if j.list.Count(i) == 1 {
		j.entries[i].element = nil
	}
}

// ForgetFailures makes addresses Open that failed or are unknown: they are asked again.
func (j *Journal) ForgetFailures() {
	for i, e := range j.entries {
		if e.State == Failed || e.State == Unknown {
			j.entries[i] = entry{}
		}
	}
}

// isTorn reports whether a line may be the beginning of an element.
func isTorn(line []byte) bool { return bytes.HasPrefix(line, []byte(`{"`)) && !json.Valid(line) }
