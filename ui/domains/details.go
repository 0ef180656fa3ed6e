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

// labelCells is how many cells stand before a value.
const labelCells = 12

// details is what is known of the domain under the cursor, to be drawn in a width.
func (m *Model) details(width int) []fields.Group {
	row, ok := m.grid.Selected()
	if !ok {
		return nil
	}
	about := fields.Group{Fields: []fields.Field{fields.Fact("Role", m.role(row))}}
	address := m.addresses[row]
	if address == "" {
		return []fields.Group{about, {Fields: []fields.Field{{Label: "Gateway", Text: noAddress, Role: fields.Aside}}}}
	}
	known := cmp.Or(m.gateways[address], &gateway{})
	reached := fields.Group{Fields: append([]fields.Field{addressOf("Gateway", address)}, known.reached(m.env.Theme)...)}
	if authority := m.session.Status().AuthorityURL; authority != "" {
		reached.Fields = append(reached.Fields, addressOf("Authority", authority))
	}
	groups := []fields.Group{about, reached}
	if known.shares == nil {
		return groups
	}
	return append(groups, known.counted(m.env.Theme, width-labelCells))
}

func addressOf(label, address string) fields.Field {
	return fields.Field{Label: label, Text: address, URL: address, Role: fields.Lead}
}

func (m *Model) role(row int) string {
	role := "secondary domain"
	switch m.primary {
	case m.domains[row]:
		role = "primary domain"
	case "": // there is none to be another one of
		role = "a domain"
	}
	if user := m.session.Status().Username; user != "" {
		role += " of " + safetext.Line(user)
	}
	return role
}

// noAddress is said of a gateway that cannot be asked.
const noAddress = "the profile has no address for it"

// reached is the state of a gateway, and what its last answer says.
func (g *gateway) reached(t *styles.Theme) []fields.Field {
	const below = " " // the label of what stands below the address
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
		list = append(list, fields.Field{Label: below, Text: g.certificate.String(), Role: fields.Aside})
	}
	switch {
	case g.trouble != nil:
		list = append(list, fields.Field{Label: below, Text: g.trouble.Sentence + " " + g.trouble.Hint})
	case g.clock.within > 0:
		list = append(list, g.clock.field(t))
	}
	return list
}

// field is how the clock of a gateway stands to this machine's.
func (c clock) field(t *styles.Theme) fields.Field {
	f := fields.Field{Label: " ", Text: "clock in sync", Role: fields.Aside}
	if text, state := check.ClockDifference(c.ahead, c.within); text != "" {
		f.Text = "clock " + text
		if state != check.OK {
			f.Text, f.Role = t.Glyphs.Warning+" "+f.Text, fields.Warn
		}
	}
	return f
}

// The name of a share may take minName cells, and up to maxName where these leave room for the
// longest bar beside it, and the size.
const (
	minName, maxName = 20, 40
	minBar, maxBar   = 5, 16
	sizeCells        = len("  999.9 PB")
)

// counted is how many shares there are, and how large they are: the largest with bars, which
// are left out where there is no room for them.
func (g *gateway) counted(t *styles.Theme, room int) fields.Group {
	counted := g.shares
	number := amount("Shares", counted.Count())
	if g.trouble != nil {
		number.Behind = []string{"from " + g.at.Local().Format(time.TimeOnly)}
	}
	if counted.Size == "" {
		return fields.Group{Fields: []fields.Field{number}}
	}
	list := []fields.Field{number, amount("Size", counted.TotalSize())}
	rows, most, largest, names := slices.Clone(counted.Largest), max(minName, min(room-maxBar-len("  ")-sizeCells, maxName)), "0", 0
	if others, size := counted.Others(); others > 0 && len(rows) > 0 {
		text := human.Count(others, "other", "others")
		if counted.IsLowerBound() {
			text = "others counted"
		}
		rows = append(rows, check.Share{Name: text, Size: size})
	}
	for i, row := range rows {
		rows[i].Name = safetext.Clip(row.Name, most)
		names = max(names, safetext.Width(rows[i].Name))
		if check.CompareDigits(row.Size, largest) > 0 {
			largest = row.Size
		}
	}
	for i, row := range rows {
		name, bar := t.Text, t.Number
		if i == len(counted.Largest) {
			name, bar = t.Muted, t.Muted
		}
		drawn := name.Render(safetext.Pad(row.Name, names)) + "  "
		if cells := min(room-names-len("  ")-sizeCells, maxBar); cells >= minBar {
			drawn += screen.Bar(t, bar, part(row.Size, largest), cells) + "  "
		}
		size, _ := human.SizeOf(row.Size)
		drawn += safetext.PadLeft(size.Number, len("999.9")) + " " + t.Muted.Render(size.Unit)
		list = append(list, fields.Field{Label: " ", Drawn: drawn})
	}
	return fields.Group{Fields: list}
}

// amount is a field that is not copied, as the row of its domain is.
func amount(label string, a human.Amount) fields.Field {
	return fields.Field{Label: label, Text: a.String(), Role: fields.Amount, Amount: a}
}

// part is how large one number is beside another, both in digits, at most 1.
func part(size, whole string) float64 {
	a, _ := strconv.ParseFloat(size, 64)
	b, _ := strconv.ParseFloat(whole, 64)
	if b <= 0 {
		return 0
	}
	return min(a/b, 1)
}

// lasting is what is known of the session, to be drawn in a width.
func (m *Model) lasting(width int) fields.Group {
	s := m.session.Status()
	life := fields.Field{Label: "Token", Text: token.TimeLeft(m.env, s), Drawn: token.Life(m.env, s, width-labelCells-len("ends"))}
	return fields.Group{Fields: append([]fields.Field{life}, token.Lasting(m.env, s, m.session.CanKeep(), nil)...)}
}

// groups draws groups in as many lines as they take.
func (m *Model) groups(groups []fields.Group, width int) []string {
	const most = 200
	return screen.Indented(fields.Lines(m.env.Theme, groups, width-2, most), 1)
}
