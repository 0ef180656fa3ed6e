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
	// maxLine is how many bytes are read at once, maxRecord how many a line or a record of a CSV
	// may have.
	maxLine   = 64 << 10
	maxRecord = 1 << 20
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
		return &ListError{Reason: "it has more than 1,000,000 addresses", Hint: "Split the list."}
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
	text := &textInput{in: transform.NewReader(in, unicode.BOMOverride(transform.Nop))}
	r := &listReader{text: text, in: bufio.NewReaderSize(text, maxLine), list: &List{index: map[string]int32{}}}
	if err := r.read(column); err != nil {
		return nil, err
	}
	if len(r.list.Addresses) == 0 {
		return nil, &ListError{Reason: "it has no address"}
	}
	return r.list, nil
}

// textInput refuses what is not text, and a line or a quoted field that takes more than what is
// left.
type textInput struct {
	in    io.Reader
	left  int
	lines int  // that have been read
	last  byte // that is no line end
}

// Read implements [io.Reader].
func (t *textInput) Read(p []byte) (int, error) {
	if t.left <= 0 {
		return 0, &ListError{Line: t.lines + 1, Reason: "this line is too long, or a quote before it is never closed"}
	}
	n, err := t.in.Read(p)
	if at := bytes.IndexByte(p[:n], 0); at >= 0 {
		return 0, &ListError{Line: t.lines + bytes.Count(p[:at], []byte("\n")) + 1, Reason: "this is not text"}
	}
	t.left -= n
	t.lines += bytes.Count(p[:n], []byte("\n"))
	if text := bytes.TrimRight(p[:n], "\r\n"); len(text) > 0 {
		t.last = text[len(text)-1]
	}
	return n, err
}

type listReader struct {
	text *textInput
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
	case at >= 0 && len(names) > 1:
		return r.readColumn(separator, at)
	case at >= 0: // a name in quotes may stand before the address
		first, err = r.next()
	case column != "":
		return &ListError{Reason: fmt.Sprintf("it has no column %q; its first line is %s", column, quoted(names)), Hint: "Name the column of the addresses with --column."}
	case len(names) > 1 && !strings.Contains(first, "@"):
		return &ListError{Reason: fmt.Sprintf("it is a CSV without a column %q; its first line is %s", defaultColumn, quoted(names)), Hint: "Name the column of the addresses with --column."}
	}
	for ; err == nil; first, err = r.next() {
		if quoted := len(first) > 1 && first[0] == '"' && first[len(first)-1] == '"'; quoted {
			first = first[1 : len(first)-1]
		}
		if err := r.list.add(first); err != nil {
			return err
		}
	}
	return ended(err)
}

// next returns the next line that is neither blank nor a comment.
func (r *listReader) next() (string, error) {
	for {
		r.line++
		r.text.left = maxRecord
		line, err := r.in.ReadString('\n')
		text := strings.TrimSpace(line)
		switch {
		case err != nil && !errors.Is(err, io.EOF):
			return "", err
		case text != "" && text[0] != '#':
			return text, nil
		case err != nil:
			return "", err
		}
	}
}

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

// readColumn adds the addresses of a column of a CSV (RFC 4180), where a quote within a field is
// an ordinary character.
func (r *listReader) readColumn(separator byte, column int) error {
	in := csv.NewReader(r.in)
	in.Comma, in.Comment, in.FieldsPerRecord = rune(separator), '#', -1
	in.LazyQuotes, in.TrimLeadingSpace, in.ReuseRecord = true, separator != '\t', true
	open := 0 // the line of a last field that may be open
	for {
		r.text.left = maxRecord
		fields, err := in.Read()
		switch {
		case errors.Is(err, io.EOF) && open > 0 && r.text.last != '"':
			return &ListError{Line: open, Reason: "a quote is not closed"}
		case err != nil:
			return ended(err)
		}
		open = 0
		if last := len(fields) - 1; strings.Contains(fields[last], "\n") {
			open, _ = in.FieldPos(last)
			open += r.line
		}
		if column < len(fields) {
			if err := r.list.add(fields[column]); err != nil {
				return err
			}
		}
	}
}
