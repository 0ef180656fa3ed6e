package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/menu"
	"gatehouse/ui/screen"
)

// mouseNote says how to select text while the program uses the mouse.
const mouseNote = "Hold shift to select text with the mouse."

// showHelp lists every key that works here, the section of the screen first and what works
// everywhere behind the other keys.
func (r *root) showHelp() tea.Cmd {
	title, sections := "Keys", []menu.Section{}
	section := func(name string) int {
		return slices.IndexFunc(sections, func(s menu.Section) bool { return s.Title == name })
	}
	for _, a := range screen.ShownActions(r.actions, r.typing()) {
		name := r.env.Keys.GroupOf(a.ID)
		at := section(name)
		if at < 0 {
			at, sections = len(sections), append(sections, menu.Section{Title: name})
		}
		sections[at].Actions = append(sections[at].Actions, a)
	}
	if at := section(r.env.Keys.GroupOf("root.help")); at >= 0 {
		everywhere := sections[at]
		sections = append(slices.Delete(sections, at, at+1), everywhere)
	}
	if page := r.page(); page != nil {
		title = "Keys on " + page.Title()
	}
	if provider, ok := r.page().(screen.HelpProvider); ok {
		at := min(1, len(sections)) // behind the section of the screen
		for _, s := range slices.Backward(provider.Help()) {
			sections = slices.Insert(sections, at, menu.Section{Title: s.Title, Notes: s.Notes})
		}
	}
	return r.stack.Push(menu.NewHelp(r.env, title, append(sections, r.legend()), r.perform))
}

// legend explains the signs that stand for no value, and the mouse.
func (r *root) legend() menu.Section {
	g := r.env.Theme.Glyphs
	s := menu.Section{Title: "Signs", Notes: []screen.HelpNote{
		{Typed: g.MissingValue, Text: "the record has no such field"},
		{Typed: g.UnsetValue, Text: "the field is there, but was never set"},
	}}
	if !r.options.NoMouse {
		s.Notes = append(s.Notes, screen.HelpNote{Text: mouseNote})
	}
	return s
}
