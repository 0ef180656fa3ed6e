package browse

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/safetext"
	"gatehouse/ui/form"
	"gatehouse/ui/screen"
)

// savedFilter is a filter that a person has named. It is kept with the columns.
type savedFilter struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// savedKey is where the state keeps the filters of this list.
func (l *List) savedKey() string { return l.options.Many + ".filters" }

func (l *List) savedFilters() []savedFilter {
	var saved []savedFilter
	l.env.State.Get(l.savedKey(), &saved)
	return saved
}

// saveAction asks for a name for the filter.
func (l *List) saveAction() screen.Action {
	a := screen.Action{ID: "browse.savefilter", Run: func() tea.Cmd { return l.Over(newFilterForm(l)) }}
	if l.filter.Text() == "" {
		a.Reason, a.First = "there is no filter to save", "filter.open"
	}
	return a
}

// saveFilter keeps the filter under a name, in the place of another one that has it.
func (l *List) saveFilter(name string) tea.Cmd {
	saved := slices.DeleteFunc(l.savedFilters(), func(f savedFilter) bool { return f.Name == name })
	l.env.State.Set(l.savedKey(), append(saved, savedFilter{name, l.filter.Text()}))
	said := "Saved the filter " + safetext.Clip(name, maxName) + "; " + l.env.Keys.Key("root.palette") + " finds it."
	return tea.Batch(l.pop(), l.env.Root.Say(said, false))
}

func (l *List) deleteFilter(name string) tea.Cmd {
	saved := slices.DeleteFunc(l.savedFilters(), func(f savedFilter) bool { return f.Name == name })
	l.env.State.Set(l.savedKey(), saved)
	return l.env.Root.Say("Deleted the filter "+safetext.Clip(name, maxName)+".", false)
}

// PaletteEntries offers the saved filters.
func (l *List) PaletteEntries() []screen.PaletteEntry {
	if l.source == nil {
		return nil
	}
	var use, remove []screen.PaletteEntry
	for _, f := range l.savedFilters() {
		use = append(use, screen.PaletteEntry{Group: "Filters of " + l.options.Many, Title: f.Name, Note: f.Text, Run: func() tea.Cmd {
			return tea.Batch(l.pop(), l.filter.Set(f.Text))
		}})
		remove = append(remove, screen.PaletteEntry{Group: "Filters of " + l.options.Many, Title: "Delete the filter " + f.Name, Note: f.Text, Run: func() tea.Cmd {
			return l.deleteFilter(f.Name)
		}})
	}
	return append(use, remove...)
}

// maxFilterName is how many characters a name may have.
const maxFilterName = 60

// newFilterForm asks for the name of a filter.
func newFilterForm(l *List) *formBox {
	f := &formBox{title: "Save the filter", submit: "save the filter", cells: minBox}
	f.Model = form.New(l.env.Theme, form.Field{
		Key: "name", Label: "Name", Hint: safetext.Clip(l.filter.Text(), maxFilterName), Check: required("the filter needs a name"),
	})
	f.Submit = func() tea.Cmd { return l.saveFilter(f.Value("name")) }
	f.Start("name")
	return f
}
