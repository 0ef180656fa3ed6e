// Package filter is the line above a list in which a person types what to look
// for: one for every screen that can be filtered.
package filter

import (
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/safetext"
	"gatehouse/styles"
	"gatehouse/ui/action"
	"gatehouse/ui/typed"
)

// Model is a filter line.
type Model struct {
	onChange func(text string) tea.Cmd
	theme    *styles.Theme
	input    textinput.Model
	open     bool
}

// New makes a closed, empty filter line. Each change of its text is answered by
// onChange with the work that it asks for.
func New(theme *styles.Theme, onChange func(text string) tea.Cmd) *Model {
	input := textinput.New()
	input.Prompt = ""
	input.CharLimit = 200
	plain := textinput.DefaultStyles(true)
	plain.Cursor.Blink = false
	plain.Focused, plain.Blurred = textinput.StyleState{}, textinput.StyleState{}
	input.SetStyles(plain)
	return &Model{onChange: onChange, theme: theme, input: input}
}

// Text is what the list is filtered by.
func (m *Model) Text() string { return strings.TrimSpace(m.input.Value()) }

// Words are the parts of the text, each of which must be found.
func (m *Model) Words() []string { return strings.Fields(m.input.Value()) }

// Typing reports that the line has the focus.
func (m *Model) Typing() bool { return m.open }

// Visible reports that the line takes a row of the screen.
func (m *Model) Visible() bool { return m.open || m.Text() != "" }

// Actions are the keys of the line: to open, keep and clear it.
func (m *Model) Actions() []action.Action {
	if m.open {
		return []action.Action{
			{ID: "filter.keep", Keys: []string{"enter", "down"}, Title: "keep", Description: "keep the filter and go to the list", Typing: true, Run: m.keep},
			{ID: "filter.clear", Keys: []string{"esc"}, Title: "clear", Description: "show everything again", Typing: true, Run: m.clear},
		}
	}
	list := []action.Action{
		{ID: "filter.open", Keys: []string{"/"}, Title: "filter", Description: "filter by words, all of which must be found", Run: m.edit},
	}
	if m.Visible() {
		list = append(list, action.Action{ID: "filter.clear", Keys: []string{"esc"}, Title: "clear filter", Description: "show everything again", Run: m.clear})
	}
	return list
}

// Update takes keys and pastes while the line has the focus. The field's own
// command is dropped: it would read the clipboard of the machine that runs the
// program, which need not be the person's.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if !m.open {
		return nil
	}
	before := m.input.Value()
	m.input, _ = m.input.Update(typed.Clean(msg))
	if m.input.Value() == before {
		return nil
	}
	return m.onChange(m.Text())
}

// View is one line of at most width cells.
func (m *Model) View(width int) string {
	label := "filter "
	if m.open {
		label = "filter: "
		m.input.SetWidth(max(width-safetext.Width(label)-1, 1))
		return m.theme.Accent.Render(label) + m.input.View()
	}
	return m.theme.Muted.Render(safetext.Truncate(label+safetext.Line(m.Text()), width))
}

func (m *Model) edit() tea.Cmd {
	m.open = true
	m.input.Focus()
	return nil
}

func (m *Model) keep() tea.Cmd {
	m.open = false
	m.input.Blur()
	return nil
}

func (m *Model) clear() tea.Cmd {
	m.keep()
	if m.input.Value() == "" {
		return nil
	}
	m.input.SetValue("")
	return m.onChange("")
}
