package browse

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/lists"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
	"gatehouse/ui/form"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

var filterPurpose = grid.FilterPurpose{
	Name: "filter", Open: "filter by words, columns and comparisons", Clear: "show everything again",
	OpenID: screen.FilterOpen, KeepID: screen.FilterKeep, ClearID: screen.FilterClear,
}

// completion is what the last completion made of which text.
type completion struct {
	typed, made string
	tries       int
}

// complete writes out the name of the column that the last word begins or may mean;
// again, that of the next one.
func (l *List) complete() tea.Cmd {
	c := &l.completion
	if text := l.filter.Text(); text != c.made || c.made == "" {
		*c = completion{typed: text}
	}
	if offer := l.offer(); offer != nil && offer.Fixes != nil {
		return l.filter.Set(offer.Fixes[0])
	}
	meant := l.source.table.Complete(c.typed, l.env.Asker())
	if len(meant) == 0 {
		word := c.typed[strings.LastIndexByte(c.typed, ' ')+1:]
		return l.env.Root.Say("No column begins with "+safetext.Clip(word, maxName)+".", false)
	}
	c.made = meant[c.tries%len(meant)]
	c.tries++
	return l.filter.Set(c.made)
}

// notes say what may surprise in how the filter was understood, in as many words as there is room for.
func (l *List) notes(room int) []string {
	if l.arranged == nil || l.arranged.filter != l.filter.Text() {
		return nil
	}
	const maxNotes = 2
	var notes []string
	for _, n := range l.arranged.query.Notices() {
		notes = append(notes, l.noticed(n, room))
	}
	if offer := l.offer(); offer != nil {
		notes = append(notes, l.noticed(*offer, room))
	}
	return notes[:min(len(notes), maxNotes)]
}

// offer is what may be meant by a filter that is understood, and finds nothing or leaves nothing out;
// nil: nothing.
func (l *List) offer() *lists.Notice {
	if l.arranged == nil || l.arranged.filter != l.filter.Text() || l.misunderstood() {
		return nil
	}
	return l.arranged.offer
}

// misunderstood reports that a term of the filter is looked for as text, as it makes no sense.
func (l *List) misunderstood() bool {
	if l.arranged == nil || l.arranged.filter != l.filter.Text() {
		return false
	}
	_, misunderstood := l.arranged.query.Misunderstood()
	return misunderstood
}

// noText says that what was not understood is the text of no record.
func (l *List) noText() string { return "No " + l.options.Many + " have this text either." }

// noticed says what was not understood, what may be meant and how that is taken, and whether the text
// itself was found. Where there is no room for all of that, how it is taken stays.
func (l *List) noticed(n lists.Notice, room int) string {
	said := safetext.Line(n.String())
	if !n.Misunderstood() && !n.Offers() {
		return said
	}
	spoken := l.env.Theme.Options.Spoken
	if n.Kind == lists.SortsInstead {
		said = screen.If(spoken, `"sort" and a column sorts; `) + screen.If(!spoken, l.env.Keys.Key(screen.BrowseSort)+" sorts; ") + said
	}
	separator := " " + l.env.Theme.Glyphs.Separator + " "
	if spoken {
		separator = ". "
	}
	meant := ""
	if len(n.Meant) > 0 && n.Kind != lists.UnclearColumn && n.Kind != lists.UnclearValue { // which name them
		meant = separator + "did you mean " + safetext.Line(strings.Join(n.Meant, " or ")) + "?"
	}
	takes, shortly := "", ""
	if n.Fixes != nil && !spoken {
		key := l.env.Keys.Key(screen.BrowseComplete) + " takes "
		takes = screen.If(meant == "", separator) + " " + key + screen.If(len(n.Fixes) == 1, "it") + screen.If(len(n.Fixes) > 1, "the first")
		shortly = key + safetext.Line(cmp.Or(strings.Join(n.Meant[:min(len(n.Meant), 1)], ""), n.Fixes[0]))
	}
	found := ""
	if count := l.grid.Len(); count > 0 && l.shown == l.arranged {
		found = separator + human.Count(count, "has", "have") + " it as text"
	}
	shorter := []string{said + meant + takes + found, said + meant + takes}
	if shortly == "" {
		shorter = append(shorter, said)
	} else {
		shorter = append(shorter, said+separator+shortly, shortly)
	}
	for _, note := range shorter {
		if safetext.Width(note) <= room {
			return note
		}
	}
	return shorter[len(shorter)-1]
}

