package manual

import (
	"bytes"
	"regexp"
	"strings"
)

// lineLength is what mandoc accepts of a line of text.
const lineLength = 80

// head is the first line of a page, which cobra and md2man give the date in forms of their own.
var head = regexp.MustCompile(`(?m)^\.TH ("[^"]*") ("[^"]*") "[^"]*"`)

// option is a flag and what it does, as cobra writes them. What says no more than that there
// is no default is left out.
var option = regexp.MustCompile(`(?m)(?:\n\.PP)?\n(\\fB-.*?)(?:=""|\[=false\])?\n\t(.*)$`)

// columns is the last line of a table's form. Its last column takes the room that is left.
var columns = regexp.MustCompile(`(?m)^(l(?: l)*) \.$`)

// tidy gives a page the date of the release, as mandoc reads it, and options as a list, and
// folds its lines of text.
func tidy(roff []byte, r Release) []byte {
	roff = head.ReplaceAll(roff, []byte(`.TH $1 $2 "`+day(r)+`"`))
	roff = option.ReplaceAll(roff, []byte("\n.TP\n$1\n$2"))
	roff = columns.ReplaceAll(roff, []byte("${1}x ."))
	var out bytes.Buffer
	literal, tag := false, false // inside an example; the line before begins an item
	row := false                 // inside a table, where a line is a row but in a cell of its own
	for line := range strings.Lines(string(roff)) {
		line = strings.TrimRight(line, " \n")
		switch {
		case line == ".EX":
			literal = true
		case line == ".EE":
			literal = false
		case line == ".TS" || line == "T}":
			row = true
		case line == ".TE" || strings.HasSuffix(line, "T{"):
			row = false
		case row:
			line = inBlock(line)
		case !literal && !tag && !strings.HasPrefix(line, "."):
			line = fold(line)
		}
		tag = line == ".TP" // the next line is that of the list, whatever its length
		out.WriteString(line + "\n")
	}
	return out.Bytes()
}

// widest is what a cell may take of a line beside others, in bytes.
const widest = 30

// inBlock lets a long last cell of a row break into lines, which tbl does with blocks of text alone.
func inBlock(row string) string {
	before, cell, found := strings.Cut(row, "\t")
	if !found || len(cell) <= widest || strings.Contains(cell, "\t") {
		return row
	}
	return before + "\tT{\n" + fold(cell) + "\nT}"
}

// fold breaks a line of text at its spaces. A line must not begin with what would make it a request.
func fold(line string) string {
	var out strings.Builder
	for len(line) > lineLength {
		at := strings.LastIndexByte(line[:lineLength], ' ')
		if at <= 0 {
			break
		}
		out.WriteString(line[:at] + "\n")
		line = line[at+1:]
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			line = `\&` + line
		}
	}
	return out.String() + line
}

func day(r Release) string { return r.Time.UTC().Format("2006-01-02") }
