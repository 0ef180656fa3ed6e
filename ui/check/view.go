package check

import (
	"cmp"
	"iter"
	"math"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/desk/check"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
	"gatehouse/styles"
	"gatehouse/ui/fields"
	"gatehouse/ui/screen"
)

const (
	// minSided is the width from which on the check under the cursor stands beside the others.
	minSided = 160
	// minSpacious is the height from which on the card has free lines.
	minSpacious = 28
	// minRoomy is the height from which on the checks keep two rows, below an empty line.
	minRoomy = 10
)

// Settle implements [screen.Screen].
func (c *card) Settle(room screen.Room) {
	c.width, c.inPane, c.hasSide = room.Width, room.Panes, room.Beside > 0
	c.cursor.SetCount(len(c.report.Checks))
	c.cursor.Layout(c.layOut(room.Width, room.Height).rows)
}

// Frame implements [screen.Screen].
func (c *card) Frame() screen.Frame { return screen.InPane }

// Beside implements [screen.Screen].
func (c *card) Beside(width int) int {
	if width < minSided {
		return 0
	}
	return width * 2 / 5
}

// View implements [screen.Screen]. The border says the verdict in a few words, and how the checks came
// out.
func (c *card) View() screen.View {
	text, border := c.title()
	v := screen.View{
		Title:    title,
		Inside:   func() []string { return []string{c.report.Email} },
		Progress: screen.Progress{Working: c.run != nil},
		Body:     cardPart{c},
		Side:     c.side(),
		Wheel:    c.wheel,
		Rows:     cardRows{c},
		Said:     []string{c.inWords()},
	}
	v.Border = screen.Pane{Title: text, Border: border, Note: c.whose(), Foot: c.tally()}
	if !c.inPane { // the tally is below the rows
		v.Border.Note, v.Border.Foot = "", c.whose()
	}
	return v
}

// inWords is what is under way, or how it came out, and whose it is.
func (c *card) inWords() string {
	if c.run != nil {
		return "Checking " + c.report.Email
	}
	words, _ := c.titleWords()
	return string(c.report.Verdict.State) + ": " + words + ", " + c.report.Email + ", check " + c.report.ID
}

// side shows the check under the cursor, where there is room for that.
func (c *card) side() screen.Side {
	var side screen.Side
	if found := c.selected(); found != nil {
		side.Border = c.detailPane(found)
		side.Body = fields.Groups{Theme: c.env.Theme, Groups: []fields.Group{c.facts(found)}}
	}
	return side
}

// layout is how a card is drawn in a size.
type layout struct {
	above screen.Drawing // the verdict, with free lines
	rows  int            // how many checks are visible
	below int            // how many lines are below them
}

// layOut gives the verdict what the checks leave, which keep two lines where there is room.
func (c *card) layOut(width, height int) layout {
	var head, gap screen.Lines
	if height >= minSpacious {
		head = screen.Lines{""}
	}
	const tally = 1                         // a line below the checks
	minRows := min(len(c.report.Checks), 2) // the check under the cursor, and how many are not seen
	maxLines := height - len(head) - minRows - tally
	if height < minRoomy {
		maxLines = height - minRows
	} else {
		gap = screen.Lines{""}
	}
	shown := c.verdict()
	needed := shown.Lines(max(width-2, 1))
	besideAll := height - len(head) - len(gap) - len(c.report.Checks) - tally
	if needed <= besideAll {
		maxLines = besideAll
	}
	verdict := screen.Indent{Part: shown, Left: 1, Right: 1}.Draw(width, maxLines)
	l := layout{above: screen.Column{head, screen.Drawn(verdict), gap}.Draw(width, math.MaxInt)}
	room := height - len(l.above.Lines)
	l.rows = max(min(len(c.report.Checks), room), 0)
	if l.rows < len(c.report.Checks) && l.rows > 1 && height > 3 {
		l.rows-- // for how many are not seen
	}
	l.below = room - l.rows
	return l
}

// cardPart is the verdict, the checks, and below them what the pane beside them does not say.
type cardPart struct{ *card }

// Draw implements [screen.Part].
func (c cardPart) Draw(width, height int) screen.Drawing {
	l := c.layOut(width, height)
	cursor := c.cursor
	cursor.Layout(l.rows)
	rows := screen.Drawing{Lines: c.rows(&cursor, width)}
	click := func(_, y int) tea.Cmd {
		row, ok := cursor.Hit(y)
		if !ok {
			return nil
		}
		return c.clicked(row)
	}
	rows.Spots = []screen.Spot{{Width: width, Height: len(rows.Lines), Click: click}}
	above, below := l.above, c.below(width-1, height-len(l.above.Lines)-len(rows.Lines))
	if before, after := cursor.Offset(), cursor.Count()-cursor.End(); before+after > 0 && l.below > 0 {
		above, below = c.unseen(above, before, after)
	}
	return screen.Column{screen.Drawn(above), screen.Drawn(rows), screen.Lines(below)}.Draw(width, height)
}

