package check

import (
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/desk/check"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
	"gatehouse/ui/fields"
	"gatehouse/ui/screen"
)

const tenth = 100 * time.Millisecond

// minDetail is the number of lines that the detail of a check needs.
const minDetail = 5

// below is what stands under the rows, as far as there is room: the detail of the check under the
// cursor, and the tally of all checks. What panes show is left out.
func (c *card) below(width, height int) []string {
	found := c.selected()
	if found == nil || height < 2 {
		return nil
	}
	lines, tally := []string{""}, []string{screen.Cut(" "+c.tally(), width)}
	if c.inPane {
		tally = nil
	}
	if room := height - len(lines) - len(tally); room > minDetail && !c.hasSide {
		lines = append(lines, " "+screen.Section(c.env.Theme, name(found.ID), width-1))
		facts := []fields.Group{c.facts(found)}
		lines = append(lines, screen.Indented(fields.Lines(c.env.Theme, facts, width-1, room-1), 1)...)
	}
	return append(lines, tally...)
}

// detailPane is the pane around the detail of a check.
func (c *card) detailPane(found *check.Check) screen.Pane {
	t := c.env.Theme
	note := safetext.Clip(found.Host, maxName)
	if found.Status != 0 && note != "" {
		note += t.Between() + strconv.Itoa(found.Status)
	}
	return screen.Pane{Title: name(found.ID), Note: note, Padding: 1}
}

// tally says how many checks there are, and how many are in each state.
func (c *card) tally() string {
	t := c.env.Theme
	line := t.Muted.Render(c.counted()) + "  " + t.Faint.Render(t.Glyphs.Separator)
	for s, n := range c.outcomes() {
		_, style := Mark(t, s)
		line += "  " + style.Render(s.Counted(n))
	}
	return line
}

// tallyInWords is the tally for those who hear it.
func (c *card) tallyInWords() string {
	parts := []string{}
	for s, n := range c.outcomes() {
		parts = append(parts, s.Counted(n))
	}
	return c.counted() + ": " + strings.Join(parts, ", ")
}

// counted says how many checks there are, and how long they took.
func (c *card) counted() string {
	text := human.Count(len(c.report.Checks), "check", "checks")
	if c.run == nil {
		text += " in " + human.Took(time.Duration(c.report.MS)*time.Millisecond)
	}
	return text
}

// outcomes yields the states that checks are in, the best first, and how many are in each.
func (c *card) outcomes() iter.Seq2[check.State, int] {
	counts := map[check.State]int{}
	for _, found := range c.report.Checks {
		counts[found.State]++
	}
	return func(yield func(check.State, int) bool) {
		for _, s := range []check.State{
			check.OK, check.Info, check.Warn, check.Fail, check.Unknown, check.Skipped, check.Running,
		} {
			if counts[s] > 0 && !yield(s, counts[s]) {
				return
			}
		}
	}
}

// facts are the fields with what is known of a check.
func (c *card) facts(found *check.Check) fields.Group {
	g := fields.Group{}
	for _, fact := range found.Detail {
		f := c.fact(fact)
		if fact.Name == check.FactErrorCode && found.State == check.Fail {
			f.Role = fields.Bad
		}
		g.Fields = append(g.Fields, f)
	}
	if found.Because != "" {
		g.Fields = append(g.Fields, fields.Fact("Because of", name(found.Because)))
	}
	if len(g.Fields) == 0 {
		g.Fields = append(g.Fields, fields.Fact("Result", c.result(found)))
	}
	return g
}

// fact is the field of one fact about a check, as people read it.
func (c *card) fact(fact check.Fact) fields.Field {
	f := fields.Fact(screen.Capital(fact.Label()), fact.Text())
	f.What = "the " + fact.Label()
	if at, ok := fact.Time(); ok {
		f.Text = human.Time(at, time.Local)
		f.Behind = []string{human.AgeInWords(at, c.env.Now())}
	} else if amount, ok := fact.Amount(); ok {
		f.Role, f.Amount = fields.Amount, amount
	}
	if f.Copied = f.Text; f.Text == "" {
		f.Text, f.Role = "none", fields.Absent
	}
	return f
}

// detail is the screen with all that is known of one check.
type detail struct {
	screen.Base
	fields.List
	card *card
	id   string
}

// renew shows what is known of the check now.
func (d *detail) renew() {
	if found := d.check(); found != nil {
		facts := d.card.facts(found)
		if len(found.Summary) > 0 {
			facts.Fields = slices.Insert(facts.Fields, 0, fields.Fact("Result", d.card.result(found)))
		}
		d.Set([]fields.Group{facts})
	}
}

// check is the check as it is known now, nil if it is not in the report any more.
func (d *detail) check() *check.Check {
	at := d.card.find(d.id)
	if at < 0 {
		return nil
	}
	return &d.card.report.Checks[at]
}

func (d *detail) Actions() []screen.Action {
	f := d.Selected()
	copyValue := screen.Action{
		ID:     screen.CheckCopy,
		Reason: screen.If(f == nil, "there is no value here"),
		Run:    func() tea.Cmd { return d.card.env.Root.Copy(f.Copied, f.What) },
	}
	open := screen.Action{
		ID:     screen.CheckOpen,
		Reason: "this is all that is known of the check",
		Quiet:  true,
	}
	return slices.Concat([]screen.Action{copyValue, open}, d.card.ofReport(), d.Moves())
}

// Settle implements [screen.Screen].
func (d *detail) Settle(room screen.Room) {
	d.renew()
	d.List.Settle(room)
}

// Frame implements [screen.Screen].
func (d *detail) Frame() screen.Frame { return screen.InPane }

// Beside implements [screen.Screen].
func (d *detail) Beside(width int) int { return d.List.Beside(width) }

// View implements [screen.Screen]. The border says how the check came out.
func (d *detail) View() screen.View {
	v := screen.View{
		Title:  title,
		Inside: func() []string { return []string{d.card.report.Email, name(d.id)} },
		Body:   &d.List,
		Side:   d.Explained(),
		Wheel:  d.List.Wheel,
	}
	if found := d.check(); found != nil {
		v.Border = d.border(found)
		v.Said = []string{d.card.said(found), d.card.detailPane(found).Note}
	}
	return v
}

// border is the border of the detail, with the state of the check and how long it took.
func (d *detail) border(found *check.Check) screen.Pane {
	t := d.card.env.Theme
	sign, style := Mark(t, found.State)
	pane := d.card.detailPane(found)
	pane.Title = style.Bold().Render(sign+" "+pane.Title) + "  " + style.Render(string(found.State))
	if took := d.card.took(found); took != "" && pane.Note != "" {
		pane.Note += t.Between() + took
	}
	pane.Padding = 0
	return pane
}
