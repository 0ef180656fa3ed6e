package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/safetext"
	"gatehouse/styles"
	"gatehouse/ui/layout"
	"gatehouse/ui/screen"
)

// help lists every key that works on what lies below it.
type help struct {
	title  string
	list   []screen.Action
	notes  []string
	offset int
	// page is how many lines were last shown.
	page int
}

// mouseNote says how text is selected while the program has the mouse.
const mouseNote = "Hold shift to select text with the mouse."

func (r *root) showHelp() tea.Cmd {
	h := &help{title: "Keys", list: screen.ShownActions(r.actions(), r.typing())}
	if stack := r.stackOf(r.current()); stack != nil {
		h.title = "Keys on " + stack.Screens()[0].Title()
		if provider, ok := stack.Screens()[0].(screen.HelpProvider); ok {
			h.notes = append(h.notes, provider.Help()...)
		}
	}
	if !r.options.NoMouse {
		h.notes = append(h.notes, "", mouseNote)
	}
	return r.cover(h)
}

func (h *help) actions(r *root) []screen.Action {
	return []screen.Action{
		{ID: "help.close", Run: r.uncover},
		{ID: "help.down", Run: h.scroll(1)},
		{ID: "help.up", Run: h.scroll(-1)},
		{ID: "help.pagedown", Run: h.scroll(h.page)},
		{ID: "help.pageup", Run: h.scroll(-h.page)},
	}
}

func (h *help) scroll(lines int) func() tea.Cmd {
	return func() tea.Cmd {
		h.wheel(lines)
		return nil
	}
}

func (h *help) wheel(lines int) {
	h.offset = min(max(h.offset+lines, 0), max(len(h.list)+len(h.notes)-h.page, 0))
}

// helpHead is how many lines stand above the list.
const helpHead = 2

// click does what the line says, on the screen below.
func (h *help) click(r *root, _, y int) tea.Cmd {
	at := y - helpHead + h.offset
	if y < helpHead || at >= len(h.list) {
		return nil
	}
	r.uncover()
	return r.perform(h.list[at])
}

func (h *help) view(theme *styles.Theme, width, height int) string {
	h.page = max(height-helpHead, 1)
	keys := 0
	for _, a := range h.list {
		keys = max(keys, safetext.Width(a.KeyNames()))
	}
	keys = min(keys, width/2)
	body := make([]string, 0, len(h.list)+len(h.notes))
	for _, a := range h.list {
		text := a.Description
		if !a.Enabled() {
			text += " (not now: " + a.Reason + ")"
		}
		body = append(body, theme.Key.Render(safetext.Fit(a.KeyNames(), keys))+"  "+theme.KeyText.Render(text))
	}
	for _, note := range h.notes {
		body = append(body, theme.Muted.Render(note))
	}
	body = body[min(h.offset, len(body)):]
	return layout.Box(theme.Strong.Render(h.title)+"\n\n"+strings.Join(body, "\n"), width, height)
}
