package domains

import (
	"cmp"
	"slices"

	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/safetext"
	"gatehouse/ui/grid"
)

// narrowWidth is the width in cells below which the cells of the grid have shorter texts.
const narrowWidth = 60

// domainSource is the source of the grid: a row for each domain, with the state of its gateway.
type domainSource struct{ *Model }

// Len implements [grid.Source].
func (l domainSource) Len() int { return len(l.domains) }

// Columns implements [grid.Source].
func (l domainSource) Columns() []grid.Column {
	var shown []grid.Column
	for _, c := range l.columns() {
		shown = append(shown, c.Column)
	}
	return shown
}

// Cells implements [grid.Source].
func (l domainSource) Cells(row int, columns []int, dst []grid.Cell) []grid.Cell {
	known, all := cmp.Or(l.gateways[l.addresses[row]], &gateway{}), l.columns()
	for _, at := range columns {
		dst = append(dst, all[at].cell(l, row, known))
	}
	return dst
}

// columns are the columns for which there is room.
func (l domainSource) columns() []column {
	if l.brief {
		return briefColumns
	}
	return columns
}

// column is a column of the list. To add one, add an entry to columns.
type column struct {
	grid.Column
	// spare columns are left out on narrow screens.
	spare bool
	// cell makes the cell of a row. known is what is known of the gateway of its domain, never
	// nil.
	cell func(l domainSource, row int, known *gateway) grid.Cell
	// said is a column for those who hear the list, once the gateway was asked: a clause, or "".
	// nil: another column says it.
	said func(known *gateway) string
}

// columns are all columns from left to right. briefColumns are those of narrow screens.
var (
	columns = []column{
		{Column: grid.Column{Heading: "Domain"}, cell: domainSource.name},
		{
			Column: grid.Column{Heading: "Shares", Numeric: true},
			cell:   domainSource.shares, said: (*gateway).sharesInWords,
		},
		{Column: grid.Column{Heading: "Size", Numeric: true}, cell: domainSource.size, spare: true},
		{Column: grid.Column{Heading: "Gateway"}, cell: domainSource.gateway, said: (*gateway).inWords},
	}
	briefColumns = slices.DeleteFunc(slices.Clone(columns), func(c column) bool { return c.spare })
)

// name is the name of a domain, with a sign after that of the primary one.
func (l domainSource) name(row int, _ *gateway) grid.Cell {
	name := grid.Cell{Text: hostname.Readable(l.domains[row])}
	if l.brief {
		name.Text = hostname.Short(l.domains[row])
	}
	if l.domains[row] == l.primary {
		name.Text += " " + l.env.Theme.Glyphs.Primary
		if !l.brief {
			name.Unit = "primary"
		}
	}
	return name
}

// shares is the number of shares.
func (l domainSource) shares(_ int, g *gateway) grid.Cell {
	if g.shares == nil {
		return grid.Cell{State: grid.Missing}
	}
	return grid.Cell{Text: g.shares.String(), Tone: g.tone()}
}

// size is the size of all shares together.
func (l domainSource) size(_ int, g *gateway) grid.Cell {
	if g.shares == nil || g.shares.Size == "" {
		return grid.Cell{State: grid.Missing}
	}
	size := g.shares.TotalSize()
	return grid.Cell{Text: size.Number, Unit: safetext.Pad(size.Unit, len("MB")), Tone: g.tone()}
}

// tone is the tone of the figures. They are muted if they are old.
func (g *gateway) tone() grid.Tone {
	if g.trouble != nil {
		return grid.Muted
	}
	return grid.Number
}

// gateway is the state of the gateway.
func (l domainSource) gateway(_ int, g *gateway) grid.Cell {
	switch {
	case g.verdict == nil && g.asking:
		return grid.Cell{Text: l.env.Theme.Glyphs.More + " asking", Tone: grid.Muted}
	case g.verdict == nil:
		return grid.Cell{State: grid.Missing}
	}
	text := g.verdict.text
	if l.brief {
		text = cmp.Or(g.verdict.brief, text)
	}
	if g.asking {
		text += " " + l.env.Theme.Glyphs.More
	}
	sign, tone, _ := g.verdict.mark.drawn(l.env.Theme)
	if g.verdict.mark == good {
		return grid.Cell{Text: sign, Unit: text, Tone: tone}
	}
	return grid.Cell{Text: sign + " " + text, Tone: tone}
}
