// Package batch asks the same question about many e-mail addresses: it reads their list,
// asks several at once at a limited rate, and keeps each answer in a journal, so that an
// interrupted batch can continue. The caller decides what is asked and how an answer looks.
package batch

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"gatehouse/internal/text/hostname"
)

const (
	// maxAddresses is the maximum number of addresses in a list.
	maxAddresses = 1_000_000
	// maxLine is the maximum size of a line in bytes.
	maxLine = 1 << 20
)

const tooLong = "this line is too long"

// headings are the names that the column of the addresses may have in a CSV.
var headings = []string{"email", "e-mail", "email address", "e-mail address"}

// List is the addresses of a batch, each once, in the order in which they were given.
type List struct {
	// Addresses are as they were written first. Some may be none, see [hostname.CleanEmail].
	Addresses []string

	index map[string]int // by address in lower case
}

// FileError says why a file cannot be used as a list or as a journal.
type FileError struct {
	Line   int // 0 if the reason concerns no line
	Reason string
}

// Error names the line and the reason.
func (e *FileError) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("line %d: %s", e.Line, e.Reason)
	}
	return e.Reason
}

// Find returns the index of an address in the list, without case.
func (l *List) Find(email string) (int, bool) {
	i, found := l.index[strings.ToLower(email)]
	return i, found
}

// add adds an address unless it is in the list.
func (l *List) add(email string) error {
	if _, found := l.Find(email); found {
		return nil
	}
	if len(l.Addresses) == maxAddresses {
		return &FileError{Reason: "it has more than 1,000,000 addresses"}
	}
	l.index[strings.ToLower(email)] = len(l.Addresses)
	l.Addresses = append(l.Addresses, email)
	return nil
}

// addText adds the addresses in a text unless that is blank.
func (l *List) addText(text string) error {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	for email := range hostname.Emails(text) { // one that is none is a result
		if err := l.add(strings.Clone(email.Address)); err != nil { // not the line that it stands in
			return err
		}
	}
	return nil
}

// Of makes a list of these addresses, also of one that is blank. It fails with a [*FileError]
// if there are too many.
func Of(emails []string) (*List, error) {
	l := &List{index: map[string]int{}}
	for _, email := range emails {
		if err := l.add(email); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// Read reads a list: one address or several a line, or a CSV with a header that names a column, which
// is "email", or a spelling of it, unless column says otherwise, without case. Commas, semicolons
// and tabs separate the fields of a CSV. Blank lines and those that begin with # are skipped, and
// repeated addresses. The text is UTF-8, or UTF-16 with a byte order mark.
//
// The errors are the reader's, and [*FileError].
func Read(in io.Reader, column string) (*List, error) {
	r := &listReader{
		in:   bufio.NewReaderSize(transform.NewReader(in, unicode.BOMOverride(transform.Nop)), maxLine),
		list: &List{index: map[string]int{}},
	}
	if err := r.read(column); !errors.Is(err, io.EOF) {
		return nil, err
	}
	if len(r.list.Addresses) == 0 {
		return nil, &FileError{Reason: "it has no address"}
	}
	return r.list, nil
}

type listReader struct {
	in   *bufio.Reader
	line int // number of the last line that was read
	list *List
}

func (r *listReader) read(column string) error {
	text, err := r.next()
	if err != nil {
		return err
	}
	names := headings
	if column != "" {
		names = []string{column}
	}
	separator, at, fields := findColumn(text, names)
	switch {
	case at >= 0 && len(fields) > 1:
		return r.readColumn(separator, at)
	case at >= 0: // one address a line below a heading
		text, err = r.next()
	case column != "" || len(fields) > 1 && !mayHaveEmail(text):
		return &FileError{Reason: fmt.Sprintf("it has no column %q; its first line is %.200q", names[0], text)}
	}
	for ; err == nil; text, err = r.next() {
		if err := r.list.addText(text); err != nil {
			return err
		}
	}
	return err
}

// mayHaveEmail reports whether a line has an at sign, however it is written.
func mayHaveEmail(line string) bool {
	email, _ := hostname.CleanEmail(line)
	return strings.Contains(email.Address, "@")
}

// next returns the next line that is neither blank nor a comment.
func (r *listReader) next() (string, error) {
	for {
		r.line++
		line, err := r.in.ReadSlice('\n')
		text := strings.TrimSpace(string(line))
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			return "", &FileError{Line: r.line, Reason: tooLong}
		case strings.Contains(text, "\x00"):
			return "", &FileError{Line: r.line, Reason: "this is not text"}
		case text != "" && text[0] != '#' && (err == nil || errors.Is(err, io.EOF)):
			return text, nil
		case err != nil:
			return "", err
		}
	}
}

// findColumn finds the first column in a header that has one of some names, and the separator of
// its fields. If there is none, at is -1 and fields are those of the separator that makes the
// most of them.
func findColumn(header string, names []string) (separator rune, at int, fields []string) {
	for _, separator := range ",;\t" {
		r := csv.NewReader(strings.NewReader(header))
		r.Comma, r.TrimLeadingSpace = separator, separator != '\t'
		found, err := r.Read()
		if err != nil {
			continue
		}
		for _, name := range names {
			isName := func(field string) bool { return strings.EqualFold(strings.TrimSpace(field), name) }
			if at := slices.IndexFunc(found, isName); at >= 0 {
				return separator, at, found
			}
		}
		if len(found) > len(fields) {
			fields = found
		}
	}
	return 0, -1, fields
}

// readColumn adds the addresses of a column of a CSV (RFC 4180).
func (r *listReader) readColumn(separator rune, column int) error {
	in := csv.NewReader(r.in)
	in.Comma, in.Comment, in.FieldsPerRecord = separator, '#', -1
	in.TrimLeadingSpace, in.ReuseRecord = separator != '\t', true
	for {
		fields, err := in.Read()
		wrong, isWrong := errors.AsType[*csv.ParseError](err)
		switch {
		case isWrong && (errors.Is(err, csv.ErrQuote) || errors.Is(err, csv.ErrBareQuote)):
			return &FileError{Line: r.line + wrong.StartLine, Reason: "a quote is not closed, or stands within a field"}
		case err != nil:
			return err
		case column >= len(fields):
			continue
		}
		if strings.Contains(fields[column], "\x00") {
			line, _ := in.FieldPos(column)
			return &FileError{Line: r.line + line, Reason: "this is not text"}
		}
		if err := r.list.addText(fields[column]); err != nil {
			return err
		}
	}
}
