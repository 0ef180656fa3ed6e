package batch

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"unique"

	"gatehouse/internal/files"
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

// Known reports whether the question was answered.
func (s State) Known() bool { return s != Open }

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

// Journal keeps the elements of a batch, one a line, as they become known: in a file that may
// have those of an earlier run, in a temporary one, or in memory. Its methods are called one
// after another.
type Journal struct {
	list    *List
	kind    Kind
	file    *os.File // nil: in memory
	release func()

	// Torn is true if the last line was incomplete and has been removed. Foreign is how many
	// elements are about addresses that are not in the list; they are kept and not used.
	Torn    bool
	Foreign int

	end     int64 // of the last whole line
	entries []entry
}

// entry is the state of an address and the place of its element.
type entry struct {
	state  State
	cause  unique.Handle[string]
	at     int64
	length int32
	kept   []byte // in memory
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
// [*files.NewerError] for that of a newer program.
func OpenJournal(path string, list *List, kind Kind) (*Journal, error) {
	file, release, err := files.AppendAlone(path)
	if err != nil {
		return nil, err
	}
	j := MemoryJournal(list)
	j.kind, j.file, j.release = kind, file, release
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
func TemporaryJournal(list *List) (*Journal, error) {
	file, remove, err := files.Unnamed()
	if err != nil {
		return nil, err
	}
	j := MemoryJournal(list)
	j.file, j.release = file, remove
	return j, nil
}

// MemoryJournal makes a journal that has no file, for a few addresses.
func MemoryJournal(list *List) *Journal {
	return &Journal{list: list, release: func() {}, entries: make([]entry, len(list.Addresses))}
}

// Close saves and closes the file, and lets others use it.
func (j *Journal) Close() error {
	defer j.release()
	if j.file == nil {
		return nil
	}
	return errors.Join(j.file.Sync(), j.file.Close())
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
				return &JournalError{Reason: "is the journal of another list: they have no address in common"}
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
	return files.CheckVersion(head.Version, elementVersion)
}

// refused returns the error for a line that does not belong in this journal.
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
	j.entries[i] = entry{state: o.State, cause: unique.Make(o.Cause), at: j.end, length: int32(length)}
}

// Add appends the element of an address, without a line end, in one write: when it returns,
// the end of the process can no longer lose it. After an error the journal takes no more.
func (j *Journal) Add(i int, element []byte, o Outcome) error {
	if len(element) > maxElement || bytes.IndexByte(element, '\n') >= 0 {
		return fmt.Errorf("the result of %q does not fit a line", j.list.Addresses[i])
	}
	j.note(i, len(element), o)
	if j.file == nil {
		j.entries[i].kept = element
		return nil
	}
	if _, err := j.file.Write(append(element[:len(element):len(element)], '\n')); err != nil {
		_ = j.file.Truncate(j.end) // drop the incomplete line
		j.entries[i] = entry{}
		return err
	}
	j.end += int64(len(element)) + 1
	return nil
}

// Outcome returns the outcome for an address.
func (j *Journal) Outcome(i int) Outcome {
	e := j.entries[i]
	if e.state == Open {
		return Outcome{Email: j.list.Addresses[i]}
	}
	return Outcome{Email: j.list.Addresses[i], State: e.state, Cause: e.cause.Value()}
}

// Element reads the element of an address, nil if there is none.
func (j *Journal) Element(i int) ([]byte, error) {
	e := j.entries[i]
	if e.state == Open || j.file == nil {
		return e.kept, nil
	}
	element := make([]byte, e.length)
	_, err := j.file.ReadAt(element, e.at)
	return element, err
}

// States are the states of all addresses by their index, with failures as Open if they are
// to be asked again.
func (j *Journal) States(askAgain bool) []State {
	states := make([]State, len(j.entries))
	for i, e := range j.entries {
		if !askAgain || !e.state.IsFailure() {
			states[i] = e.state
		}
	}
	return states
}
