package domains

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"gatehouse/internal/desk/check"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
	"gatehouse/styles"
	"gatehouse/ui/fields"
	"gatehouse/ui/screen"
	"gatehouse/ui/token"
)

// labelCells is the width of the labels before the values.
const labelCells = 12

// details are the fields that say what is known of a domain.
type details struct {
	title string // of the group of about; "" for none

	about   []fields.Field // the domain itself
	reached []fields.Field // how its gateway is reached
	shares  []fields.Field // how many shares it has, and how large they are; nil if that is unknown
	largest []fields.Field // a row for each of the largest shares
}

// groups are the groups of details that have fields.
func (d *details) groups() []fields.Group {
	groups := []fields.Group{
		{Title: d.title, Fields: d.about},
		{Fields: d.reached},
		{Fields: slices.Concat(d.shares, d.largest)},
	}
	isEmpty := func(g fields.Group) bool { return len(g.Fields) == 0 }
	return slices.DeleteFunc(groups, isEmpty)
}

// details are what is known of the domain under the cursor, for a pane of width cells; without
// fields if there is no domain.
func (m *Model) details(width int) *details {
	d := &details{}
	row, ok := m.grid.Selected()
	if !ok {
		return d
	}
	d.about = []fields.Field{fields.Fact("Role", m.role(row))}
	address := m.addresses[row]
	if address == "" {
		d.reached = []fields.Field{{Label: "Gateway", Text: noAddress, Role: fields.Aside}}
		return d
	}
	known := cmp.Or(m.gateways[address], &gateway{})
	d.reached = append(d.reached, urlField("Gateway", address))
	d.reached = append(d.reached, known.reached(m.env.Theme)...)
	if authority := m.session.Status().AuthorityURL; authority != "" {
		d.reached = append(d.reached, urlField("Authority", authority))
	}
	if known.shares != nil {
		d.shares = known.counted()
		d.largest = largest(m.env.Theme, known.shares, width-labelCells)
	}
	return d
}

// urlField is a field whose value is a URL that can be opened.
func urlField(label, url string) fields.Field {
	return fields.Field{Label: label, Text: url, URL: url, Role: fields.Lead}
}

// role says which domain of the user a row is: "primary domain of ann@harbor.example".
func (m *Model) role(row int) string {
	role := "secondary domain"
	switch m.primary {
	case m.domains[row]:
		role = "primary domain"
	case "": // it is not known which one is the primary domain
		role = "a domain"
	}
	if user := m.session.Status().Username; user != "" {
		role += " of " + safetext.Line(user)
	}
	return role
}

// noAddress says why a gateway cannot be asked.
const noAddress = "the profile has no address for it"

// below is the label of a field that continues the one above it.
const below = " "

// reached are the fields below the URL of a gateway: its state, its certificate, and what is wrong
// with it or how its clock differs; nil if it was not asked.
func (g *gateway) reached(t *styles.Theme) []fields.Field {
	if g.verdict == nil {
		if g.asking {
			return []fields.Field{{Label: below, Text: "asking" + t.Glyphs.More, Role: fields.Aside}}
		}
		return nil
	}
	sign, _, _ := g.verdict.mark.drawn(t)
	state := fields.Field{Label: below, Text: sign + " " + g.state(), Role: fields.Bad}
	switch g.verdict.mark {
	case good:
		state.Role, state.Behind = fields.Good, []string{human.Took(g.latency)}
	case slow, warning:
		state.Role = fields.Warn
	}
	list := []fields.Field{state}
	if g.certificate != nil {
		text := g.certificate.String()
		list = append(list, fields.Field{Label: below, Text: text, Role: fields.Aside})
	}
	switch {
	case g.trouble != nil:
		list = append(list, fields.Field{Label: below, Text: g.trouble.Sentence + " " + g.trouble.Hint})
	case g.clock.within > 0:
		list = append(list, g.clock.field(t))
	}
	return list
}

