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

// Layout implements [screen.Screen].
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

// View implements [screen.Screen].
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

// inMiddle is the card in the middle, with the wordmark above it and accounts to try below.
func (m *Model) inMiddle(width, height int) []string {
	card := min(width, cardWidth)
	said := m.message(card - 2 - 2*cardPadding)
	tips, columns := m.tips(width)
	for _, a := range arrangements {
		if a.tips && len(tips) == 0 || a.wordmark && height < leastForWordmark {
			continue
		}
		total := m.cardLines(a, max(len(said), 1))
		if a.wordmark {
			total += len(m.wordmark()) + 1
		}
		if a.tips {
			total += len(tips) + 1
		}
		if total > height && a != arrangements[len(arrangements)-1] {
			continue
		}
		// The place of the form does not depend on what is said below it.
		top := max(min((height-total+max(len(said), 1)-1)/2, height-total), 0)
		if !a.tips {
			tips = nil
		}
		return m.arrange(a, width, height, top, said, tips, columns)
	}
	return nil
}

// cardLines is how many lines the card takes with so many for what is said.
func (m *Model) cardLines(a arrangement, said int) int {
	form := m.form.Lines(a.roomy)
	if a.roomy {
		form++ // an empty line above
	}
	return form + said + len(m.reason(cardWidth-2-2*cardPadding)) + 2
}

// arrange puts the parts under each other, in the middle of the lines.
func (m *Model) arrange(a arrangement, width, height, top int, said, tips []string, columns []int) []string {
	lines := make([]string, top)
	if a.wordmark {
		for _, line := range m.wordmark() {
			lines = append(lines, screen.Centred(line, width))
		}
		lines = append(lines, "")
	}
	card := min(width, cardWidth)
	left := (width - card) / 2
	if len(tips) == 0 && len(m.options.Tips) > 0 {
		m.form.SetNote("password", m.env.Theme.Muted.Render("demo for all accounts; "+m.env.Keys.Key("signin.account")+" fills one in"))
	}
	room := min(m.cardLines(a, max(len(said), 1)), height-len(lines))
	inside := m.inside(a, card-2-2*cardPadding, room-2, said)
	m.formAt = place{left + 1 + cardPadding, len(lines) + 1 + m.formAt.y}
	pane := screen.Pane{Title: "Sign in", Note: AuthorityTitle(m.chosenAuthority()), Padding: cardPadding, Border: &m.env.Theme.BoxLine}
	for line := range strings.SplitSeq(pane.Draw(m.env.Theme, strings.Join(inside, "\n"), card, room), "\n") {
		lines = append(lines, strings.Repeat(" ", left)+line)
	}
	if len(tips) == 0 {
		return lines
	}
	lines = append(lines, "")
	all := 0
	for _, column := range columns {
		all += column
	}
	left = max((width-all)/2, 0)
	m.tipsAt, m.tipColumns = place{left, len(lines) + tipHead}, columns
	for _, line := range tips {
		lines = append(lines, strings.Repeat(" ", left)+line)
	}
	return lines
}

// inside is what stands in the card: why the person has to sign in, the form, and what
// came of it. It sets the line on which the form begins.
func (m *Model) inside(a arrangement, width, height int, said []string) []string {
	lines := m.reason(width)
	if a.roomy {
		lines = append(lines, "")
	}
	m.formAt.y = len(lines)
	m.form.Beside = true
	m.form.Layout(width, max(height-len(lines)-max(len(said), 1), 2))
	lines = append(lines, strings.Split(m.form.View(), "\n")...)
	return append(lines, m.clip(said, width, height-len(lines))...)
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
	m.formAt = place{0, len(lines)}
	m.form.Beside = false
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
