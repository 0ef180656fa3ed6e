package grid

import (
	"fmt"

	"gatehouse/styles"
)

// table is a source of made-up rows; asked counts the rows that were asked for, and seen notes
// the columns if it is set.
type table struct {
	columns []Column
	rows    int
	cell    func(row, column int) Cell
	asked   int
	seen    map[int]bool
}

func (t *table) Len() int          { return t.rows }
func (t *table) Columns() []Column { return t.columns }

func (t *table) Cells(row int, columns []int, dst []Cell) []Cell {
	t.asked++
	for _, column := range columns {
		if t.seen != nil {
			t.seen[column] = true
		}
		dst = append(dst, t.cell(row, column))
	}
	return dst
}

// literal is a source of the rows of text that are given; "\x00" is a null, ""
// an empty text, and short rows lack cells.
func literal(columns []Column, rows ...[]string) Source {
	return literalSource{columns, rows}
}

type literalSource struct {
	columns []Column
	rows    [][]string
}

func (s literalSource) Len() int          { return len(s.rows) }
func (s literalSource) Columns() []Column { return s.columns }

func (s literalSource) Cells(row int, columns []int, dst []Cell) []Cell {
	var all []Cell
	for _, text := range s.rows[row] {
		switch text {
		case "\x00":
			all = append(all, Cell{State: Null})
		case "":
			all = append(all, Cell{State: Empty})
		default:
			all = append(all, Cell{Text: text})
		}
	}
	return Pick(all, columns, dst)
}

// numbered is a source whose every cell says where it is.
func numbered(rows, columns int) *table {
	t := &table{rows: rows, cell: func(row, column int) Cell {
		return Cell{Text: fmt.Sprintf("r%d c%d", row, column)}
	}}
	for i := range columns {
		t.columns = append(t.columns, Column{Heading: fmt.Sprintf("Column %d", i)})
	}
	return t
}

// shares looks like what a domain answers, with names in many scripts.
func shares() Source {
	columns := []Column{
		{Heading: "Name"}, {Heading: "Id", Numeric: true}, {Heading: "ShareDefault.Owner"},
		{Heading: "SpaceUsage.DiskUsage", Numeric: true}, {Heading: "TimeStamps.CreateTime"},
		{Heading: "Description"}, {Heading: "日本語の欄"}, {Heading: "Flag"},
	}
	names := []string{
		"Contracts", "東京オフィス", "Søren's brætspil", "مرحبا", "👨‍👩‍👧‍👦 Family", "🇩🇰 Danmark",
		"Cafe\u0301", "a\x1b[31mb\u202ec", "नमस्ते", "a very long name that goes on and on until it must be cut",
	}
	var rows [][]string
	for i := range 30 {
		row := []string{
			names[i%len(names)], fmt.Sprint(1 << (2 * i)), []string{"ada@harbor.example", "\x00", ""}[i%3],
			"635584236915068204", "2017-10-03T12:57:14.295242Z", "two\nlines", "値", "true",
		}
		rows = append(rows, row[:len(row)-i%7])
	}
	return literal(columns, rows...)
}

func dark() *styles.Theme  { return styles.New(styles.Options{}) }
func plain() *styles.Theme { return styles.New(styles.Options{NoColor: true}) }
