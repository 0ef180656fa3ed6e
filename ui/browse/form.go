package browse

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/styles"
	"gatehouse/ui/form"
	"gatehouse/ui/screen"
)

// formBox is a form in a box over a list.
type formBox struct {
	*form.Model
	title string
	cells int
	// about are lines that stand above the form as far as there is room; nil: none.
	about func(width int) []string
	// submit says what confirming does, and done does it.
	submit string
	done   func() tea.Cmd

	above []string // the lines over the form
}

func (f *formBox) Title() string { return f.title }

func (f *formBox) Overlay() {}

func (f *formBox) Init() tea.Cmd { return nil }

func (f *formBox) Close() {}

func (f *formBox) Update(msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg:
		if f.Model.Update(msg); f.Done() {
			return f.done()
		}
	}
	return nil
}

func (f *formBox) Actions() []screen.Action { return f.Model.Actions(f.submit, false) }

func (f *formBox) lines(width int) []string {
	if f.about == nil {
		return nil
	}
	return append(f.about(width), "")
}

func (f *formBox) Boxed(width, _ int) (pane screen.Pane, cells, lines int) {
	cells = min(width, f.cells)
	return screen.Pane{Title: f.title, Padding: 1}, cells, len(f.lines(cells)) + f.Height()
}

func (f *formBox) Layout(width, height int) {
	f.above = f.lines(width)
	f.above = f.above[:max(0, min(len(f.above), height-f.Height()))]
	f.Model.Layout(width, max(height-len(f.above), 1))
}

func (f *formBox) View() string {
	return strings.Join(append(slices.Clone(f.above), f.Model.View()), "\n")
}

func (f *formBox) Click(_, y int) tea.Cmd {
	f.Model.Click(y - len(f.above))
	return nil
}

// wrapped are the lines of a text in a style.
func wrapped(style styles.Style, text string, width int) []string {
	return strings.Split(style.Render(screen.Wrap(text, width)), "\n")
}
