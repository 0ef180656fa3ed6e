package batch

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"gatehouse/internal/files"
	"gatehouse/internal/format"
)

// State is how the question about one address ended.
type State uint8

// The states. An address that has not been asked about is Open.
const (
	Open State = iota
	Done
	Failed
	Unknown // it could not be found out
)

// IsFailure reports whether a command ends with exit code 1 for it, and whether it is asked
// again if failures are.
func (s State) IsFailure() bool { return s == Failed || s == Unknown }

// Outcome is what a batch knows of an element.
type Outcome struct {
	Email string
	State State
	Cause string // in a few words, the same for all with the same cause
}

// Kind is what the elements of a command are like.
type Kind struct {
	Command string // such as "lookup"
	Opens   string // how the JSON of each element begins, such as `{"email":"`
	// Read reads of an element what a journal needs. It fails for one of another command, and
	// with a [*JournalError] for one of this command that was called otherwise.
	Read func(element []byte) (Outcome, error)
}

// maxElement is how long an element can be in bytes.
const maxElement = 1 << 20

// Journal keeps the elements of a batch, one a line, as they become known: a file that may
// have those of an earlier run, or a temporary one. Its methods are called one after another.
type Journal struct {
	list    *List
	kind    Kind
	file    *os.File
	release func()
	moved   func() bool // whether the path is no longer that of the file

	// Torn is true if the last line was incomplete and has been removed. Foreign is how many
	// elements are about addresses that are not in the list; they are kept and not used.
	Torn    bool
	Foreign int

	end      int64   // of the last whole line
	places   []place // of the element of each address
	outcomes []outcome
	causes   map[string]string // each text once
	unsynced bool
}

// place is where in the file an element is.
type place struct {
	at     int64
	length int32
}

type outcome struct {
	state State
	cause string
}

// JournalError says why a file cannot be the journal of a batch.
type JournalError struct {
	Line   int    // 0 if the reason concerns no line
	Reason string // completes a sentence that begins with the name of the file
}

// Error names the line and the reason.
func (e *JournalError) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("line %d %s", e.Line, e.Reason)
	}
	return e.Reason
}

// OpenJournal opens the journal of a list, or begins one. It must be the file of one process
// alone ([files.ErrInUse]), which it stays until [Journal.Close], and satisfy the conditions
// of [files.AppendAlone]. Where an address has several elements the last one counts. An
// incomplete last line, which a killed process leaves, is removed. A file that is not a
// journal of this command and of this list is left as it is: a [*JournalError], or a
// [*format.NewerError] for that of a newer program.
func OpenJournal(path string, list *List, kind Kind) (*Journal, error) {
	file, release, err := files.AppendAlone(path)
	if err != nil {
		return nil, err
	}
	j := newJournal(file, release, list, kind)
	j.moved = func() bool {
		err := files.StillNamed(path, file)
		return errors.Is(err, files.ErrReplaced) || errors.Is(err, fs.ErrNotExist)
	}
	err = j.read()
	if err == nil {
		err = files.MakePrivate(file)
	}
	if err != nil {
		_ = j.Close()
		return nil, err
	}
	return j, nil
}

// TemporaryJournal makes a journal that [Journal.Close] removes.
func TemporaryJournal(list *List, kind Kind) (*Journal, error) {
	file, err := os.CreateTemp("", "gatehouse-batch-*.tmp") // 0600
	if err != nil {
		return nil, err
	}
	removed := os.Remove(file.Name()) == nil // not while it is open on Windows
	return newJournal(file, func() {
		if !removed {
			_ = os.Remove(file.Name())
		}
	}, list, kind), nil
}

func newJournal(file *os.File, release func(), list *List, kind Kind) *Journal {
	n := len(list.Addresses)
	return &Journal{
		list: list, kind: kind, file: file, release: release, moved: func() bool { return false },
		places: make([]place, n), outcomes: make([]outcome, n), causes: map[string]string{},
	}
}

// Close saves and closes the file, and lets others use it.
func (j *Journal) Close() error {
	err := errors.Join(j.Sync(), j.file.Close())
	j.release()
	return err
}

