package signin

import (
	"strings"

	"gatehouse/internal/safetext"
	"gatehouse/ui/layout"
)

// formHeight is what the form takes with its hint; a line for the domain follows.
const formHeight = 8

// View implements [screen.Screen].
func (m *Model) View(width, height int) string {
	blocks := []string{}
	if m.options.Reason != "" {
		blocks = append(blocks, m.env.Theme.Warn.Render(layout.Wrap(m.options.Reason, width)))
	}
	if m.attempt != nil {
		blocks = append(blocks, m.env.Theme.Accent.Render("signing in as "+safetext.Line(m.form.Value("email"))+m.env.Theme.Glyphs.More))
	} else {
		blocks = append(blocks, m.form.View(width, min(height, formHeight)), m.line())
	}
	if m.problem != nil {
		blocks = append(blocks, layout.Trouble(m.env.Theme, *m.problem, width))
	} else if tips := m.tips(width); len(tips) > 0 && height >= formHeight+len(tips)+3 {
		blocks = append(blocks, "", strings.Join(tips, "\n"))
	}
	return layout.Box(strings.Join(blocks, "\n"), width, height)
}

// tips lists the accounts that can be tried.
func (m *Model) tips(width int) []string {
	if len(m.options.Tips) == 0 {
		return nil
	}
	longest := 0
	for _, tip := range m.options.Tips {
		longest = max(longest, safetext.Width(tip.Account))
	}
	lines := []string{m.env.Theme.Strong.Render("Accounts to try; every password is demo")}
	for _, tip := range m.options.Tips {
		line := "  " + m.env.Theme.Accent.Render(safetext.Pad(tip.Account, longest)) + "  " + m.env.Theme.Muted.Render(tip.Shows)
		lines = append(lines, layout.Cut(line, width))
	}
	return lines
}