// unseen says how many checks are before and after those that are seen: above them where there is an
// empty line, and below them.
func (c *card) unseen(above screen.Drawing, before, after int) (head screen.Drawing, below []string) {
	t := c.env.Theme
	earlier := t.Muted.Render(t.Glyphs.Above + " " + human.Number(before) + " more")
	later := t.Muted.Render(t.Glyphs.Below + " " + human.Number(after) + " more")
	last := len(above.Lines) - 1
	var texts []string
	if before > 0 && last >= 0 && above.Lines[last] == "" {
		above.Lines = append(above.Lines[:last:last], " "+earlier)
	} else if before > 0 {
		texts = append(texts, earlier)
	}
	if after > 0 {
		texts = append(texts, later)
	}
	return above, []string{" " + strings.Join(texts, "  ")}
}

// Say implements [screen.Part]: the verdict with what led to it, or what is waited for. The checks are
// said as rows.
func (c cardPart) Say() iter.Seq[string] {
	if c.run != nil {
		return c.verdict().Say()
	}
	return screen.Concat(c.verdict().Say(), screen.Texts(c.tallyInWords()))
}

// Mark is the sign of a state, and its style.
func Mark(t *styles.Theme, s check.State) (string, *styles.Style) {
	switch g := &t.Glyphs; s {
	case check.OK:
		return g.Good, &t.Good
	case check.Info:
		return g.Info, &t.Accent
	case check.Warn:
		return g.Warning, &t.Warn
	case check.Fail:
		return g.Bad, &t.Bad
	case check.Unknown:
		return g.Unknown, &t.Warn
	case check.Running:
		return g.Running, &t.Accent
	}
	return t.Glyphs.Skipped, &t.Muted
}

// title is the verdict in a few words with the code of the service, and the style of what
// is around it.
func (c *card) title() (string, *styles.Style) {
	t := c.env.Theme
	if c.run != nil {
		sign, style := Mark(t, check.Running)
		text := "Checking"
		if c.run.stopped {
			text = "Stopping"
		}
		return style.Bold().Render(sign + " " + text), &t.Line
	}
	sign, style := Mark(t, c.report.Verdict.State)
	text, code := c.titleWords()
	drawn := style.Bold().Render(sign + " " + text)
	if code != "" {
		drawn += "  " + t.Muted.Render(code)
	}
	return drawn, style
}

// titleWords are the verdict in a few words, and the code of the service if that led to it.
func (c *card) titleWords() (text, code string) {
	if at := c.find(c.report.Verdict.Check); at >= 0 && c.report.Checks[at].ID == check.Device {
		code = safetext.Clip(c.report.Checks[at].Detail.Text(check.FactErrorCode), maxCode)
	}
	return c.report.Title(), code
}

// maxCode is how many cells of a code of the service are shown.
const maxCode = 20

// whose names the person the card is about, and the id by which both sides can name it.
func (c *card) whose() string {
	t := c.env.Theme
	note := t.Text.Render(safetext.Clip(c.report.Email, maxName))
	if c.report.ID != "" {
		note += t.Faint.Render(t.Between()) + t.Muted.Render(safetext.Clip(c.report.ID, maxCode))
	}
	return note
}

// verdict is what the card says: what happened, how far that reaches, what has changed, what to do
// next and what to tell the user.
func (c *card) verdict() screen.Verdict {
	if c.run != nil {
		stop := screen.Action{ID: screen.CheckStop, Title: "stop", Run: c.stop}
		happened := []screen.Happened{{Drawn: c.underWay()}}
		return screen.Verdict{Env: c.env, Sentences: happened, Keys: []screen.Action{stop}}
	}
	v := c.report.Verdict
	happened := screen.Happened{Drawn: sentence(c.env.Theme, v), Said: v.Sentence}
	if reach := c.report.Reach(); reach != "" {
		happened.Drawn += " " + safetext.Line(reach)
		happened.Said += " " + reach
	}
	return screen.Verdict{
		Env: c.env, Sentences: append([]screen.Happened{happened}, c.changes()...),
		Known: safetext.Line(v.Known), Steps: c.numbered(),
		Tell: safetext.Line(v.User), TellKey: c.tellAction(),
	}
}