// read reads what an earlier run has left.
func (j *Journal) read() error {
	known := 0
	in := bufio.NewReaderSize(j.file, maxElement+1)
	for line := 1; ; line++ {
		text, err := in.ReadSlice('\n')
		switch {
		case errors.Is(err, io.EOF) && len(text) > 0 && !j.isTorn(text):
			return j.refused(line, nil)
		case errors.Is(err, io.EOF):
			if known == 0 && j.Foreign > 0 {
				return &JournalError{Reason: "is the journal of another list: no address in it is in this one"}
			}
			if j.Torn = len(text) > 0; j.Torn {
				return j.file.Truncate(j.end)
			}
			return nil
		case errors.Is(err, bufio.ErrBufferFull):
			return &JournalError{Line: line, Reason: "is too long for a result of " + j.kind.Command}
		case err != nil:
			return err
		}
		element := text[:len(text)-1]
		if err := ofThisVersion(element); err != nil {
			return err
		}
		o, err := j.kind.Read(element)
		if err != nil {
			return j.refused(line, err)
		}
		if i, found := j.list.Find(o.Email); found {
			known++
			j.note(i, len(element), o)
		} else {
			j.Foreign++
		}
		j.end += int64(len(text))
	}
}

// elementVersion is the version of the elements, which is their member version. Those that say
// none have version 1, as all that this program writes: scripts read them too.
const elementVersion = 1

// ofThisVersion refuses the element of a newer program.
func ofThisVersion(element []byte) error {
	var head struct {
		Version int `json:"version"`
	}
	if !bytes.Contains(element, []byte(`"version"`)) || json.Unmarshal(element, &head) != nil {
		return nil
	}
	return format.Check(head.Version, elementVersion)
}

// refused says why a line is none of this journal, with the reason of an error that has one.
func (j *Journal) refused(line int, err error) error {
	if e, ok := errors.AsType[*JournalError](err); ok {
		return &JournalError{Line: line, Reason: e.Reason}
	}
	return &JournalError{Line: line, Reason: "is not a result of " + j.kind.Command}
}

// isTorn reports whether a text without a line end is the beginning of an element, and not
// of a file that was named by mistake.
func (j *Journal) isTorn(text []byte) bool {
	n := min(len(text), len(j.kind.Opens))
	if string(text[:n]) != j.kind.Opens[:n] {
		return false
	}
	_, err := j.kind.Read(text)
	return err == nil || !json.Valid(text)
}

// note remembers the element of an address that begins at the end.
func (j *Journal) note(i, length int, o Outcome) {
	cause, found := j.causes[o.Cause]
	if !found {
		cause = strings.Clone(o.Cause)
		j.causes[cause] = cause
	}
	j.places[i] = place{j.end, int32(length)}
	j.outcomes[i] = outcome{o.State, cause}
}

// Add appends the element of an address, without a line end, in one write: when it returns,
// the end of the process can no longer lose it. After an error the journal takes no more.
func (j *Journal) Add(i int, element []byte, o Outcome) error {
	if len(element) > maxElement || bytes.IndexByte(element, '\n') >= 0 {
		return fmt.Errorf("the result of %q does not fit a line", j.list.Addresses[i])
	}
	if _, err := j.file.Write(append(element[:len(element):len(element)], '\n')); err != nil {
		_ = j.file.Truncate(j.end) // what has been written is not whole
		return err
	}
	j.note(i, len(element), o)
	j.end += int64(len(element)) + 1
	j.unsynced = true
	return nil
}

// ErrMoved means that the file of a journal was removed, or another one put in its place: what
// is added can be read until [Journal.Close], and no later run will find it.
var ErrMoved = errors.New("it was removed or replaced")

// Sync saves what was added, so that a loss of power does not lose it either. It fails with
// [ErrMoved] if that saves it for nobody.
func (j *Journal) Sync() error {
	if j.unsynced {
		j.unsynced = false
		if err := j.file.Sync(); err != nil {
			return err
		}
	}
	if j.moved() {
		return ErrMoved
	}
	return nil
}

// Outcome is what is known of an address.
func (j *Journal) Outcome(i int) Outcome {
	return Outcome{Email: j.list.Addresses[i], State: j.outcomes[i].state, Cause: j.outcomes[i].cause}
}

// Element reads the element of an address, nil if there is none.
func (j *Journal) Element(i int) ([]byte, error) {
	at := j.places[i]
	if at.length == 0 {
		return nil, nil
	}
	element := make([]byte, at.length)
	_, err := j.file.ReadAt(element, at.at)
	return element, err
}

// States are the states of all addresses by their index, with failures as Open if they are
// to be asked again.
func (j *Journal) States(askAgain bool) []State {
	states := make([]State, len(j.outcomes))
	for i, o := range j.outcomes {
		if !askAgain || !o.state.IsFailure() {
			states[i] = o.state
		}
	}
	return states
}
