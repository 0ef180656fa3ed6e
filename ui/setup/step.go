package setup

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/check"
	"gatehouse/internal/problem"
	"gatehouse/internal/safetext"
	"gatehouse/styles"
	view "gatehouse/ui/check"
	"gatehouse/ui/form"
	"gatehouse/ui/screen"
)

// step is what the steps have in common: a form in a card in the middle of the screen, and
// what came of it.
type step struct {
	*flow
	// title is that of the card, and of the breadcrumbs of later steps; note is at the
	// right of it.
	title, note string
	form        *form.Model
	// said are sentences below the form, and least for how many lines of them there always
	// is room.
	said  []remark
	least int

	// What follows is settled by Layout.
	formAt int // the line on which the form begins
	frame  string
}

// remark is a sentence with the sign of a state before it; "" has none.
type remark struct {
	state check.State
	text  string // safe on a terminal
}

// lines draws the remark in so many cells.
func (r remark) lines(t *styles.Theme, width int) []string {
	sign, style := view.Mark(t, r.state)
	text := &t.Text
	if r.state == "" || r.state == check.OK || r.state == check.Running || r.state == check.Skipped {
		text = &t.Muted
	}
	if r.state == "" {
		sign = " "
	}
	lines := strings.Split(screen.Wrap(r.text, width-2), "\n")
	for i, line := range lines {
		lines[i] = "  " + text.Render(line)
	}
	lines[0] = style.Render(sign) + lines[0][1:]
	return lines
}

// Title implements [screen.Screen].
func (s *step) Title() string { return "Set up" }

// Typing implements [screen.Screen].
func (s *step) Typing() bool { return s.form.Typing() }

// Close implements [screen.Screen].
func (s *step) Close() {}

// View implements [screen.Screen].
func (s *step) View() string { return s.frame }

// Click implements [screen.MouseHandler].
func (s *step) Click(_, y int) tea.Cmd {
	s.form.Click(y - s.formAt)
	return nil
}

// Wheel implements [screen.MouseHandler].
func (s *step) Wheel(_, _, lines int) tea.Cmd {
	s.form.Wheel(lines)
	return nil
}

// say says below the form what went wrong, and what to do.
func (s *step) say(p problem.Problem) {
	s.said = []remark{{check.Fail, strings.TrimSpace(p.Sentence + " " + p.Hint)}}
}

const (
	// cardWidth is how wide the card is at most; with less room than the other two the form
	// stands without a border.
	cardWidth, leastWidth, leastHeight = 78, 60, 12
	cardPadding                        = 3
	// leastForm is how many lines the form keeps where there is little room.
	leastForm = 3
)

// lay draws the form and what is said in it, in a card if there is room, with lines above and
// below the card where there is more.
func (s *step) lay(width, height int, above, below []string) {
	var lines []string
	if hasCard(width, height) {
		lines = s.card(width, height, above, below)
	} else {
		lines = s.plain(width, height, below)
	}
	s.frame = screen.Box(strings.Join(lines, "\n"), width, height)
}

func hasCard(width, height int) bool { return width >= leastWidth && height >= leastHeight }

// card is the form in a box in the middle. Its place does not depend on what is said.
func (s *step) card(width, height int, above, below []string) []string {
	card := min(width, cardWidth)
	inner := card - 2 - 2*cardPadding
	said := s.wrapped(inner)
	room := max(len(said), s.least)
	if room > 0 {
		room++ // an empty line above them
	}
	lines := func(roomy bool) int { return 1 + s.form.Lines(roomy) + room + 2 }
	roomy := lines(true) <= height
	if lines(roomy)+len(below) > height {
		roomy = false
	}
	box := min(lines(roomy), height)
	free := height - box
	below, free = fitting(below, free)
	above, free = fitting(above, free)
	s.form.Beside = true
	s.form.Layout(inner, max(min(s.form.Lines(roomy), box-3-room), leastForm))
	drawn := make([]string, max(min((free+room-s.least)/2, free), 0))
	for _, line := range above {
		drawn = append(drawn, screen.Centred(line, width))
	}
	s.formAt = len(drawn) + 2
	content := append([]string{""}, strings.Split(s.form.View(), "\n")...)
	content = append(append(content, ""), said...)
	pane := screen.Pane{Title: s.title, Note: safetext.Line(s.note), Padding: cardPadding, Border: &s.env.Theme.BoxLine}
	boxed := strings.Split(pane.Draw(s.env.Theme, strings.Join(content, "\n"), card, box), "\n")
	drawn = append(drawn, screen.Indented(boxed, (width-card)/2)...)
	for _, line := range below {
		drawn = append(drawn, screen.Centred(line, width))
	}
	return drawn
}

// fitting are lines if there is room for them, and the room that is left then.
func fitting(lines []string, room int) (fit []string, left int) {
	if len(lines) > room {
		return nil, room
	}
	return lines, room - len(lines)
}

// plain is the form where there is no room for a card: the focused field comes first, then
// what is said.
func (s *step) plain(width, height int, below []string) []string {
	said := s.wrapped(width)
	if len(said) == 0 && len(below) > 0 {
		said = strings.Split(screen.Wrap(strings.TrimSpace(strings.Join(below, " ")), width), "\n")
	}
	said = said[:min(len(said), max(height-leastForm, 0))]
	s.form.Beside = false
	s.formAt = 0
	s.form.Layout(width, max(height-len(said), min(height, leastForm)))
	return slices.Concat(strings.Split(s.form.View(), "\n"), said)
}

// wrapped are the lines of what is said.
func (s *step) wrapped(width int) []string {
	var lines []string
	for _, r := range s.said {
		lines = append(lines, r.lines(s.env.Theme, width)...)
	}
	return lines
}
