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

// Output is a format that results are written in: those of a command, and the rows of a list.
// What commands, their help and completion, the manual, and the form of an export know of formats
// comes from here.
type Output struct {
	Name  string // the value of --output, and the end of a file's name
	About string // what it is for, in a few words

	// Of are the results that it can have.
	Of Results
	// Drawn is set where the one who shows the results draws them: nothing here writes them.
	Drawn bool
	// File is set where the bytes are no text, and so never go to a terminal.
	File bool
	// Stream is set where each result is written as soon as it is known, whatever order they
	// come in. In the others they have the order of the question.
	Stream bool
	// JSON is set where control characters can be written as \u escapes without a change of
	// meaning.
	JSON bool
	// Columns is set where columns can be chosen. The others have whole records.
	Columns bool
	// Sent and Shown say whether cells can be written as the service sent them, and as a screen
	// shows them.
	Sent, Shown bool

	// MaxRows and MaxCharacters are what the format has room for: rows, and characters of a
	// cell. 0 is no limit. Too many rows are refused, and longer cells are cut.
	MaxRows, MaxCharacters int

	// independent is set where a row is written in the same way whatever others there are.
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
	AsTable = &Output{Name: "table", About: "columns for people", Of: AnyResults, Drawn: true, Columns: true, Sent: true, Shown: true}

	AsJSON = &Output{Name: "json", About: "one document, as the service sent it", Of: AnyResults, JSON: true, Sent: true, open: openArray}

	AsNDJSON = &Output{
		Name: "ndjson", About: "one element per line, as soon as it is known",
		Of: AnyResults, JSON: true, Stream: true, Sent: true, open: openLines,
	}

	AsCSV = &Output{
		Name: "csv", About: "for scripts; with --as-shown for spreadsheets",
		Of: AnyResults, Columns: true, Sent: true, Shown: true, independent: true, open: openCSV,
	}

	AsXLSX = &Output{
		Name: "xlsx", About: "for Excel and other spreadsheets",
		Of: Lists, File: true, Columns: true, Shown: true,
		MaxRows: xlsx.MaxRows, MaxCharacters: xlsx.MaxCharacters, open: openWorkbook,
	}

	AsMarkdown = &Output{Name: "markdown", About: "for a ticket", Of: Reports, Drawn: true, Sent: true}
)

// outputs are all formats, in the order in which help lists them.
var outputs = []*Output{AsTable, AsJSON, AsNDJSON, AsCSV, AsXLSX, AsMarkdown}

// Outputs are the formats that results of some kinds can have.
func Outputs(of Results) []*Output {
	return slices.DeleteFunc(slices.Clone(outputs), func(o *Output) bool { return o.Of&(of|AnyResults) == 0 })
}

// Exports are the formats of a file of rows. What spreadsheets open comes first.
func Exports() []*Output {
	files := slices.DeleteFunc(Outputs(Lists), func(o *Output) bool { return o.Drawn })
	slices.Reverse(files)
	return files
}

// OutputNamed is the format of a name among some; nil if there is none.
func OutputNamed(name string, among []*Output) *Output {
	at := slices.IndexFunc(among, func(o *Output) bool { return o.Name == name })
	if at < 0 {
		return nil
	}
	return among[at]
}

// OutputOfFile is the format that the end of a file's name asks for; nil if that is none of them.
func OutputOfFile(name string, among []*Output) *Output {
	name = strings.ToLower(name)
	at := slices.IndexFunc(among, func(o *Output) bool { return strings.HasSuffix(name, o.Extension()) })
	if at < 0 {
		return nil
	}
	return among[at]
}

// Extension is how the names of its files end: ".csv".
func (o *Output) Extension() string { return "." + o.Name }

// OutputNames are the names of formats.
func OutputNames(of []*Output) []string {
	names := make([]string, len(of))
	for i, o := range of {
		names[i] = o.Name
	}
	return names
}

// TooManyRowsError says that a format has no room for all rows. Nothing was written.
type TooManyRowsError struct {
	Output    *Output
	Rows, Max int
}

func (e *TooManyRowsError) Error() string {
	return fmt.Sprintf("%s has room for %s rows, and there are %s", e.Output.Name, human.Number(e.Max), human.Number(e.Rows))
}

func (e *TooManyRowsError) Explain() problem.Explanation {
	return problem.Explanation{Text: e.Error(), Hint: "Filter the list first, or choose another format."}
}

// CheckRows returns a [*TooManyRowsError] if a format has no room for that many rows.
func (o *Output) CheckRows(rows int) error {
	if o.MaxRows > 0 && rows > o.MaxRows {
		return &TooManyRowsError{o, rows, o.MaxRows}
	}
	return nil
}
