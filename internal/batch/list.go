// Package batch asks the same question about many e-mail addresses: it reads their list,
// asks several at once at a limited rate, and keeps each answer in a journal from which an
// interrupted batch goes on. What is asked, and how an answer looks, is the caller's.
package batch

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"gatehouse/internal/hostname"
)

const (
	// maxAddresses is the longest list.
	maxAddresses = 1_000_000
	// maxLine is how many bytes of a line are kept; the rest is read and dropped.
	maxLine = 64 << 10
	// maxField is how many bytes of a field are kept: room for an address and a name.
	maxField = 2 << 10
)

// defaultColumn is the column of a CSV that has the addresses, and spellings are other names
// of it, in the order in which they are looked for.
const defaultColumn = "email"

var spellings = []string{"e-mail", "email address", "e-mail address"}

// List is the addresses of a batch, each once, in the order in which they were given.
type List struct {
	// Addresses are as they were written first. Some may be none, see [hostname.ParseEmail].
	Addresses []string

	index map[string]int32 // by key
}

// ListError says why a list cannot be used.
type ListError struct {
	Line   int    // 0 if the reason concerns no line
	Reason string // completes a sentence that begins with the name of the file
	Hint   string // what to do, or ""
}

// Error names the line and the reason.
func (e *ListError) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("line %d: %s", e.Line, e.Reason)
	}
	return e.Reason
}

// key is what two spellings of an address have in common.
func key(email string) string { return strings.ToLower(email) }

// Find returns the index of an address in the list, without case.
func (l *List) Find(email string) (int, bool) {
	i, found := l.index[key(email)]
	return int(i), found
}

// Only makes a list of those addresses that are wanted, in the same order.
func (l *List) Only(wanted func(email string) bool) *List {
	part := &List{index: map[string]int32{}}
	for _, email := range l.Addresses {
		if wanted(email) {
			part.index[key(email)] = int32(len(part.Addresses))
			part.Addresses = append(part.Addresses, email)
		}
	}
	return part
}

// add adds the address in a text, unless the text is blank or the address is there.
func (l *List) add(text string) error {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	email, _ := hostname.ParseEmail(text)
	return l.keep(email)
}

// keep adds an address unless it is there.
func (l *List) keep(email string) error {
	k := key(email)
	if _, found := l.index[k]; found {
		return nil
	}
	if len(l.Addresses) == maxAddresses {
		return &ListError{Reason: "there are more than 1,000,000 addresses", Hint: "Split the list."}
	}
	email = strings.Clone(email) // not the line that it stands in
	if k == email {
		k = email
	}
	l.index[k] = int32(len(l.Addresses))
	l.Addresses = append(l.Addresses, email)
	return nil
}

