package check

import (
	"iter"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

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

// Draw draws the verdict, the checks, and below them what the pane
// beside the card does not say.
func (c *card) Draw(width, height int) string {
	c.width, c.sided = width, c.sided && c.Beside
	var lines []string
	if height >= minSpacious {
		lines = append(lines, "")
	}
	c.fillVerdict()
	c.verdictAt = len(lines)
	rows := []string{""}
	most := height - len(lines) - min(len(c.report.Checks), 2) - 1
	if height < minRoomy {
		rows, most = nil, height-1
	}
	lines = slices.Concat(lines, screen.Indented(c.verdict.Draw(c.env, max(width-2, 1), most), 1), rows)
	c.rowsAt = len(lines)
	c.cursor.Layout(min(len(c.report.Checks), height-len(lines)))
	lines = append(lines, c.rows(width)...)
	lines = append(lines, c.below(width-1, height-len(lines))...)
	return screen.Box(strings.Join(lines, "\n"), width, height)
}

// Pane shows the verdict in a few words, and how the checks came out.
func (c *card) Pane() screen.Pane {
	title, border := c.title()
	pane := screen.Pane{Title: title, Border: border, Note: c.whose(), Foot: c.tally()}
	if !c.Beside { // the tally is below the rows
		pane.Note, pane.Foot = "", c.whose()
	}
	return pane
}

func (c *card) SideWidth(width int) int {
	if c.sided = width >= minSided; c.sided {
		return width * 2 / 5
	}
	return 0
}

// Side shows the check under the cursor.
func (c *card) Side(width, height int) (screen.Pane, string) {
	found := c.selected()
	if found == nil {
		return screen.Pane{}, ""
	}
	return c.detailPane(found), fields.Draw(c.env.Theme, []fields.Group{c.facts(found)}, width, height)
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
		return style.Bold(true).Render(sign + " " + text), &t.Line
	}
	sign, style := Mark(t, c.report.Verdict.State)
	title := style.Bold(true).Render(sign + " " + c.report.Title())
	if at := c.find(c.report.Verdict.Check); at >= 0 && c.report.Checks[at].ID == check.Device {
		if code := safetext.Clip(c.report.Checks[at].Detail.Text(check.FactErrorCode), maxCode); code != "" {
			title += "  " + t.Muted.Render(code)
		}
	}
	return title, style
}

// maxCode is how many cells of a code of the service are shown.
const maxCode = 20

// whose names the person the card is about, and the id by which both sides can name it.
func (c *card) whose() string {
	t := c.env.Theme
	note := t.Text.Render(safetext.Clip(c.report.Email, maxName))
	if c.report.ID != "" {
		note += t.Faint.Render(" "+t.Glyphs.Separator+" ") + t.Muted.Render(safetext.Clip(c.report.ID, maxCode))
	}
	return note
}

