// Package batch asks the same question about many e-mail addresses: it reads their list,
// asks several at once at a limited rate, and keeps each answer in a journal, so that an
// interrupted batch can continue. The caller decides what is asked and how an answer looks.
package batch

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"gatehouse/internal/text/hostname"
)

// maxAddresses is the maximum number of addresses in a list.
const maxAddresses = 1_000_000

// List is the list of a batch: the lines of a file, or of a text that a person has typed, and the
// addresses in them. Each address is there once, in the order in which it first appears.
type List struct {
	// Addresses are written as they first appear. Some may be invalid, see [hostname.CleanEmail].
	Addresses []string
	// Columns are the headings of a file with several columns, in its order, each of them
	// different; nil for a list that has nothing but addresses. A column without a heading has its
	// number instead.
	Columns []string
	// AddressColumn is the index in Columns of the column with the addresses.
	AddressColumn int
	// Rivals are the headings of other columns that may have been meant, because they have such a
	// heading too, or as many addresses. There are none if the caller has named the column.
	Rivals []string
	// File is the name of the file without its folder; "" if the list was typed, pasted or piped.
	File string
	// Blank is the number of lines without an address. Their address is "".
	Blank int
	// NotUTF8 means that a cell or heading is not UTF-8. Its encoding is not known, so it stays as
	// it is.
	NotUTF8 bool

	index map[string]int // the addresses, by their text in lower case
	lines []int32        // the address of each line
	first []int32        // the first line of each address
	more  map[int][]int  // the other lines of a repeated address
	cells []string       // the cells of each line, joined by endOfCell; nil without Columns
}

// endOfCell separates the cells of a line. No text contains it.
const endOfCell = "\x00"

// FileError says why a file cannot be used as a list or as a journal.
type FileError struct {
	Line   int // 0 if the reason is not about a line
	Reason string
	// Step is a sentence without its full stop, which says what to do if another program can turn
	// the file into a list; "" for other files.
	Step string
	// Packed is set for a compressed file, which a command can read as it is unpacked.
	Packed bool
}

// Error names the line and the reason.
func (e *FileError) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("line %d: %s", e.Line, e.Reason)
	}
	return e.Reason
}

// Find returns the index of an address in the list, whatever its case.
func (l *List) Find(email string) (int, bool) {
	i, found := l.index[strings.ToLower(email)]
	return i, found
}

// Len is the number of lines, with those that repeat an address.
func (l *List) Len() int { return len(l.lines) }

// AddressOf is the index of the address in a line.
func (l *List) AddressOf(line int) int { return int(l.lines[line]) }

// LinesOf are the lines with an address, in ascending order.
func (l *List) LinesOf(address int) []int {
	return append([]int{int(l.first[address])}, l.more[address]...)
}

// Count is the number of lines with an address.
func (l *List) Count(address int) int { return 1 + len(l.more[address]) }

// Repeated is the number of lines with an address that is in an earlier line.
func (l *List) Repeated() int { return l.Len() - len(l.Addresses) - max(l.Blank-1, 0) }

// Row is a line of a file with several columns.
func (l *List) Row(line int) Row {
	if l.Columns == nil {
		return Row{}
	}
	values := strings.Split(l.cells[line], endOfCell)
	values = append(values, make([]string, max(len(l.Columns)-len(values), 0))...)
	return Row{Columns: l.Columns, Values: values}
}

// add adds a line with an address. cells are those of the line, in a list with several columns.
func (l *List) add(email string, cells []string) error {
	if len(l.lines) == maxAddresses {
		return &FileError{Reason: "it has more than 1,000,000 addresses"}
	}
	line := len(l.lines)
	address, found := l.Find(email)
	if found {
		l.more[address] = append(l.more[address], line)
	} else {
		address = len(l.Addresses)
		l.index[strings.ToLower(email)] = address
		l.Addresses = append(l.Addresses, email)
		l.first = append(l.first, int32(line))
	}
	l.lines = append(l.lines, int32(address))
	if email == "" {
		l.Blank++
	}
	if l.Columns != nil {
		joined := strings.Join(cells, endOfCell)
		l.NotUTF8 = l.NotUTF8 || !utf8.ValidString(joined)
		l.cells = append(l.cells, joined)
	}
	return nil
}

// addText adds the addresses in a text, each as a line of its own, or a line without an address if
// the text is blank. Invalid addresses are added as well. The addresses are cloned, because the
// text may be much longer.
func (l *List) addText(text string, cells []string) error {
	if strings.TrimSpace(text) == "" {
		return l.add("", cells)
	}
	for email := range hostname.Emails(text) {
		if err := l.add(strings.Clone(email.Address), cells); err != nil {
			return err
		}
	}
	return nil
}

// newList makes an empty list.
func newList() *List { return &List{index: map[string]int{}, more: map[int][]int{}} }

// Of makes a list of some addresses, which may be blank or invalid. It fails with a [*FileError] if
// there are too many.
func Of(emails []string) (*List, error) {
	l := newList()
	for _, email := range emails {
		if err := l.add(email, nil); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// addColumns adds columns with some headings. A column gets its number as a heading if it has none,
// and behind its heading if another column has the same.
func (l *List) addColumns(headings []string) {
	for _, heading := range headings {
		heading = strings.TrimSpace(heading)
		if heading == "" || slices.Contains(l.Columns, heading) {
			heading = strings.TrimSpace(fmt.Sprintf("%s column %d", heading, len(l.Columns)+1))
		}
		l.NotUTF8 = l.NotUTF8 || !utf8.ValidString(heading)
		l.Columns = append(l.Columns, heading)
	}
}
