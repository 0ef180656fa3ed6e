package signin

import (
	"slices"
	"strings"

	"gatehouse/internal/problem"
	"gatehouse/internal/safetext"
	"gatehouse/ui/screen"
)

const (
	// cardWidth is how wide the card is at most, and leastCard how many cells and lines it
	// takes at least; with fewer the form stands without a box.
	cardWidth, leastWidth, leastHeight = 64, 36, 7
	// cardPadding is how far the form stands from the sides of the card.
	cardPadding = 3
)

// leastForTitles is the width from which on the footer has room for long titles.
const leastForTitles = 100

func (m *Model) Layout(width, height int) {
	m.tipsAt, m.tipColumns = place{}, nil
	m.narrow = width < leastForTitles
	m.form.SetNote("email", m.line())
	m.form.SetNote("password", "")
	m.layOutChoice(width)
	var lines []string
	if width >= leastWidth && height >= leastHeight {
		lines = m.inMiddle(width, height)
	} else {
		lines = m.plain(width, height)
	}
	m.frame = screen.Box(strings.Join(lines, "\n"), width, height)
}

func (m *Model) View() string { return m.frame }

// arrangement is what stands on the screen.
type arrangement struct{ wordmark, roomy, tips bool }

// arrangements are in the order in which they are preferred.
var arrangements = []arrangement{
	{true, true, true}, {true, false, true}, {false, true, true}, {false, false, true},
	{true, true, false}, {false, true, false}, {false, false, false},
}

// leastForWordmark is the height from which on there is a wordmark.
const leastForWordmark = 17

// middle is what stands in the middle of a screen of some size: the card, with the wordmark
// above it and accounts to try below.
type middle struct {
	shown         arrangement
	width, height int
	card, inside  int      // cells of the card, and within it
	said          []string // what came of the last attempt
	tips          []string
	columns       []int // how wide those of the tips are
}

// inMiddle draws as much as there is room for.
func (m *Model) inMiddle(width, height int) []string {
	card := min(width, cardWidth)
	v := &middle{width: width, height: height, card: card, inside: card - 2 - 2*cardPadding}
	v.said = m.message(v.inside)
	v.tips, v.columns = m.tips(width)
	for _, v.shown = range arrangements {
		if v.isPossible() && m.linesOf(v) <= height {
			break
		}
	}
	// The place of the form does not depend on what is said below it.
	free := height - m.linesOf(v)
	lines := make([]string, max(min((free+v.saidLines()-1)/2, free), 0))
	if v.shown.wordmark {
		for _, line := range m.wordmark() {
			lines = append(lines, screen.Centred(line, width))
		}
		lines = append(lines, "")
	}
	return m.addTips(m.addCard(lines, v), v)
}

// isPossible reports whether there is what is to be shown.
func (v *middle) isPossible() bool {
	return (!v.shown.tips || len(v.tips) > 0) && (!v.shown.wordmark || v.height >= leastForWordmark)
}

// saidLines is how many lines are kept for what came of the last attempt.
func (v *middle) saidLines() int { return max(len(v.said), 1) }

// linesOf is how many lines everything takes.
func (m *Model) linesOf(v *middle) int {
	total := m.cardLines(v)
	if v.shown.wordmark {
		total += len(m.wordmark()) + 1
	}
	if v.shown.tips {
		total += len(v.tips) + 1
	}
	return total
}

// cardLines is how many lines the card takes.
func (m *Model) cardLines(v *middle) int {
	form := m.form.Lines(v.shown.roomy)
	if v.shown.roomy {
		form++ // an empty line above
	}
	return form + v.saidLines() + len(m.reason(cardWidth-2-2*cardPadding)) + 2
}

