package check

import (
	"cmp"
	"slices"
	"strings"

	"gatehouse/internal/check"
	"gatehouse/internal/human"
	"gatehouse/internal/safetext"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

const (
	// leastPane is how many cells wide a screen is on which the verdict has a border.
	leastPane = 56
	// leastRoomy is the height from which on the verdict has free lines around it, and
	// leastDetail how many lines the detail of a check takes at least.
	leastRoomy, leastDetail = 28, 6
	// leastWhole is the height from which on the card has more than the sentence and the
	// keys; the detail of a check has the rest.
	leastWhole = 10
	// leastRows is how many rows the checks keep on a low screen.
	leastRows = 2
)

func (c *card) Layout(width, height int) {
	c.width, c.height = width, height
	lines := c.fittingVerdict(width, height)
	c.rowsAt = len(lines)
	rows := min(len(c.report.Checks), height-len(lines))
	below := c.below(width, height-len(lines)-rows)
	c.cursor.Layout(rows)
	lines = append(lines, c.rows(width)...)
	c.frame = screen.Box(strings.Join(append(lines, below...), "\n"), width, height)
}

func (c *card) View() string { return c.frame }

// margin is how far panes stand from the sides.
func margin(width int) int {
	if width >= screen.PaneWidth {
		return 1
	}
	return 0
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

// fittingVerdict is the card with as much of its text as leaves room for some rows.
func (c *card) fittingVerdict(width, height int) []string {
	room := max(height-leastRows, 0)
	var lines []string
	for _, amount := range []amount{everything, shortAdvice, noSentence, keysAlone} {
		c.spots = c.spots[:0]
		if lines = c.verdict(width, height, amount); len(lines) <= room {
			break
		}
	}
	if height >= leastRoomy {
		lines = append(lines, "")
	}
	return lines[:min(len(lines), room)]
}

// amount is how much of its text the card has, the most first.
type amount int

const (
	everything  amount = iota
	shortAdvice        // of what to do next one line
	noSentence         // and not what to tell the user
	keysAlone          // the verdict and its keys
)

// verdict is the card itself: what happened, how far that reaches, what to do next and what
// to tell the user.
func (c *card) verdict(width, height int, amount amount) []string {
	t, side := c.env.Theme, margin(width)
	title, border := c.title()
	if width < leastPane {
		return append([]string{screen.Cut(title, width)}, c.sentences(width, 0, 1, amount)...)
	}
	pane := screen.Pane{Title: title, Note: c.whose(), Border: border, Padding: 1 + side}
	inner, _ := pane.Inner(width-2*side, 0)
	var text []string
	if height >= leastRoomy {
		text = append(text, "")
	}
	text = append(text, c.sentences(inner, side+1+pane.Padding, 1+len(text), amount)...)
	if height >= leastRoomy {
		text = append(text, "")
	}
	return screen.Indented(strings.Split(pane.Draw(t, strings.Join(text, "\n"), width-2*side, len(text)+2), "\n"), side)
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
	if code := serviceCode(c.report); code != "" {
		title += "  " + t.Muted.Render(code)
	}
	return title, style
}

// serviceCode is the code of the service that led to the verdict, "" if none did. It is
// safe on a terminal.
func serviceCode(r check.Report) string {
	at := deciding(r)
	if at < 0 || r.Checks[at].ID != check.Device {
		return ""
	}
	return safetext.Clip(r.Checks[at].Detail.Text(check.FactErrorCode), longestCode)
}

// longestCode is how many cells of a code of the service are shown.
const longestCode = 20

// whose says whom the card is about, and the id by which both sides can name it.
func (c *card) whose() string {
	t := c.env.Theme
	note := t.Text.Render(safetext.Clip(c.report.Email, longestName))
	if c.report.ID != "" {
		note += t.Faint.Render(" "+t.Glyphs.Separator+" ") + t.Muted.Render(safetext.Clip(c.report.ID, longestCode))
	}
	return note
}

// sentences are what stands in the card, whose text begins at a cell of the screen.
func (c *card) sentences(width, x, y int, amount amount) []string {
	t := c.env.Theme
	indent := len(nextLabel)
	if c.width >= leastPane {
		indent = len(userLabel)
	}
	keys := func(actions []screen.Action, lines int) string {
		return c.keys(actions, width-indent, x+indent, y+lines)
	}
	if c.run != nil {
		stop := []screen.Action{{ID: "check.stop", Title: "stop", Run: c.stop}}
		return append([]string{screen.Cut(c.underWay(), width)}, c.labelled(nextLabel, indent, []string{keys(stop, 1)})...)
	}
	v := c.report.Verdict
	text := emphasised(t, safetext.Line(v.Sentence))
	isShort := amount == keysAlone || c.height < leastWhole
	if reach := v.Scope.Reach(); reach != "" && !isShort {
		text += " This " + reach + "."
	}
	lines := strings.Split(screen.Wrap(text, width), "\n")
	if isShort {
		return append(lines, c.labelled(nextLabel, indent, []string{keys(c.steps(), len(lines))})...)
	}
	lines = append(lines, c.changes(width)...)
	next := c.advice(max(width-indent, 1))
	if amount >= shortAdvice && len(next) > 1 {
		next = []string{screen.Cut(next[0]+" "+t.Glyphs.More, width-indent)}
	}
	next = append(next, keys(c.steps(), len(lines)+len(next)))
	lines = append(lines, c.labelled(nextLabel, indent, next)...)
	if user := safetext.Line(v.User); user != "" && amount < noSentence {
		lines = append(lines, c.labelled(userLabel, indent, c.userLines(user, width, indent))...)
	}
	return lines
}

// nextLabel stands before what to do next, and userLabel before what to tell the user.
const nextLabel, userLabel = "Next  ", "Tell them  "

// labelled are lines with a label before the first. Where the label has no room, it is a part
// of that line already.
func (c *card) labelled(label string, indent int, lines []string) []string {
	if len(label) > indent {
		return lines
	}
	labelled := make([]string, len(lines))
	for i, line := range lines {
		before := strings.Repeat(" ", indent)
		if i == 0 {
			before = c.env.Theme.Muted.Render(safetext.Pad(label, indent))
		}
		labelled[i] = before + line
	}
	return labelled
}

// userLines are the sentence for the user: behind its label, or on a narrow screen below it.
func (c *card) userLines(user string, width, indent int) []string {
	if len(userLabel) > indent {
		return strings.Split(screen.Wrap(c.env.Theme.Muted.Render(strings.TrimSpace(userLabel)+": ")+user, width), "\n")
	}
	return strings.Split(screen.Wrap(user, max(width-indent, 1)), "\n")
}

// advice is what the verdict says that a person can do.
func (c *card) advice(width int) []string {
	var lines []string
	for _, text := range c.otherSteps() {
		lines = append(lines, strings.Split(screen.Wrap(text, width), "\n")...)
	}
	return lines
}

// otherSteps are the next steps that have no key, safe on a terminal.
func (c *card) otherSteps() []string {
	var texts []string
	for _, step := range c.report.Verdict.Next {
		if step.Kind == check.StepOther {
			texts = append(texts, safetext.Line(step.Text))
		}
	}
	return texts
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
	text := "Since " + c.run.started.Local().Format("15:04:05") + ", " + human.Count(ended, "check", "checks") + " done"
	if len(names) > 0 {
		text += "; waiting for " + strings.Join(names, ", ")
	}
	return text + t.Glyphs.More
}

// shortTitles are those of actions where there is no room for their own.
var shortTitles = map[string]string{"check.ticket": "for the ticket", "check.user": "for the user", "root.signin": "sign in", "check.password": "check with a sign-in"}

// keys is the line of keys that lead on, as many as fit, which can be clicked.
func (c *card) keys(actions []screen.Action, width, x, y int) string {
	enabled := slices.DeleteFunc(c.env.Keys.Fill(actions), func(a screen.Action) bool { return !a.Enabled() })
	gap := 4
	if keysWidth(enabled, gap) > width {
		gap = 2
	}
	if keysWidth(enabled, gap) > width {
		for i, a := range enabled {
			enabled[i].Title = cmp.Or(shortTitles[a.ID], a.Title)
		}
	}
	var parts []string
	at := 0
	for _, a := range enabled {
		cells := keysWidth([]screen.Action{a}, 0)
		if at+cells > width {
			break
		}
		parts = append(parts, c.env.Theme.Key.Render(a.ShortKeyNames()[0])+" "+a.Title)
		c.spots = append(c.spots, spot{x + at, y, cells, a.Run})
		at += cells + gap
	}
	return strings.Join(parts, strings.Repeat(" ", gap))
}

// keysWidth is how many cells actions take on a line.
func keysWidth(actions []screen.Action, gap int) int {
	width := -gap
	for _, a := range actions {
		width += gap + safetext.Width(a.ShortKeyNames()[0]) + 1 + safetext.Width(a.Title)
	}
	return width
}

// emphasised puts the names of hosts and the addresses in a safe text in strong type.
func emphasised(t *styles.Theme, text string) string {
	words := strings.Split(text, " ")
	for i, word := range words {
		bare := strings.TrimRight(word, ".,;:!?)")
		if dot := strings.LastIndexByte(bare, '.'); dot > 0 && dot < len(bare)-2 && isLetter(bare[dot+1]) {
			words[i] = t.Strong.Render(bare) + word[len(bare):]
		}
	}
	return strings.Join(words, " ")
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// name is what a row calls a check: of a domain its name alone. It is safe on a terminal.
func name(id string) string {
	if domain, ok := strings.CutPrefix(id, check.DomainPrefix); ok {
		return readable(domain)
	}
	return safetext.Line(id)
}

// columns are the cells of the parts of a row: what stands between them, and the names.
type columns struct{ gap, names int }

func (c *card) columns(width int) columns {
	const least = 9
	names := least
	for _, found := range c.report.Checks {
		names = max(names, safetext.Width(name(found.ID)))
	}
	if width >= screen.PaneWidth {
		return columns{2, max(14, min(names, 28)) + 3}
	}
	return columns{1, min(names, width/3) + 2}
}

// rows are the visible checks.
func (c *card) rows(width int) []string {
	side := margin(width)
	cols := c.columns(width)
	var lines []string
	for i := c.cursor.Offset(); i < c.cursor.End(); i++ {
		lines = append(lines, strings.Repeat(" ", side)+c.row(&c.report.Checks[i], cols, width-2*side, i == c.cursor.Row()))
	}
	return lines
}

// row draws a check in exactly width cells.
func (c *card) row(found *check.Check, cols columns, width int, selected bool) string {
	t := c.env.Theme
	sign, style := Mark(t, found.State)
	gap := strings.Repeat(" ", cols.gap)
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
	room := width - 1 - 2*cols.gap - 1 - cols.names - safetext.Width(took) - cols.gap - 2
	if room < 12 {
		room, took = room+safetext.Width(took)+2, ""
	}
	line := gap + style.Render(sign) + gap + title.Render(safetext.Fit(safetext.Truncate(name(found.ID), cols.names-1), cols.names)) +
		summary.Render(safetext.Clip(c.summary(found), max(room, 0)))
	line = screen.Sides(line, t.Muted.Render(took), max(width-1-cols.gap, 0))
	if selected {
		return screen.CursorRow(t, line, width)
	}
	return screen.Cut(" "+line, width)
}

// summary is a check in a few words. It is not safe on a terminal.
func (c *card) summary(found *check.Check) string {
	switch {
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
