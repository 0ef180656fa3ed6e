package domains

import (
	"cmp"
	"slices"
	"time"

	"gatehouse/internal/hostname"
	"gatehouse/styles"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

// narrow is the width below which cells are put in fewer words.
const narrow = 60

// list shows the domains to the grid, each with how its gateway does.
type list struct {
	domains   []string
	addresses []string // of their gateways; "" where there is none
	primary   string
	looks     map[string]*look // by address
	glyphs    *styles.Glyphs
	narrow    bool
}

// Len implements [grid.Source].
func (l list) Len() int { return len(l.domains) }

// Columns implements [grid.Source]. On narrow screens the mark of the primary
// domain stands behind its name.
func (l list) Columns() []grid.Column {
	columns := []grid.Column{{Title: "Domain"}, {Title: ""}, {Title: "Shares", Numeric: true}, {Title: "Gateway"}}
	if l.narrow {
		return slices.Delete(columns, 1, 2)
	}
	return columns
}

// Cells implements [grid.Source].
func (l list) Cells(row int, dst []grid.Cell) []grid.Cell {
	found := l.looks[l.addresses[row]]
	if found == nil {
		found = &look{}
	}
	name, rank := l.name(row), grid.Cell{State: grid.Empty}
	if primary := l.domains[row] == l.primary; primary && l.narrow {
		name += " " + l.glyphs.Primary
	} else if primary {
		rank = grid.Cell{Text: l.glyphs.Primary + " primary"}
	}
	dst = append(dst, grid.Cell{Text: name})
	if !l.narrow {
		dst = append(dst, rank)
	}
	return append(dst, l.shares(found), l.gateway(found))
}

// name is a domain as it is shown.
func (l list) name(row int) string {
	if l.narrow {
		return hostname.Short(l.domains[row])
	}
	return hostname.Readable(l.domains[row])
}

func (l list) shares(found *look) grid.Cell {
	if found.count == nil {
		return grid.Cell{State: grid.Missing}
	}
	text := screen.Number(found.count.records)
	if found.count.more {
		text += "+"
	}
	if found.stale && !l.narrow {
		text += " at " + found.countedAt.Local().Format(time.TimeOnly)
	}
	return grid.Cell{Text: text}
}

func (l list) gateway(found *look) grid.Cell {
	switch {
	case found.verdict == nil && found.asking:
		return grid.Cell{Text: l.glyphs.More + " asking"}
	case found.verdict == nil:
		return grid.Cell{State: grid.Missing}
	}
	text := found.verdict.text
	if l.narrow {
		text = cmp.Or(found.verdict.brief, text)
	}
	text = found.verdict.mark.glyph(l.glyphs) + " " + text
	if found.asking {
		text += " " + l.glyphs.More
	}
	return grid.Cell{Text: text}
}
