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

// State says how the question about an address ended.
type State uint8

// The states.
const (
	Open    State = iota // it has not ended
	Done                 // it was answered
	Noted                // it was answered, with something that is good to know
	Warned               // it was answered, with something that needs attention
	Failed               // the service said no
	Unknown              // the answer could not be determined
)

// words are the words for states, for people as well as in JSON and CSV.
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

// Counted is a number of addresses that ended in a state, in words: "930 ok".
func (s State) Counted(n int) string { return human.Number(n) + " " + s.String() }

// Outcome is what a batch knows of the answer about an address. How else the answer looks is up to
// the command, which makes an element of it: a line of JSON.
type Outcome struct {
	Email string
	State State
	Cause Cause // zero if the state is Done
}

// IsNoAddress reports whether the text is no address, so that it was not asked about.
func (o Outcome) IsNoAddress() bool { return hostname.EmailObjection(o.Email) != "" }

const (
	maxElement     = 1 << 20 // bytes
	elementVersion = 1       // also of elements without a version
)

// Journal keeps the elements of a batch: in a file, one a line, as soon as they are known, or in
// memory until they are forgotten. Its methods must not be called from several goroutines at once.
type Journal struct {
	list    *List
	entries []entry // by the indexes of the addresses

	file    *os.File // nil if elements are in memory
	release func()   // lets other processes use the file
	end     int64    // offset behind the last complete line

	// Torn means that the last line was incomplete, and has been removed.
	Torn bool
	// Foreign is the number of elements about addresses that are not in the list. They stay in the
	// file, and are not used.
	Foreign int
}

// entry is what is known about an address. Its element is in memory, or in the file at an offset.
type entry struct {
	Outcome
	element []byte
	at      int64
	length  int
	isKept  bool // it is from an earlier run
}

// NewJournal makes a journal in memory.
func NewJournal(list *List) *Journal {
	return &Journal{list: list, entries: make([]entry, len(list.Addresses))}
}

// OpenJournal opens the journal of a list, or creates it. Until [Journal.Close] no other process
// can use it ([files.ErrInUse]); see [files.AppendAlone] for the conditions on the file. outcome
// reads an element, and its error says why a line is not a result of this command. If an address
// has several elements, the last one counts. An incomplete last line, which a killed process leaves
// behind, is removed.
//
// A file that is not the journal of this command and this list is left as it is. The error is then
// a [*FileError], or a [*files.NewerError] for the file of a newer program.
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

// Close saves and closes the file, and lets other processes use it.
func (j *Journal) Close() error {
	if j.file == nil {
		return nil
	}
	defer j.release()
	return errors.Join(j.file.Sync(), j.file.Close())
}

// read reads the elements of an earlier run.
func (j *Journal) read(outcome func(element []byte) (Outcome, error)) error {
	in := bufio.NewReaderSize(j.file, maxElement+1)
	known := 0 // elements about addresses of the list
	for line := 1; ; line++ {
		text, err := in.ReadSlice('\n')
		switch {
		case errors.Is(err, io.EOF):
			return j.endOfFile(text, known)
		case errors.Is(err, bufio.ErrBufferFull):
			return &FileError{Line: line, Reason: tooLong}
		case err != nil:
			return err
		}
		if err := checkVersion(text); err != nil {
			return err
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

// endOfFile removes an incomplete line at the end of the file. It refuses a file in which no
// element is about an address of the list.
func (j *Journal) endOfFile(incomplete []byte, known int) error {
	isOtherText := len(incomplete) > 0 && !isTorn(incomplete)
	if known == 0 && (j.Foreign > 0 || isOtherText) {
		return &FileError{Reason: "no line of it is about an address of this list"}
	}
	j.Torn = len(incomplete) > 0
	if j.Torn {
		return j.file.Truncate(j.end)
	}
	return nil
}

// checkVersion refuses an element of a newer program.
func checkVersion(element []byte) error {
	var head struct {
		Version int `json:"version"`
	}
	if json.Unmarshal(element, &head) != nil {
		return nil
	}
	return files.CheckVersion(head.Version, elementVersion)
}

// Add keeps the element of the address with an index, which must not have a line end. It is written
// to the file in one piece: once Add has returned, it is not lost when the process is killed. After
// an error the journal must not be used any more.
func (j *Journal) Add(i int, element []byte, o Outcome) error {
	if len(element) > maxElement || bytes.IndexByte(element, '\n') >= 0 {
		return fmt.Errorf("the result of %q does not fit a line", j.list.Addresses[i])
	}
	if j.file == nil {
		j.entries[i] = entry{Outcome: o, element: element}
		return nil
	}
	if _, err := j.file.Write(append(element[:len(element):len(element)], '\n')); err != nil {
		_ = j.file.Truncate(j.end) // remove the incomplete line
		return err
	}
	j.entries[i] = entry{Outcome: o, at: j.end, length: len(element)}
	j.end += int64(len(element)) + 1
	return nil
}

// Outcome is the outcome for the address with an index.
func (j *Journal) Outcome(i int) Outcome { return j.entries[i].Outcome }

// IsKept reports whether the element of an address is from an earlier run.
func (j *Journal) IsKept(i int) bool { return j.entries[i].isKept }

// SumUp makes a summary of all outcomes.
func (j *Journal) SumUp() *Summary {
	s := NewSummary(j.list)
	for i, e := range j.entries {
		if e.State != Open {
			s.Count(e.Outcome, j.list.Count(i), j.IsKept(i))
		}
	}
	return s
}

// Element returns the element of an address; nil if there is none.
func (j *Journal) Element(i int) ([]byte, error) {
	e := j.entries[i]
	if j.file == nil || e.length == 0 {
		return e.element, nil
	}
	element := make([]byte, e.length)
	_, err := j.file.ReadAt(element, e.at)
	return element, err
}

// Forget removes an element from memory after it was written, because a list may have a million.
// That of a repeated address stays, for the other lines with the address.
func (j *Journal) Forget(i int) {
	if j.list.Count(i) == 1 {
		j.entries[i].element = nil
	}
}

// ForgetFailures makes addresses Open whose outcome is Failed or Unknown, so that they are asked
// about again.
func (j *Journal) ForgetFailures() {
	for i, e := range j.entries {
		if e.State == Failed || e.State == Unknown {
			j.entries[i] = entry{}
		}
	}
}

// isTorn reports whether a line may be the beginning of an element that was cut.
func isTorn(line []byte) bool {
	return bytes.HasPrefix(line, []byte(`{"`)) && !json.Valid(line)
}
