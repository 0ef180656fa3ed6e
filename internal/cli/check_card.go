package cli

import (
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/check"
	"gatehouse/internal/human"
	"gatehouse/internal/safetext"
	"gatehouse/styles"
	"gatehouse/ui"
)

// cardStyle is how reports are drawn on stdout.
type cardStyle struct {
	theme *styles.Theme
	width int // of a line, 0: no limit
	// words stand where a state has a mark on a terminal: for files, pipes and screen
	// readers.
	words bool
}

// plain reports whether stdout gets no styles: it is no terminal, a dumb one, or is read aloud.
func (o *printer) plain() bool {
	kind, _ := o.env.LookupEnv("TERM")
	return !o.env.StdoutIsTerminal || kind == "dumb" || o.flags.accessible || o.accessibleDefault()
}

// heading is the style of headings on stdout, label of what stands before a value.
func (o *printer) heading() styles.Style { return o.onTerminal(o.cardStyle().theme.Strong) }
func (o *printer) label() styles.Style   { return o.onTerminal(o.cardStyle().theme.Muted) }

// onTerminal is a style on a terminal, and none elsewhere.
func (o *printer) onTerminal(style styles.Style) styles.Style {
	if o.plain() {
		return styles.Style{}
	}
	return style
}

func (o *printer) cardStyle() cardStyle {
	if o.plain() {
		return cardStyle{theme: styles.New(styles.Options{NoColor: true}), width: o.tableWidth(), words: true}
	}
	return cardStyle{theme: ui.LineTheme(o.env.LookupEnv), width: o.tableWidth()}
}

// wordWidth is the width of the longest word for a state.
const wordWidth = len("warning")

// mark is the mark or the word of a state, all of one width, and its style.
func (s cardStyle) mark(state check.State) (string, styles.Style) {
	g, t := s.theme.Glyphs, s.theme
	mark, style := g.Skipped, t.Muted
	switch state {
	case check.OK:
		mark, style = g.Good, t.Good
	case check.Info:
		mark, style = g.Bullet, t.Accent
	case check.Warn:
		mark, style = g.Warning, t.Warn
	case check.Fail:
		mark, style = g.Bad, t.Bad
	case check.Unknown:
		mark, style = "?", t.Warn
	}
	if s.words {
		mark = safetext.Pad(state.Word(), wordWidth)
	}
	return mark, style
}

// card is a report as lines. On a terminal the verdict comes last, where it stays in sight
// however many checks there are. In a file, or read aloud, it comes first.
func (s cardStyle) card(r check.Report) []string {
	if s.words {
		return slices.Concat(s.verdict(r), []string{""}, s.found(r))
	}
	return slices.Concat(s.found(r), []string{""}, s.verdict(r))
}

// verdict is what happened, how it is known and what to do.
func (s cardStyle) verdict(r check.Report) []string {
	lines := append([]string{s.title(r)}, "")
	v := r.Verdict
	sentence := v.Sentence
	if reach := v.Scope.Reach(); reach != "" {
		sentence += " This " + reach + "."
	}
	lines = append(lines, s.labelled("", 2, sentence)...)
	if notes := s.notes(r); len(notes) > 0 {
		lines = append(append(lines, ""), notes...)
	}
	return lines
}

// found are the checks and their number.
func (s cardStyle) found(r check.Report) []string {
	lines := s.checks(r.Checks)
	if len(lines) > 0 {
		lines = append(lines, "")
	}
	for _, line := range s.labelled("", 2, sum(r)) {
		lines = append(lines, s.theme.Muted.Render(line))
	}
	return lines
}

// notes are how the cause is known, what to do and what to say, as far as there is something.
func (s cardStyle) notes(r check.Report) []string {
	var lines []string
	v := r.Verdict
	if v.Known != "" {
		lines = append(lines, s.labelled("Evidence", cardIndent, v.Known)...)
	}
	for i, step := range v.Next {
		label := ""
		if i == 0 {
			label = "Next"
		}
		lines = append(lines, s.labelled(label, cardIndent, step.Sentence())...)
	}
	if v.User != "" {
		lines = append(lines, s.labelled("Tell the user", cardIndent, v.User)...)
	}
	return lines
}

