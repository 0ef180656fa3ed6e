package browse

import (
	"gatehouse/ui/form"
	"gatehouse/ui/screen"
)

// formBox is a form in a box over a list.
type formBox struct {
	*form.Model
	title string
	cells int
	// about are lines that stand above the form as far as there is room; nil: none.
	about  func(width int) []string
	submit string // says what confirming does
}

func (f *formBox) Title() string { return f.title }

func (f *formBox) Overlay() {}

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

func (f *formBox) Draw(width, height int) string {
	above := f.lines(width)
	return f.DrawUnder(above[:max(0, min(len(above), height-f.Height()))], width, height)
}
