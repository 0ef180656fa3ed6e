package batch

import (
	"bufio"
	"bytes"
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

// maxLine is the maximum size of a line in bytes.
const maxLine = 1 << 20

const (
	tooLong = "this line is too long"
	notText = "this is not text"

	badQuote = "a quote is not closed, or stands within a field"
)

// headings are the names that the column of the addresses may have in a CSV.
var headings = []string{"email", "e-mail", "email address", "e-mail address"}

// Read reads a list: lines with one address or several, or a CSV. Blank lines and lines that begin
// with # are skipped. The text is UTF-8, or UTF-16 with a byte-order mark.
//
// In a CSV, column is the heading of the addresses, in any case. If it is "", the heading is
// "email" or another spelling of that. If there is no such heading, the addresses are in the column
// that has the most of them, and there need not be headings. Fields are separated by commas,
// semicolons or tabs; the first line may say by which ("sep=;").
//
// The errors are those of the reader, and [*FileError].
func Read(in io.Reader, column string) (*List, error) {
	decoded := transform.NewReader(in, unicode.BOMOverride(transform.Nop))
	r := &listReader{in: bufio.NewReaderSize(decoded, maxLine), list: newList()}
	start, _ := r.in.Peek(kindBytes)
	if refused := refusalOf(start); refused != nil {
		return nil, refused
	}
	if err := r.read(column); !errors.Is(err, io.EOF) {
		return nil, err
	}
	if l := r.list; l.Blank == l.Len() {
		return nil, &FileError{Reason: "it has no address"}
	}
	return r.list, nil
}

// listReader reads a list.
type listReader struct {
	in   *bufio.Reader
	line int // number of the last line that was read
	list *List
}

// read reads the whole list. It decides from the first lines whether that is a CSV. The error is
// never nil; it is [io.EOF] if all is well.
func (r *listReader) read(column string) error {
	text, err := r.next()
	if err == nil && namesSeparator(text) {
		text, err = r.next()
	}
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
		found := table{separator: separator, addresses: at, headings: fields}
		if column == "" {
			found.rivals = columnsNamed(fields, names, at)
		}
		return r.readTable(found, "")
	case len(fields) == 0 && strings.ContainsAny(text, separators) && !mayHaveEmail(text):
		return &FileError{Line: r.line, Reason: badQuote}
	case at >= 0: // a heading, with one address a line below it
		text, err = r.next()
	case column != "":
		return noColumn(column, text)
	default:
		if found, isTable := findAddresses(text, r.sample()); isTable && found.headings != nil {
			return r.readTable(found, "")
		} else if isTable {
			return r.readTable(found, text)
		}
		if len(fields) > 1 && !mayHaveEmail(text) {
			return noColumn(headings[0], text)
		}
	}
	for ; err == nil; text, err = r.next() {
		if err := r.list.addText(text, nil); err != nil {
			return err
		}
	}
	return err
}

// namesSeparator reports whether a line tells Excel the separator of a CSV, such as "sep=;". Such a
// line is skipped, as the lines below show which separator they have.
func namesSeparator(line string) bool {
	line = strings.Trim(line, "\"")
	const begin = "sep="
	return len(line) == len(begin)+1 && strings.EqualFold(line[:len(begin)], begin)
}

// mayHaveEmail reports whether a line has an at sign, in any of the ways in which people write one.
func mayHaveEmail(line string) bool {
	email, _ := hostname.CleanEmail(line)
	return strings.Contains(email.Address, "@")
}

// noColumn says that a list has no column with a name.
func noColumn(name, firstLine string) *FileError {
	const reason = "it has no column %q; its first line is %.200q"
	return &FileError{Reason: fmt.Sprintf(reason, name, strings.TrimSpace(firstLine))}
}

// next returns the next line that is neither blank nor a comment, without its end.
func (r *listReader) next() (string, error) {
	for {
		r.line++
		line, err := r.in.ReadSlice('\n')
		text := strings.TrimRight(string(line), "\r\n")
		switch bare := strings.TrimSpace(text); {
		case errors.Is(err, bufio.ErrBufferFull):
			return "", &FileError{Line: r.line, Reason: tooLong}
		case strings.Contains(text, "\x00"):
			return "", &FileError{Line: r.line, Reason: notText}
		case bare != "" && bare[0] != '#' && (err == nil || errors.Is(err, io.EOF)):
			return text, nil
		case err != nil:
			return "", err
		}
	}
}

// sampleSize is the number of bytes in which the column of the addresses is searched.
const sampleSize = 64 << 10

// sample returns the next complete lines, which will be read again.
func (r *listReader) sample() string {
	text, err := r.in.Peek(sampleSize)
	if err == nil {
		text = text[:bytes.LastIndexByte(text, '\n')+1]
	}
	return string(text)
}

// table is the layout of a CSV.
type table struct {
	separator rune
	addresses int      // the column with the addresses
	headings  []string // nil if the first line has values
	rivals    []int    // other columns that may have been meant
}

// isOneOf reports whether a field is one of some names, whatever its case.
func isOneOf(names []string, field string) bool {
	field = strings.TrimSpace(field)
	isField := func(name string) bool { return strings.EqualFold(field, name) }
	return slices.ContainsFunc(names, isField)
}