// cardIndent is where texts with a label begin.
const cardIndent = len("  Tell the user  ")

// title is the verdict, whose, and the id to quote, on one line if there is room.
func (s cardStyle) title(r check.Report) string {
	mark, style := s.mark(r.Verdict.State)
	if s.words {
		mark = strings.TrimSpace(mark) + ":"
	}
	heading := mark + " " + r.Title()
	whose := safetext.Line(r.Email)
	id := safetext.Line(r.ID)
	if whose != "" && id != "" {
		whose += " " + s.theme.Glyphs.Separator + " "
	}
	whose += id
	drawn := heading
	if !s.words {
		drawn = style.Bold(true).Render(heading)
	}
	if s.width == 0 {
		return drawn + "  " + whose
	}
	gap := s.width - safetext.Width(heading) - safetext.Width(whose)
	if gap < 2 {
		return drawn + "\n  " + safetext.Truncate(whose, s.width-2)
	}
	return drawn + strings.Repeat(" ", gap) + whose
}

// labelled is text behind a label, folded between words.
func (s cardStyle) labelled(label string, indent int, text string) []string {
	text = safetext.Line(text)
	if s.width > indent+1 {
		text = ansi.Wrap(text, s.width-indent, "")
	}
	var lines []string
	for part := range strings.Lines(text) {
		before := strings.Repeat(" ", indent)
		if label != "" {
			before = "  " + s.theme.Muted.Render(safetext.Pad(label, indent-2))
			label = ""
		}
		lines = append(lines, before+strings.TrimRight(part, " \n"))
	}
	return lines
}

// checks are the lines of checks: mark, name, what was found, time.
func (s cardStyle) checks(checks []check.Check) []string {
	const mostName = 24
	names := 0
	for _, c := range checks {
		names = min(max(names, safetext.Width(safetext.Line(c.Name()))), mostName)
	}
	var lines []string
	for _, c := range checks {
		mark, style := s.mark(c.State)
		before := "  " + style.Render(mark) + "  "
		name, took, found := safetext.Line(c.Name()), c.Took(), safetext.Line(c.Found())
		indent := 2 + safetext.Width(mark) + 2
		switch room := s.width - indent - names - 2 - 2 - tookWidth; {
		case s.width == 0: // nothing is cut
			lines = append(lines, strings.TrimRight(before+safetext.Pad(name, names)+"  "+found+between(found, took), " "))
		case room < minFound: // below the name
			lines = append(lines, before+s.withTime(name, took, s.width-indent-2-tookWidth))
			lines = append(lines, s.labelled("", indent, c.Found())...)
		default:
			for i, part := range strings.Split(ansi.Wrap(found, room, ""), "\n") {
				if i > 0 {
					before, name, took = strings.Repeat(" ", indent), "", ""
				}
				lines = append(lines, before+safetext.Fit(name, names)+"  "+s.withTime(strings.TrimRight(part, " "), took, room))
			}
		}
	}
	return lines
}

// withTime is safe text in a column of some width with a time behind it, if there is one.
func (s cardStyle) withTime(text, took string, width int) string {
	if took == "" {
		return safetext.Truncate(text, max(width, 1))
	}
	return safetext.Fit(text, max(width, 1)) + "  " + s.theme.Muted.Render(safetext.PadLeft(took, tookWidth))
}

// between puts a time behind a text.
func between(text, took string) string {
	switch {
	case took == "":
		return ""
	case text == "":
		return took
	}
	return ", " + took
}

// sum says how many checks came out how, and how long it took.
func sum(r check.Report) string {
	counts := map[check.State]int{}
	for _, c := range r.Checks {
		counts[c.State]++
	}
	text := human.Count(len(r.Checks), "check", "checks") + " in " + human.Took(time.Duration(r.MS)*time.Millisecond)
	separator := ": "
	for _, state := range []check.State{check.OK, check.Info, check.Warn, check.Fail, check.Unknown, check.Skipped} {
		if n := counts[state]; n > 0 {
			text += separator + state.Counted(n)
			separator = ", "
		}
	}
	return text + ". " + human.Moment(r.At.UTC())
}
