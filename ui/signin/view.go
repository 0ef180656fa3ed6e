package signin

import (
	"slices"
	"strings"

	"gatehouse/internal/safetext"
	"gatehouse/ui/layout"
)

// View implements [screen.Screen]. On a small screen the focused field comes
// first, then what went wrong, then all else.
func (m *Model) View(width, height int) string {
	lines := []string{}
	if m.options.Reason != "" {
		reason := strings.Split(layout.Wrap(m.options.Reason, width), "\n")
		for _, line := range reason[:min(len(reason), max(height/3, 1))] {
			lines = append(lines, m.env.Theme.Warn.Render(line))
		}
	}
	if m.attempt != nil {
		lines = append(lines, m.env.Theme.Accent.Render("signing in as "+safetext.Line(m.form.Value("email"))+m.env.Theme.Glyphs.More))
		return layout.Box(strings.Join(lines, "\n"), width, height)
	}
	trouble := m.trouble(width, height)
	if len(lines)+len(trouble)+3 > height && m.problem != nil && m.form.Value("password") == "" {
		// No room for both: the next key brings the form back.
		return layout.Box(strings.Join(trouble, "\n"), width, height)
	}
	room := max(height-len(lines)-len(trouble), min(height, 3))
	m.formAt = len(lines)
	form := m.form.View(width, min(room, m.form.Height()))
	lines = append(lines, strings.Split(form, "\n")...)
	lines = append(lines, trouble...)
	if line := m.line(); line != "" && (len(trouble) == 0 || len(lines) < height) {
		lines = append(lines, line)
	}
	if tips := m.tips(width); len(trouble) == 0 && len(tips) > 0 && len(lines)+len(tips)+2 <= height {
		lines = append(append(lines, ""), tips...)
	}
	return layout.Box(strings.Join(lines, "\n"), width, height)
}

// trouble says why the last attempt failed and what to do, with space around
// where there is room for it.
func (m *Model) trouble(width, height int) []string {
	if m.problem == nil {
		return nil
	}
	lines := strings.Split(layout.Trouble(m.env.Theme, *m.problem, width), "\n")
	if height < m.form.Height()+len(lines)+1 {
		return slices.DeleteFunc(lines, func(line string) bool { return line == "" })
	}
	return append([]string{""}, lines...)
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