// example is what may be typed into an empty filter: terms that find something in this list.
func (l *List) example() string {
	if l.source == nil {
		return ""
	}
	var terms []string
	for _, e := range l.source.table.QueryExamples() {
		if strings.ContainsAny(e.Example, ":<>=") && len(terms) < 2 {
			terms = append(terms, safetext.Clip(e.Example, maxName))
		}
	}
	if len(terms) == 0 {
		return ""
	}
	return "such as " + strings.Join(terms, " or ")
}

// Help says how the filter is written, for the help: first what finds something here.
func (l *List) Help() []screen.HelpSection {
	section := func(title string, help []lists.Help) screen.HelpSection {
		s := screen.HelpSection{Title: title}
		for _, h := range help {
			s.Notes = append(s.Notes, screen.HelpNote{Typed: safetext.Clip(h.Example, maxName), Text: safetext.Clip(h.Meaning, maxName)})
		}
		return s
	}
	var sections []screen.HelpSection
	if l.source != nil {
		sections = append(sections, section("Filters for this list", l.source.table.QueryExamples()))
	}
	return append(sections, section("Filter syntax", lists.QueryHelp()))
}

// rowsFrom are the rows from first up to end, never nil.
func rowsFrom(first, end int) []int32 {
	rows := make([]int32, end-first)
	for i := range rows {
		rows[i] = int32(first + i)
	}
	return rows
}

// savedFilter is a filter that a person has named. It is kept with the columns.
type savedFilter struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// savedKey is the key under which the state keeps the filters of this list.
func (l *List) savedKey() string { return l.options.Many + ".filters" }

func (l *List) savedFilters() []savedFilter {
	var saved []savedFilter
	l.env.State.Get(l.savedKey(), &saved)
	return saved
}

// setSaved keeps filters in the place of the one that has a name.
func (l *List) setSaved(name string, filters ...savedFilter) {
	others := slices.DeleteFunc(l.savedFilters(), func(f savedFilter) bool { return f.Name == name })
	l.env.State.Set(l.savedKey(), append(others, filters...))
}

// PaletteEntries offers the records opened last, and the saved filters.
func (l *List) PaletteEntries() []screen.Entry {
	if l.source == nil {
		return nil
	}
	var use, remove []screen.Entry
	for _, row := range l.recent {
		use = append(use, screen.Entry{Group: "Recent", Title: l.source.name(row, l.options.One), Note: "open this " + l.options.One + " again", Run: func() tea.Cmd {
			if !slices.Contains(l.recent, row) {
				return nil // the list was loaded again meanwhile
			}
			l.grid.Select(row)
			return l.openRow(row)
		}})
	}
	for _, f := range l.savedFilters() {
		use = append(use, screen.Entry{Group: "Filters of " + l.options.Many, Title: f.Name, Note: f.Text, Run: func() tea.Cmd {
			return tea.Batch(l.pop(), l.filter.Set(f.Text))
		}})
		remove = append(remove, screen.Entry{Group: "Filters of " + l.options.Many, Title: "Delete the filter " + f.Name, Note: f.Text, Run: func() tea.Cmd {
			l.setSaved(f.Name)
			return l.env.Root.Say("Deleted the filter "+safetext.Clip(f.Name, maxName)+".", false)
		}})
	}
	return append(use, remove...)
}

// maxFilterName is how many characters a name may have.
const maxFilterName = 60

// askForName asks for the name under which the filter is kept.
func (l *List) askForName() tea.Cmd {
	f := &form.Card{Heading: "Save the filter", Send: "save the filter", Cells: minBox}
	f.Model = form.New(l.env.Theme, form.Field{
		Key: "name", Label: "Name", Hint: safetext.Clip(l.filter.Text(), maxFilterName), Required: "the filter needs a name",
	})
	f.Submit = func() tea.Cmd {
		name := f.Value("name")
		l.setSaved(name, savedFilter{name, l.filter.Text()})
		said := "Saved the filter " + safetext.Clip(name, maxName) + "; " + cmp.Or(screen.If(l.env.Theme.Options.Spoken, "type its name to use it"), l.env.Keys.Key(screen.RootPalette)+" finds it") + "."
		return tea.Batch(l.pop(), l.env.Root.Say(said, false))
	}
	f.Start("name")
	return l.Over(f)
}