// fillVerdict sets what the card says: what happened, how far that reaches, what has changed,
// what to do next and what to tell the user.
func (c *card) fillVerdict() {
	if c.run != nil {
		c.verdict = screen.Verdict{Sentences: []string{c.underWay()}, Steps: []screen.Action{{ID: screen.CheckStop, Title: "stop", Run: c.stop}}}
		return
	}
	v := c.report.Verdict
	text := emphasised(c.env.Theme, safetext.Line(v.Sentence))
	if reach := c.report.Reach(); reach != "" {
		text += " " + safetext.Line(reach)
	}
	c.verdict = screen.Verdict{Sentences: append([]string{text}, c.changes()...), Steps: c.steps(), Tell: safetext.Line(v.User)}
	for _, step := range v.Next {
		if isAdvice(step) {
			c.verdict.Advice = append(c.verdict.Advice, safetext.Line(step.Text))
		}
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

// emphasised puts the names of hosts and the addresses in a safe text in strong type.
func emphasised(t *styles.Theme, text string) string {
	words := strings.Split(text, " ")
	for i, word := range words {
		bare := strings.TrimRight(word, ".,;:!?)")
		if dot := strings.LastIndexByte(bare, '.'); dot > 0 && dot < len(bare)-2 && bare[dot+1]|0x20 >= 'a' && bare[dot+1]|0x20 <= 'z' {
			words[i] = t.Strong.Render(bare) + word[len(bare):]
		}
	}
	return strings.Join(words, " ")
}

// name is what a row calls a check: of a domain its name alone. It is safe on a terminal.
func name(id string) string {
	if domain, ok := strings.CutPrefix(id, check.DomainPrefix); ok {
		return readable(domain)
	}
	return safetext.Line(id)
}

// rows are the visible checks.
func (c *card) rows(width int) []string {
	const least, most = 9, 28
	names := least
	for _, found := range c.report.Checks {
		names = max(names, safetext.Width(name(found.ID)))
	}
	names = min(names, width/3, most)
	var lines []string
	for i := c.cursor.Offset(); i < c.cursor.End(); i++ {
		lines = append(lines, c.row(&c.report.Checks[i], names, width, i == c.cursor.Row()))
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
	line := style.Render(sign) + " " + title.Render(safetext.Fit(safetext.Truncate(name(found.ID), names), names)) + "  " +
		summary.Render(safetext.Clip(c.summary(found), max(room, 0)))
	line = screen.Sides(line, t.Muted.Render(took), max(width-2, 0))
	if selected {
		return screen.CursorRow(t, line, width)
	}
	return screen.Cut(" "+line, width)
}

// summary is a check in a few words. It is not safe on a terminal.
func (c *card) summary(found *check.Check) string {
	switch {
	case found.IsSlow():
		return found.Summary + " · slow"
	case found.Summary != "":
		return found.Summary
	case found.State == check.Running && found.Host != "":
		return "asking " + found.Host
	case found.State == check.Running:
		return "asking"
	case found.Because != "":
		return "skipped because of " + name(found.Because)
	}
	return found.State.Word()
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

// Say says what the form is for.
func (m *Model) Say() iter.Seq[string] {
	said := append(m.said(screen.ReadWidth), "This check "+m.Pane().Foot+".")
	return screen.ReadLines(append(said, m.about(screen.ReadWidth)...)...)
}

// Say says the verdict with what led to it, or what is waited for.
func (c *card) Say() iter.Seq[string] {
	c.fillVerdict()
	if c.run != nil {
		return screen.Concat(screen.Texts("Checking "+c.report.Email), c.verdict.Say(c.env))
	}
	title, _ := c.title()
	state := c.report.Verdict.State.Word() + ": " + strings.TrimSpace(ansi.Strip(title))
	evidence := c.report.Verdict.Known
	if evidence != "" {
		evidence = "Evidence: " + evidence
	}
	return screen.Concat(screen.Texts(state+", "+c.report.Email+", check "+c.report.ID), c.verdict.Say(c.env), screen.Texts(evidence), screen.ReadLines(c.tally()))
}

func (c *card) Rows() int {
	if c.run != nil {
		return 0
	}
	return len(c.report.Checks)
}

func (c *card) Choose(at int) { c.cursor.MoveTo(at) }

// SayRow says a check in a few words.
func (c *card) SayRow(at int) string {
	found := &c.report.Checks[at]
	parts := []string{found.State.Word()}
	for _, part := range []string{strings.ReplaceAll(c.summary(found), " · ", ", "), c.took(found)} {
		if part != "" && part != parts[0] {
			parts = append(parts, part)
		}
	}
	return screen.Labelled(name(found.ID), strings.Join(parts, ", "))
}

func (d *detail) Say() iter.Seq[string] {
	found := d.check()
	if found == nil {
		return screen.Texts()
	}
	row, host := d.card.SayRow(d.card.find(d.id)), d.card.detailPane(found).Note
	return screen.Concat(screen.Texts(strings.TrimSuffix(row, ".")), screen.ReadLines(host), fields.Say([]fields.Group{d.card.facts(found)}, nil))
}
