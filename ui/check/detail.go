package check

import (
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

// minDetail is how many lines the detail of a check takes at least.
const minDetail = 5

// below is what stands under the rows, as far as there is room: how the verdict is known, the
// check under the cursor, and how the checks came out; the last two unless the panes say them.
func (c *card) below(width, height int) []string {
	found := c.selected()
	if found == nil || height < 2 {
		return nil
	}
	lines, tally := []string{""}, []string{screen.Cut(" "+c.tally(), width)}
	if c.Beside {
		tally = nil
	}
	if evidence := c.evidence(width - 1); len(lines)+len(evidence) <= height-len(tally) {
		lines = append(lines, screen.Indented(evidence, 1)...)
	}
	if room := height - len(lines) - len(tally); room > minDetail && !c.sided {
		lines = append(lines, " "+screen.Section(c.env.Theme, name(found.ID), width-1))
		facts := c.facts(found)
		facts.Fields = slices.DeleteFunc(facts.Fields, func(f fields.Field) bool { // the evidence says it
			return f.Text != "" && strings.HasPrefix(c.report.Verdict.Known, f.Text)
		})
		lines = append(lines, fields.Draw(c.env.Theme, []fields.Group{facts}, width, room-1))
	}
	return append(lines, tally...)
}

// evidence is how the verdict is known, in lines of a width.
func (c *card) evidence(width int) []string {
	known := safetext.Line(c.report.Verdict.Known)
	if c.run != nil || known == "" {
		return nil
	}
	return strings.Split(screen.Wrap(c.env.Theme.Muted.Render("Evidence:")+" "+known, max(width, 1)), "\n")
}

// detailPane is the pane around the detail of a check.
func (c *card) detailPane(found *check.Check) screen.Pane {
	t := c.env.Theme
	note := safetext.Clip(found.Host, maxName)
	if found.Status != 0 && note != "" {
		note += " " + t.Glyphs.Separator + " " + strconv.Itoa(found.Status)
	}
	return screen.Pane{Title: name(found.ID), Note: note, Padding: 1}
}

// tally says how many checks came out how.
func (c *card) tally() string {
	t := c.env.Theme
	counts := map[check.State]int{}
	for _, found := range c.report.Checks {
		counts[found.State]++
	}
	line := t.Muted.Render(human.Count(len(c.report.Checks), "check", "checks"))
	if c.run == nil {
		line += t.Muted.Render(" in " + human.Took(time.Duration(c.report.MS)*time.Millisecond))
	}
	line += "  " + t.Faint.Render(t.Glyphs.Separator) + " "
	for _, s := range []check.State{check.OK, check.Info, check.Warn, check.Fail, check.Unknown, check.Skipped, check.Running} {
		if counts[s] == 0 {
			continue
		}
		_, style := Mark(t, s)
		line += " " + style.Render(s.Counted(counts[s])) + " "
	}
	return strings.TrimRight(line, " ")
}

// facts is what is known of a check.
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
		g.Fields = append(g.Fields, fields.Fact("because of", name(found.Because)))
	}
	if len(g.Fields) == 0 {
		g.Fields = append(g.Fields, fields.Fact("result", c.summary(found)))
	}
	return g
}

// fact is one value of a check as people read it.
func (c *card) fact(fact check.Fact) fields.Field {
	f := fields.Fact(fact.Label(), fact.Text())
	f.What = "the " + f.Label
	if at, ok := fact.Time(); ok {
		f.Text = human.Time(at, time.Local)
		f.Behind = []string{human.AgeInWords(at, c.env.Now())}
	} else if fact.IsNumber() {
		f.Role = fields.Amount
	}
	if f.Copied = f.Text; f.Text == "" {
		f.Text, f.Role = "none", fields.Absent
	}
	return f
}

// detail is the screen with all that is known of one check.
type detail struct {
	fields.List
	card *card
	id   string
}

// renew takes over what is known now.
func (d *detail) renew() {
	if found := d.check(); found != nil {
		facts := d.card.facts(found)
		if found.Summary != "" {
			facts.Fields = slices.Insert(facts.Fields, 0, fields.Fact("result", d.card.summary(found)))
		}
		d.Set([]fields.Group{facts})
	}
}

func (d *detail) check() *check.Check {
	at := d.card.find(d.id)
	if at < 0 {
		return nil
	}
	return &d.card.report.Checks[at]
}

func (d *detail) Title() string { return title }

func (d *detail) Breadcrumbs() []string { return append(d.card.Breadcrumbs(), name(d.id)) }

func (d *detail) Actions() []screen.Action {
	f := d.Selected()
	value := screen.Action{ID: screen.CheckCopy, Reason: screen.If(f == nil, "there is no value here"), Run: func() tea.Cmd {
		return d.card.env.Root.Copy(f.Copied, f.What)
	}}
	return append([]screen.Action{value}, d.Moves()...)
}

func (d *detail) Draw(width, height int) string {
	d.renew()
	return d.List.Draw(width, height)
}

// Pane shows how the check came out.
func (d *detail) Pane() screen.Pane {
	found := d.check()
	if found == nil {
		return screen.Pane{}
	}
	t := d.card.env.Theme
	sign, style := Mark(t, found.State)
	pane := d.card.detailPane(found)
	pane.Title = style.Bold(true).Render(sign+" "+pane.Title) + "  " + style.Render(found.State.Word())
	if took := d.card.took(found); took != "" && pane.Note != "" {
		pane.Note += " " + t.Glyphs.Separator + " " + took
	}
	pane.Padding = 0
	return pane
}
