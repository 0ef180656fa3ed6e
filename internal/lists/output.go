package lists

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"gatehouse/internal/lists/xlsx"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/problem"
)

// Output is a format in which the results of a command or the rows of a list are written. Commands,
// their help and completion, the manual, and the form of an export read everything about formats
// here.
type Output struct {
	Name  string // the value of --output, and the extension of a file
	About string // what it is for, in a few words

	// Of are the results that can have this format.
	Of Results
	// Drawn: the caller draws the results itself, and this package does not write them.
	Drawn bool
	// File: the bytes are not text, and must never go to a terminal.
	File bool
	// Stream: each result is written as soon as it is known. The other formats keep the order of
	// the question.
	Stream bool
	// JSON: control characters can be written as \u escapes without changing the meaning.
	JSON bool
	// Columns: columns can be chosen. The other formats have whole records.
	Columns bool
	// Sent: cells can be written as the service sent them.
	Sent bool
	// Shown: cells can be written as a screen shows them.
	Shown bool

	// MaxRows is how many rows the format has room for; more are refused. 0 is no limit.
	MaxRows int
	// MaxCharacters is how many characters a cell has room for; longer ones are cut. 0 is no limit.
	MaxCharacters int

	// independent: how a row is written does not depend on other rows.
	independent bool
	open        func(w io.Writer, s *Sheet) (encoder, error)
}

// Results says what kind of results a command has.
type Results uint8

// The kinds of results.
const (
	AnyResults Results = 1 << iota // one value or several
	Lists                          // rows that people work on in a spreadsheet
	Reports                        // text for a ticket
)

// The formats.
var (
	AsTable = &Output{
		Name: "table", About: "columns for people",
		Of: AnyResults, Drawn: true, Columns: true, Sent: true, Shown: true,
	}

	AsJSON = &Output{
		Name: "json", About: "one document, as the service sent it",
		Of: AnyResults, JSON: true, Sent: true, open: openArray,
	}

	AsNDJSON = &Output{
		Name: "ndjson", About: "one element per line, as soon as it is known",
		Of: AnyResults, JSON: true, Stream: true, Sent: true, open: openLines,
	}

	AsCSV = &Output{
		Name: "csv", About: "for scripts and spreadsheets",
		Of: AnyResults, Columns: true, Sent: true, Shown: true, independent: true, open: openCSV,
	}

	AsXLSX = &Output{
		Name: "xlsx", About: "for Excel and other spreadsheets",
		Of: Lists, File: true, Columns: true, Shown: true,
		MaxRows: xlsx.MaxRows, MaxCharacters: xlsx.MaxCharacters, open: openWorkbook,
	}

	AsMarkdown = &Output{
		Name: "markdown", About: "for a ticket",
		Of: Reports, Drawn: true, Sent: true,
	}
)

// outputs are all formats, in the order in which help lists them.
var outputs = []*Output{AsTable, AsJSON, AsNDJSON, AsCSV, AsXLSX, AsMarkdown}

// Outputs lists the formats for results of these kinds.
func Outputs(of Results) []*Output {
	isUnfit := func(o *Output) bool { return o.Of&(of|AnyResults) == 0 }
	return slices.DeleteFunc(slices.Clone(outputs), isUnfit)
}

// Exports lists the formats for a file of rows, those for spreadsheets first.
func Exports() []*Output {
	files := slices.DeleteFunc(Outputs(Lists), func(o *Output) bool { return o.Drawn })
	slices.Reverse(files)
	return files
}

// OutputNamed returns the format of a name, or nil if it is not among these.
func OutputNamed(name string, among []*Output) *Output {
	at := slices.IndexFunc(among, func(o *Output) bool { return o.Name == name })
	if at < 0 {
		return nil
	}
	return among[at]
}

// OutputOfFile returns the format for the extension of a file's name, or nil if it is not among
// these.
func OutputOfFile(name string, among []*Output) *Output {
	name = strings.ToLower(name)
	hasExtension := func(o *Output) bool { return strings.HasSuffix(name, o.Extension()) }
	at := slices.IndexFunc(among, hasExtension)
	if at < 0 {
		return nil
	}
	return among[at]
}

// Extension returns the extension of its files with the dot: ".csv".
func (o *Output) Extension() string { return "." + o.Name }

// OutputNames lists the names of formats.
func OutputNames(of []*Output) []string {
	names := make([]string, len(of))
	for i, o := range of {
		names[i] = o.Name
	}
	return names
}

// TooManyRowsError means that a format has no room for all rows. Nothing was written.
type TooManyRowsError struct {
	Output    *Output
	Rows, Max int
}

func (e *TooManyRowsError) Error() string {
	return fmt.Sprintf("%s has room for %s rows, and there are %s",
		e.Output.Name, human.Number(e.Max), human.Number(e.Rows))
}

// Explain says what to do about it.
func (e *TooManyRowsError) Explain() problem.Explanation {
	return problem.Explanation{
		Text: e.Error(),
		Hint: "Filter the list first, or choose another format.",
	}
}

// CheckRows returns a [*TooManyRowsError] if a format has no room for that many rows.
func (o *Output) CheckRows(rows int) error {
	if o.MaxRows > 0 && rows > o.MaxRows {
		return &TooManyRowsError{o, rows, o.MaxRows}
	}
	return nil
}