// Of makes a list of these addresses, also of one that is blank. It fails with a [*ListError]
// if there are too many.
func Of(emails []string) (*List, error) {
	l := &List{index: map[string]int32{}}
	for _, email := range emails {
		if err := l.keep(email); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// Read reads a list: one address a line, or a CSV with a header that names a column, which
// is "email", or a spelling of it, unless column says otherwise, without case. Commas, semicolons and tabs
// separate the fields of a CSV. Blank lines and those that begin with # are skipped, and an
// address that has been there. The text is UTF-8, or UTF-16 with a byte order mark.
//
// Memory is needed for the addresses alone, however long the input or a line of it is. The
// errors are those of the reader, and [*ListError].
func Read(in io.Reader, column string) (*List, error) {
	decoded := transform.NewReader(in, unicode.BOMOverride(transform.Nop))
	r := &listReader{in: bufio.NewReaderSize(decoded, maxLine), list: &List{index: map[string]int32{}}}
	if err := r.read(column); err != nil {
		return nil, err
	}
	if len(r.list.Addresses) == 0 {
		return nil, &ListError{Reason: "there is no address in it"}
	}
	return r.list, nil
}

type listReader struct {
	in   *bufio.Reader
	line int // number of the last line that was begun
	list *List
}

func (r *listReader) read(column string) error {
	first, err := r.next()
	separators := ",;\t"
	if err == nil && len(first) == len("sep=;") && strings.EqualFold(first[:4], "sep=") { // a spreadsheet's
		separators = first[4:]
		first, err = r.next()
	}
	if err != nil {
		return ended(err)
	}
	separator, at, names := findColumn(first, cmp.Or(column, defaultColumn), separators)
	for i := 0; at < 0 && column == "" && i < len(spellings); i++ {
		separator, at, names = findColumn(first, spellings[i], separators)
	}
	switch {
	case at >= 0:
		return r.readColumn(separator, at)
	case column != "":
		return &ListError{Reason: fmt.Sprintf("it has no column %q; its first line is %s", column, quoted(names)), Hint: "Name the column that has the addresses with --column."}
	case len(names) > 1 && !strings.Contains(first, "@"):
		return &ListError{Reason: fmt.Sprintf("it is a CSV without a column %q; its first line is %s", defaultColumn, quoted(names)), Hint: "Name the column that has the addresses with --column."}
	}
	for ; err == nil; first, err = r.next() {
		if err := r.list.add(first); err != nil {
			return err
		}
	}
	return ended(err)
}

// next returns the next line that is neither blank nor a comment, without what exceeds
// maxLine.
func (r *listReader) next() (string, error) {
	for {
		r.line++
		line, err := r.in.ReadSlice('\n')
		text := string(bytes.TrimSpace(line))
		for isText(line) && errors.Is(err, bufio.ErrBufferFull) {
			line, err = r.in.ReadSlice('\n')
		}
		switch {
		case !isText(line):
			return "", &ListError{Line: r.line, Reason: "this is not text"}
		case err != nil && !errors.Is(err, io.EOF):
			return "", err
		case text != "" && text[0] != '#':
			return text, nil
		case err != nil:
			return "", err
		}
	}
}

func isText(line []byte) bool { return bytes.IndexByte(line, 0) < 0 }

// ended makes the end of the input no error.
func ended(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// findColumn finds a column in a header, and the separator that its fields have. If there is
// none, at is -1 and names are the fields with the separator that makes the most of them.
func findColumn(header, column, separators string) (separator byte, at int, names []string) {
	for _, separator := range []byte(separators) {
		r := csv.NewReader(strings.NewReader(header))
		r.Comma, r.LazyQuotes = rune(separator), true
		fields, err := r.Read()
		if err != nil {
			continue
		}
		for i := range fields {
			fields[i] = strings.TrimSpace(fields[i])
		}
		if at := slices.IndexFunc(fields, func(name string) bool { return strings.EqualFold(name, column) }); at >= 0 {
			return separator, at, fields
		}
		if len(fields) > len(names) {
			names = fields
		}
	}
	return 0, -1, names
}

// quoted lists the names of a header, of which there may be many.
func quoted(names []string) string {
	const most = 12
	var shown []string
	for _, name := range names[:min(len(names), most)] {
		shown = append(shown, fmt.Sprintf("%q", cutName(name)))
	}
	if len(names) > most {
		shown = append(shown, "…")
	}
	return strings.Join(shown, ", ")
}

func cutName(name string) string {
	const longest = 40
	if runes := []rune(name); len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return name
}

// field is one field of a CSV that is being read.
type field struct {
	column int // the one to read
	number int
	text   []byte // its beginning, if it is in the column
	quoted bool   // within quotes
	opened int    // the line in which the quotes were opened
	begun  bool   // something other than blanks has been read
}

// readColumn adds the addresses of a column of a CSV (RFC 4180). It reads bytes where
// [csv.Reader] reads a record as a whole, however long a quote that is never closed makes it.
func (r *listReader) readColumn(separator byte, column int) error {
	f := field{column: column}
	r.line++
	for {
		c, err := r.in.ReadByte()
		if err != nil {
			return r.endColumn(&f, err)
		}
		if c == 0 {
			return &ListError{Line: r.line, Reason: "this is not text"}
		}
		if c == '\n' {
			r.line++
		}
		switch {
		case f.quoted:
			r.readQuoted(&f, c)
		case c == '#' && f.number == 0 && !f.begun:
			if err := r.skipLine(); err != nil {
				return ended(err)
			}
			f = field{column: column}
		case c == '"' && !f.begun:
			f.quoted, f.begun, f.opened = true, true, r.line
		case c == separator || c == '\n':
			if err := r.endField(&f, c == '\n'); err != nil {
				return err
			}
		default:
			f.keep(c)
		}
	}
}

// endColumn adds the last field at the end of the CSV.
func (r *listReader) endColumn(f *field, err error) error {
	switch {
	case !errors.Is(err, io.EOF):
		return err
	case f.quoted:
		return &ListError{Line: f.opened, Reason: "a quote is opened and never closed"}
	}
	return r.list.add(string(f.text))
}

// endField adds a field if it is in the column, and begins the next one.
func (r *listReader) endField(f *field, ofRecord bool) error {
	var err error
	if f.number == f.column {
		err = r.list.add(string(f.text))
	}
	*f = field{column: f.column, number: f.number + 1, text: f.text[:0]}
	if ofRecord {
		f.number = 0
	}
	return err
}

// readQuoted takes a byte within quotes, where a doubled quote stands for one.
func (r *listReader) readQuoted(f *field, c byte) {
	if c != '"' {
		f.keep(c)
		return
	}
	if next, _ := r.in.Peek(1); len(next) == 0 || next[0] != '"' {
		f.quoted = false
		return
	}
	_, _ = r.in.Discard(1)
	f.keep('"')
}

// keep adds a byte to a field, if that is in the column and not too long.
func (f *field) keep(c byte) {
	f.begun = f.begun || c != ' ' && c != '\r'
	if f.number == f.column && len(f.text) < maxField {
		f.text = append(f.text, c)
	}
}

// skipLine reads to the end of a line.
func (r *listReader) skipLine() error {
	for {
		_, err := r.in.ReadSlice('\n')
		if !errors.Is(err, bufio.ErrBufferFull) {
			r.line++
			return err
		}
	}
}