// underWay says what is waited for.
func (c *card) underWay() string {
	t := c.env.Theme
	ended, names := 0, []string{}
	for _, found := range c.report.Checks {
		if found.State == check.Running {
			names = append(names, name(found.ID))
		} else {
			ended++
		}
	}
	done := screen.If(ended == 0, "no check") + screen.If(ended > 0, human.Count(ended, "check", "checks"))
	text := "Started at " + c.run.started.Local().Format("15:04:05") + ", " + done + " done"
	if len(names) > 0 {
		text += "; waiting for " + strings.Join(names, ", ")
	}
	return text + t.Glyphs.More
}

// sentence is what happened, safe on a terminal, with names of hosts, domains and people in strong
// type.
func sentence(t *styles.Theme, v check.Verdict) string {
	if v.Parts == nil {
		return safetext.Line(v.Sentence)
	}
	var b strings.Builder
	for _, part := range v.Parts {
		text := safetext.Line(part.Text)
		if part.IsName {
			text = t.Strong.Render(text)
		}
		b.WriteString(text)
	}
	return b.String()
}

// name is what a row calls a check: of a domain its name alone. It is safe on a terminal.
func name(id string) string {
	if domain, ok := check.DomainOf(id); ok {
		return readable(domain)
	}
	return safetext.Line(id)
}

// rows are the visible checks.
func (c *card) rows(cursor *screen.Cursor, width int) []string {
	const minNameCells, maxNameCells = 9, 28
	names := minNameCells
	for _, found := range c.report.Checks {
		names = max(names, safetext.Width(name(found.ID)))
	}
	names = min(names, width/3, maxNameCells)
	var lines []string
	for i := cursor.Offset(); i < cursor.End(); i++ {
		lines = append(lines, c.row(&c.report.Checks[i], names, width, i == cursor.Row()))
	}
	return lines
}

// row draws a check in exactly width cells.
func (c *card) row(found *check.Check, names, width int, selected bool) string {
	const minSummary = 12
	t := c.env.Theme
	sign, style := Mark(t, found.State)
	title, summary := t.Text, t.Text
	switch found.State {
	case check.OK, check.Info, check.Running:
		summary = t.Muted
	case check.Skipped:
		title, summary = t.Muted, t.Muted
	}
	if selected {
		title = t.Strong
	}
	took := c.took(found)
	room := width - len("   ") - names - len("  ") - len(" ")
	if after := room - safetext.Width(took) - len("  "); after >= minSummary {
		room = after
	} else {
		took = ""
	}
	named := safetext.Fit(safetext.Truncate(name(found.ID), names), names)
	result := safetext.Clip(c.result(found), max(room, 0))
	line := style.Render(sign) + " " + title.Render(named) + "  " + summary.Render(result)
	line = screen.Sides(line, t.Muted.Render(took), max(width-2, 0))
	if selected {
		return screen.CursorRow(t, line, width)
	}
	return screen.Cut(" "+line, width)
}

// result is a check in a few words, as one text. It is not safe on a terminal.
func (c *card) result(found *check.Check) string {
	return cmp.Or(c.summary(found).String(), string(found.State))
}

// summary is what is known of a check beside its state; it may have no part. It is not safe on a
// terminal.
func (c *card) summary(found *check.Check) check.Summary {
	switch {
	case found.IsSlow():
		return found.Summary.With("slow")
	case len(found.Summary) > 0:
		return found.Summary
	case found.State == check.Running && found.Host != "":
		return check.Summary{"asking " + found.Host}
	case found.State == check.Running:
		return check.Summary{"asking"}
	case found.Because != "":
		return check.Summary{"skipped because of " + name(found.Because)}
	}
	return nil
}

// took is how long a check took, or takes so far; "" if that is not of interest.
func (c *card) took(found *check.Check) string {
	if found.State != check.Running {
		return found.Took()
	}
	if c.run != nil {
		if since := c.env.Now().Sub(c.run.began[found.ID]); since >= tenth {
			return human.Took(since)
		}
	}
	return ""
}

// cardRows are the checks for those who hear them: none while they run.
type cardRows struct{ *card }

// Len implements [screen.Rows].
func (c cardRows) Len() int {
	if c.run != nil {
		return 0
	}
	return len(c.report.Checks)
}

// Choose implements [screen.Rows].
func (c cardRows) Choose(at int) { c.cursor.MoveTo(at) }

// SayRow implements [screen.Rows]: it says a check in a few words.
func (c cardRows) SayRow(at int) string { return c.said(&c.report.Checks[at]) }

// said is a check in a few words for those who hear it.
func (c *card) said(found *check.Check) string {
	parts := append([]string{string(found.State)}, c.summary(found)...)
	if took := c.took(found); took != "" {
		parts = append(parts, took)
	}
	return screen.Labelled(name(found.ID), strings.Join(parts, ", "))
}
