package signin

import (
	"slices"
	"strings"

	"gatehouse/internal/safetext"
	"gatehouse/ui/screen"
)

// Layout implements [screen.Screen].
func (m *Model) Layout(width, height int) {
	m.frame = screen.Box(strings.Join(m.lines(width, height), "\n"), width, height)
}

// View implements [screen.Screen].
func (m *Model) View() string { return m.frame }

// lines are those of the screen. Where there are few, the focused field comes first,
// then what went wrong, then all else.
func (m *Model) lines(width, height int) []string {
	lines := []string{}
	if m.options.Reason != "" {
		reason := strings.Split(screen.Wrap(m.options.Reason, width), "\n")
		for _, line := range reason[:min(len(reason), max(height/3, 1))] {
			lines = append(lines, m.env.Theme.Warn.Render(line))
		}
	}
	if m.attempt != nil {
		return append(lines, m.env.Theme.Accent.Render("signing in as "+safetext.Line(m.form.Value("email"))+m.env.Theme.Glyphs.More))
	}
	below := m.below(width, height)
	if m.problem != nil && m.form.Value("password") == "" && len(lines)+leastForm+m.sentence(width) > height {
		return below // no room for both: the next key brings the form back
	}
	m.formAt = len(lines)
	m.form.Layout(width, max(height-len(lines)-len(below), min(height, leastForm)))
	lines = append(lines, strings.Split(m.form.View(), "\n")...)
	return append(lines, m.clip(below, width, height-len(lines))...)
}

// leastForm is how many lines the form keeps: the focused field and what is wrong
// with it.
const leastForm = 3

// sentence is how many lines it takes to say what went wrong.
func (m *Model) sentence(width int) int {
	said, _, _ := strings.Cut(screen.Trouble(m.env.Theme, *m.problem, width), "\n\n")
	return strings.Count(said, "\n") + 1
}

// clip keeps the lines for which there is room and marks where more were.
func (m *Model) clip(lines []string, width, room int) []string {
	if len(lines) <= room || room < 1 {
		return lines
	}
	last := strings.TrimRight(lines[room-1], " ") + m.env.Theme.Glyphs.More
	return append(slices.Clone(lines[:room-1]), screen.Cut(last, width))
}

// below is what stands under the form: what went wrong, or else accounts to try
// where there is room for all of them, after what is known of the address.
func (m *Model) below(width, height int) []string {
	known := m.line()
	if m.problem != nil {
		trouble := m.trouble(width, height)
		if known == "" || m.form.Height()+len(trouble)+2 > height {
			return trouble
		}
		return append(trouble, "", known)
	}
	// The line is there, empty or not, so that the form keeps its place.
	lines := []string{known}
	if tips := m.tips(width); len(tips) > 0 && m.form.Height()+len(tips)+2 <= height {
		lines = append(append(lines, ""), tips...)
	}
	return lines
}

// trouble says why the last attempt failed and what to do, with space around
// where there is room for it.
func (m *Model) trouble(width, height int) []string {
	if m.problem == nil {
		return nil
	}
	lines := strings.Split(screen.Trouble(m.env.Theme, *m.problem, width), "\n")
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
		lines = append(lines, screen.Cut(line, width))
	}
	return lines
}
