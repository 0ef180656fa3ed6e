package signin

import (
	"slices"
	"strings"

	"gatehouse/internal/problem"
	"gatehouse/internal/safetext"
	"gatehouse/ui/screen"
)

const (
	// cardWidth is how wide the card is at most, and minWidth and minHeight what it takes at
	// least; with less the form stands without a box.
	cardWidth, minWidth, minHeight = 64, 36, 7
	// cardPadding is how far the form stands from the sides of the card.
	cardPadding = 3
	// minWordmark is the height from which on there is a wordmark.
	minWordmark = 17
)

// Draw puts the card in the middle, and where there is room the accounts to try below it and
// the wordmark above.
func (m *Model) Draw(width, height int) string {
	m.width, m.tipRows = width, 0
	m.form.SetNote("email", m.line())
	m.form.SetNote("password", "")
	m.layOutChoice(width)
	if width < minWidth || height < minHeight {
		m.formAt = 0
		return m.form.DrawBelow(slices.Concat(m.reason(width-2), m.message(width-2)), width, height)
	}
	return screen.Box(strings.Join(m.inMiddle(width, height), "\n"), width, height)
}

func (m *Model) inMiddle(width, height int) []string {
	card := min(width, cardWidth)
	inner := card - 2 - 2*cardPadding
	head, said := m.reason(inner), m.message(inner)
	kept := max(len(said), 1) // the form keeps its place while there is nothing to say
	form := m.form.Height()
	free := height - 2 - len(head) - form - kept
	if free < 0 {
		form = max(form+free, 2)
	}
	tips := m.tips(width)
	if len(tips) > max(free, 0) {
		tips, m.tipRows = nil, 0
		m.form.SetNote("password", m.env.Theme.Muted.Render("demo for all accounts; "+m.env.Keys.Key("signin.account")+" fills one in"))
	}
	free -= len(tips)
	lines := m.wordmark()
	if height < minWordmark || len(lines) > free {
		lines = nil
	}
	free -= len(lines)
	if more := 1 + m.form.RoomyHeight() - form; more <= free {
		head, form, free = append(head, ""), m.form.RoomyHeight(), free-more
	}
	inside := slices.Concat(head, strings.Split(m.form.Draw(inner, form), "\n"), said)
	pane := screen.Pane{Title: "Sign in", Note: AuthorityTitle(m.chosenAuthority()), Padding: cardPadding, Border: &m.env.Theme.BoxLine}
	drawn := strings.Split(pane.Draw(m.env.Theme, strings.Join(inside, "\n"), card, min(2+len(head)+form+kept, height)), "\n")

	lines = slices.Concat(make([]string, max(min((free+kept-1)/2, free), 0)), lines)
	m.formAt = len(lines) + 1 + len(head)
	lines = append(lines, screen.Indented(drawn, (width-card)/2)...)
	m.tipsAt.y = len(lines) + tipHead
	return append(lines, screen.Indented(tips, m.tipsAt.x)...)
}

// reason is why the person has to sign in.
func (m *Model) reason(width int) []string {
	if m.options.Reason == "" {
		return nil
	}
	return append(screen.Wrapped(m.env.Theme.Warn, m.options.Reason, width), "")
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