// field says how the clock of a gateway differs from that of this machine.
func (c clock) field(t *styles.Theme) fields.Field {
	f := fields.Field{Label: below, Text: "clock in sync", Role: fields.Aside}
	if text, state := check.ClockDifference(c.ahead, c.within); text != "" {
		f.Text = "clock " + text
		if state != check.OK {
			f.Text, f.Role = t.Glyphs.Warning+" "+f.Text, fields.Warn
		}
	}
	return f
}

// The width of the parts of a row that shows the size of a share: its name, a bar and its size. A
// name takes more than minName cells only if there is room for the longest bar as well.
const (
	minName, maxName = 20, 40
	minBar, maxBar   = 5, 16
	barGap           = "  "
	sizeCells        = len("  999.9 PB")
)

// counted says how many shares there are and how large they are.
func (g *gateway) counted() []fields.Field {
	number := amount("Shares", g.shares.Count())
	if g.trouble != nil {
		number.Behind = []string{"from " + g.at.Local().Format(time.TimeOnly)}
	}
	if g.shares.Size == "" {
		return []fields.Field{number}
	}
	return []fields.Field{number, amount("Size", g.shares.TotalSize())}
}

// largest are the rows for the largest shares, and one for all others together. room is the width
// of the values in cells. The bars are left out if there is no room for them.
func largest(t *styles.Theme, counted *check.ShareCount, room int) []fields.Field {
	rows := slices.Clone(counted.Largest)
	if others, size := counted.Others(); others > 0 && len(rows) > 0 {
		text := human.Count(others, "other", "others")
		if counted.IsLowerBound() {
			text = "others counted"
		}
		rows = append(rows, check.Share{Name: text, Size: size})
	}
	roomForName := room - maxBar - len(barGap) - sizeCells
	maxNameCells := max(minName, min(roomForName, maxName))
	nameCells, largest := 0, "0"
	for i, row := range rows {
		rows[i].Name = safetext.Clip(row.Name, maxNameCells)
		nameCells = max(nameCells, safetext.Width(rows[i].Name))
		if check.CompareDigits(row.Size, largest) > 0 {
			largest = row.Size
		}
	}
	barCells := min(room-nameCells-len(barGap)-sizeCells, maxBar)
	var list []fields.Field
	for i, row := range rows {
		name, bar := t.Text, t.Number
		isOthers := i == len(counted.Largest)
		if isOthers {
			name, bar = t.Muted, t.Muted
		}
		drawn := name.Render(safetext.Pad(row.Name, nameCells)) + barGap
		if barCells >= minBar {
			drawn += screen.Bar(t, bar, fraction(row.Size, largest), barCells) + barGap
		}
		size, _ := human.SizeOf(row.Size)
		number := safetext.PadLeft(size.Number, len("999.9"))
		drawn += number + " " + t.Muted.Render(size.Unit)
		list = append(list, fields.Field{Label: below, Drawn: drawn})
	}
	return list
}

// amount is a field with a number and its unit.
func amount(label string, a human.Amount) fields.Field {
	return fields.Field{Label: label, Text: a.String(), Role: fields.Amount, Amount: a}
}

// fraction is the fraction that a size is of the whole, at most 1. Both are decimal numbers.
func fraction(size, whole string) float64 {
	a, _ := strconv.ParseFloat(size, 64)
	b, _ := strconv.ParseFloat(whole, 64)
	if b <= 0 {
		return 0
	}
	return min(a/b, 1)
}

// lasting says how long the session lasts, for a pane of width cells.
func (m *Model) lasting(width int) fields.Group {
	s := m.session.Status()
	life := fields.Field{
		Label: "Token",
		Text:  token.TimeLeft(m.env, s),
		Drawn: token.Life(m.env, s, width-labelCells-len("ends")),
	}
	others := token.Lasting(m.env, s, m.session.CanKeep(), nil)
	return fields.Group{Fields: append([]fields.Field{life}, others...)}
}

// groups draws groups of fields in as many lines as they need.
func (m *Model) groups(groups []fields.Group, width int) []string {
	const maxLines = 200
	return screen.Indented(fields.Lines(m.env.Theme, groups, width-2, maxLines), 1)
}
