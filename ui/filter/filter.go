// Package filter is the line in which a person types what to look for, in a
// list or in a document: one for every screen that can be filtered or searched.
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

// Purpose is what people read about a line: its Name, which is a verb as well
// ("filter", "search"), and what Open and Clear do, as sentences for the help.
// With Anew the line is empty each time that it is opened.
type Purpose struct {
	Name, Open, Clear string
	Anew              bool
}

var filtering = Purpose{Name: "filter", Open: "filter by words, all of which must be found", Clear: "show everything again"}

// MaxText is how many characters the line takes.
const MaxText = 1000

// Model is a filter line.
type Model struct {
	purpose  Purpose
	onChange func(text string) tea.Cmd
	theme    *styles.Theme
	input    textinput.Model
	open     bool
}

// New makes a closed, empty filter line. Each change of its text is answered by
// onChange with the work that it asks for.
func New(theme *styles.Theme, onChange func(text string) tea.Cmd) *Model {
	return For(filtering, theme, onChange)
}

// For is New for a line of another purpose.
func For(purpose Purpose, theme *styles.Theme, onChange func(text string) tea.Cmd) *Model {
	input := textinput.New()
	input.Prompt = ""
	input.CharLimit = MaxText
	plain := textinput.DefaultStyles(true)
	plain.Cursor.Blink = false
	plain.Focused, plain.Blurred = textinput.StyleState{}, textinput.StyleState{}
	input.SetStyles(plain)
	return &Model{purpose: purpose, onChange: onChange, theme: theme, input: input}
}

// Text is what the list is filtered by.
func (m *Model) Text() string { return strings.TrimSpace(m.input.Value()) }

// Words are the parts of the text, each of which must be found.
func (m *Model) Words() []string { return strings.Fields(m.input.Value()) }

// Set puts a text into the line, which is answered as if it had been typed.
func (m *Model) Set(text string) tea.Cmd {
	m.input.SetValue(text)
	m.input.CursorEnd()
	return m.onChange(m.Text())
}

// Typing reports that the line has the focus.
func (m *Model) Typing() bool { return m.open }

// Visible reports that the line takes a row of the screen.
func (m *Model) Visible() bool { return m.open || m.Text() != "" }

// Actions are the keys of the line: to open, keep and clear it.
func (m *Model) Actions() []action.Action {
	if m.open {
		return []action.Action{
			{ID: m.id("keep"), Run: m.keep},
			{ID: m.id("clear"), Title: "clear", Description: m.purpose.Clear, Run: m.clear},
		}
	}
	list := []action.Action{
		{ID: m.id("open"), Title: m.purpose.Name, Description: m.purpose.Open, Run: m.edit},
	}
	if m.Visible() {
		list = append(list, action.Action{ID: m.id("clear"), Title: "clear " + m.purpose.Name, Description: m.purpose.Clear, Run: m.clear})
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
	label := m.purpose.Name + " "
	if m.open {
		label = m.purpose.Name + ": "
		m.input.SetWidth(max(width-safetext.Width(label)-1, 1))
		return m.theme.Accent.Render(label) + m.input.View()
	}
	return m.theme.Muted.Render(safetext.Truncate(label+safetext.Line(m.Text()), width))
}

// id names an action of the line: "filter.open".
func (m *Model) id(action string) string { return m.purpose.Name + "." + action }

// Click gives the line the focus with the text that is in it, and reports whether
// there was a line to hit.
func (m *Model) Click() bool {
	if !m.Visible() {
		return false
	}
	m.focus()
	return true
}

func (m *Model) focus() {
	m.open = true
	m.input.Focus()
}

func (m *Model) edit() tea.Cmd {
	m.focus()
	if m.purpose.Anew {
		return m.empty()
	}
	return nil
}

func (m *Model) keep() tea.Cmd {
	m.open = false
	m.input.Blur()
	return nil
}

func (m *Model) clear() tea.Cmd {
	m.keep()
	return m.empty()
}

func (m *Model) empty() tea.Cmd {
	if m.input.Value() == "" {
		return nil
	}
	m.input.SetValue("")
	return m.onChange("")
}