// addCard puts the card below some lines.
func (m *Model) addCard(lines []string, v *middle) []string {
	if !v.shown.tips && len(m.options.Tips) > 0 {
		m.form.SetNote("password", m.env.Theme.Muted.Render("demo for all accounts; "+m.env.Keys.Key("signin.account")+" fills one in"))
	}
	room := min(m.cardLines(v), v.height-len(lines))
	inside, formAt := m.inside(v, room-2)
	m.formAt = len(lines) + 1 + formAt
	pane := screen.Pane{Title: "Sign in", Note: AuthorityTitle(m.chosenAuthority()), Padding: cardPadding, Border: &m.env.Theme.BoxLine}
	drawn := strings.Split(pane.Draw(m.env.Theme, strings.Join(inside, "\n"), v.card, room), "\n")
	return append(lines, screen.Indented(drawn, (v.width-v.card)/2)...)
}

// inside is what stands in the card: why the person has to sign in, the form, which begins at
// a line of that, and what came of it.
func (m *Model) inside(v *middle, height int) (lines []string, formAt int) {
	lines = m.reason(v.inside)
	if v.shown.roomy {
		lines = append(lines, "")
	}
	formAt = len(lines)
	m.form.Layout(v.inside, max(height-len(lines)-v.saidLines(), 2))
	lines = append(lines, strings.Split(m.form.View(), "\n")...)
	return append(lines, m.clip(v.said, v.inside, height-len(lines))...), formAt
}

// addTips puts the accounts to try below some lines.
func (m *Model) addTips(lines []string, v *middle) []string {
	if !v.shown.tips {
		return lines
	}
	all := 0
	for _, column := range v.columns {
		all += column
	}
	left := max((v.width-all)/2, 0)
	lines = append(lines, "")
	m.tipsAt, m.tipColumns = place{left, len(lines) + tipHead}, v.columns
	return append(lines, screen.Indented(v.tips, left)...)
}

// leastForm is how many lines the form keeps without a card: the focused field and what is
// wrong with it.
const leastForm = 3

// plain is the form where there is no room for a card: the focused field comes first, then
// what went wrong.
func (m *Model) plain(width, height int) []string {
	lines, said := m.reason(width), m.message(width)
	lines = lines[:min(len(lines), height/3)]
	if m.problem != nil && m.form.Value("password") == "" && len(lines)+leastForm+len(said) > height {
		return said // no room for both: the next key brings the form back
	}
	if len(said) == 0 {
		said = []string{m.line()}
	}
	m.formAt = len(lines)
	m.form.Layout(width, max(height-len(lines)-len(said), min(height, leastForm)))
	lines = append(lines, strings.Split(m.form.View(), "\n")...)
	return append(lines, m.clip(said, width, height-len(lines))...)
}

// reason is why the person has to sign in.
func (m *Model) reason(width int) []string {
	if m.options.Reason == "" {
		return nil
	}
	lines := strings.Split(screen.Wrap(m.options.Reason, width), "\n")
	for i, line := range lines {
		lines[i] = m.env.Theme.Warn.Render(line)
	}
	return append(lines, "")
}

// message is what came of the last attempt, or what is under way.
func (m *Model) message(width int) []string {
	t := m.env.Theme
	switch {
	case m.attempt != nil:
		text := t.Glyphs.Running + " signing in as " + safetext.Line(m.form.Value("email")) + t.Glyphs.More
		return []string{screen.Cut(t.Accent.Render(text), width)}
	case m.problem == nil:
		return nil
	}
	style, mark := t.Bad, t.Glyphs.Bad
	if m.problem.Kind == problem.Cancelled {
		style, mark = t.Muted, t.Glyphs.Skipped
	}
	text := m.problem.Sentence
	if m.problem.Hint != "" {
		text += " " + m.problem.Hint
	}
	lines := strings.Split(screen.Wrap(text, width-2), "\n")
	for i, line := range lines {
		lines[i] = "  " + line
	}
	lines[0] = style.Render(mark) + " " + strings.TrimPrefix(lines[0], "  ")
	return lines
}

// clip keeps the lines for which there is room and marks where more were.
func (m *Model) clip(lines []string, width, room int) []string {
	if len(lines) <= room || room < 1 {
		return lines[:max(min(len(lines), room), 0)]
	}
	last := strings.TrimRight(lines[room-1], " ") + m.env.Theme.Glyphs.More
	return append(slices.Clone(lines[:room-1]), screen.Cut(last, width))
}