// findColumn finds the first column in a header that has one of some names, the first name first,
// and the separator of its fields. If there is none, at is -1, and fields are those of the
// separator with the most fields.
func findColumn(header string, names []string) (separator rune, at int, fields []string) {
	for _, separator := range separators {
		found, err := newCSV(strings.NewReader(header), separator).Read()
		if err != nil {
			continue
		}
		for _, name := range names {
			isName := func(field string) bool { return isOneOf([]string{name}, field) }
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

// columnsNamed are the columns with one of some names, except for one column.
func columnsNamed(fields, names []string, except int) (others []int) {
	for at, field := range fields {
		if at != except && isOneOf(names, field) {
			others = append(others, at)
		}
	}
	return others
}

// separators are the characters that may separate the fields of a CSV.
const separators = ",;\t"

// newCSV makes a reader of a CSV (RFC 4180) whose lines may have any number of fields.
func newCSV(in io.Reader, separator rune) *csv.Reader {
	r := csv.NewReader(in)
	r.Comma, r.Comment, r.FieldsPerRecord = separator, '#', -1
	r.TrimLeadingSpace = separator != '\t'
	return r
}

// findAddresses finds the column of a CSV that has the most addresses in the first line and a
// sample of those that follow. isTable is false if as many addresses are found in lines without
// columns.
func findAddresses(first, sample string) (found table, isTable bool) {
	minHits := 0
	for line := range strings.Lines(first + "\n" + sample) {
		minHits += addressesAlone(line)
	}
	for _, separator := range separators {
		records := recordsOf(first+"\n"+sample, separator)
		if len(records) == 0 {
			continue
		}
		hasHeadings := len(records[0]) > 1 && !slices.ContainsFunc(records[0], mayHaveEmail)
		column, hits, rivals := mostAddresses(records)
		if hits == 0 || hits <= minHits && !hasHeadings {
			continue
		}
		minHits, isTable = max(hits, minHits), true
		found = table{separator: separator, addresses: column, rivals: rivals}
		if hasHeadings {
			found.headings = records[0]
		}
	}
	return found, isTable
}

// addressesAlone is the number of addresses in a line that has nothing else; 0 for a row of a
// table.
func addressesAlone(line string) (n int) {
	if email, err := hostname.CleanEmail(line); err == nil && email.Off.Has(hostname.OffCells) {
		return 0
	}
	for _, err := range hostname.Emails(line) {
		if err != nil {
			return 0
		}
		n++
	}
	return n
}

// recordsOf are the records of a CSV up to the first one that cannot be read. That error is found
// again when the whole file is read.
func recordsOf(text string, separator rune) (records [][]string) {
	in := newCSV(strings.NewReader(text), separator)
	for {
		record, err := in.Read()
		if err != nil {
			return records
		}
		records = append(records, record)
	}
}

// mostAddresses returns the first column with the most addresses, and how many these are. rivals
// are the other columns with as many.
func mostAddresses(records [][]string) (column, hits int, rivals []int) {
	var counts []int
	for _, record := range records {
		counts = append(counts, make([]int, max(len(record)-len(counts), 0))...)
		for at, field := range record {
			if isAddress(field) {
				counts[at]++
			}
		}
	}
	for at, count := range counts {
		switch {
		case count > hits:
			column, hits, rivals = at, count, nil
		case count == hits && count > 0:
			rivals = append(rivals, at)
		}
	}
	return column, hits, rivals
}

// isAddress reports whether a text is a valid e-mail address.
func isAddress(text string) bool {
	_, err := hostname.ParseEmail(text)
	return err == nil
}

// readTable adds the lines of a CSV. first is a line of it that has been read already; "" for none.
func (r *listReader) readTable(t table, first string) error {
	before := io.Reader(strings.NewReader(""))
	if first != "" {
		before = strings.NewReader(first + "\n")
		r.line--
	}
	l := r.list
	l.AddressColumn, l.Columns = t.addresses, []string{}
	l.addColumns(t.headings)
	for _, at := range t.rivals {
		l.addColumns(make([]string, max(at+1-len(l.Columns), 0)))
		l.Rivals = append(l.Rivals, l.Columns[at])
	}
	in := newCSV(io.MultiReader(before, r.in), t.separator)
	in.ReuseRecord = true
	for {
		fields, err := in.Read()
		wrong, isWrong := errors.AsType[*csv.ParseError](err)
		switch {
		case isWrong && (errors.Is(err, csv.ErrQuote) || errors.Is(err, csv.ErrBareQuote)):
			return &FileError{Line: r.line + wrong.StartLine, Reason: badQuote}
		case err != nil:
			return err
		}
		for at, field := range fields {
			if strings.Contains(field, endOfCell) {
				line, _ := in.FieldPos(at)
				return &FileError{Line: r.line + line, Reason: notText}
			}
		}
		if fields = withoutBlanks(fields); len(fields) == 0 {
			continue
		}
		if len(fields) > maxColumns {
			line, _ := in.FieldPos(0)
			return &FileError{Line: r.line + line, Reason: "this line has too many columns"}
		}
		l.addColumns(make([]string, max(len(fields)-len(l.Columns), 0)))
		address := ""
		if l.AddressColumn < len(fields) {
			address = fields[l.AddressColumn]
		}
		if err := l.addText(address, fields); err != nil {
			return err
		}
	}
}

// maxColumns is the maximum number of columns of a file.
const maxColumns = 1_000

// withoutBlanks are the fields of a line without the blank ones at its end.
func withoutBlanks(fields []string) []string {
	for n := len(fields); n > 0; n-- {
		if strings.TrimSpace(fields[n-1]) != "" {
			return fields[:n]
		}
	}
	return nil
}
