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

// completion is the state of completing the name of a column in the filter.
type completion struct {
	typed string // the filter before the first completion
	made  string // the filter after the last one
	tries int    // how many names were proposed
}

// complete completes the last word of the filter to the name of a column that it begins or may
// mean. The next call proposes the next such column.
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

// notes explain how the filter was understood where that may surprise. Each has as many words as
// fit into the room, in cells.
func (l *List) notes(room int) []string {
	if l.doneJob == nil || l.doneJob.filter != l.filter.Text() {
		return nil
	}
	const maxNotes = 2
	var notes []string
	for _, n := range l.doneJob.query.Notices() {
		notes = append(notes, l.noteOf(n, room))
	}
	if offer := l.offer(); offer != nil {
		notes = append(notes, l.noteOf(*offer, room))
	}
	return notes[:min(len(notes), maxNotes)]
}

// offer is what a filter may mean that is understood but finds nothing, or leaves nothing out;
// nil for nothing.
func (l *List) offer() *lists.Notice {
	if l.doneJob == nil || l.doneJob.filter != l.filter.Text() || l.misunderstood() {
		return nil
	}
	return l.doneJob.offer
}

// misunderstood reports whether a term of the filter makes no sense and is therefore looked for
// as text.
func (l *List) misunderstood() bool {
	if l.doneJob == nil || l.doneJob.filter != l.filter.Text() {
		return false
	}
	_, misunderstood := l.doneJob.query.Misunderstood()
	return misunderstood
}

// noText says that no record has the text of a term that was not understood.
func (l *List) noText() string { return "No " + l.options.Many + " have this text either." }

// noteOf says what was not understood, what it may mean, by which key that is accepted, and
// whether the text itself was found. If the room, in cells, is too small for all of that, the key
// stays.
func (l *List) noteOf(n lists.Notice, room int) string {
	said := safetext.Line(n.String())
	if !n.Misunderstood() && !n.Offers() {
		return said
	}
	spoken := l.env.Theme.Options.Spoken
	separator, asks := l.env.Theme.Between(), "did you mean "
	if spoken {
		separator, asks = ". ", "Did you mean "
	}
	if n.Kind == lists.SortsInstead {
		how := l.env.Keys.Key(screen.BrowseSort) + " sorts; "
		if spoken {
			how = `"sort" and a column sorts; `
		}
		said = how + said
	}
	meant := ""
	saysMeanings := n.Kind == lists.UnclearColumn || n.Kind == lists.UnclearValue
	if len(n.Meant) > 0 && !saysMeanings {
		meant = separator + asks + safetext.Line(strings.Join(n.Meant, " or ")) + "?"
	}
	found := ""
	if count := l.grid.Len(); count > 0 && l.shownJob == l.doneJob {
		found = separator + human.Count(count, "has", "have") + " it as text"
	}
	if n.Fixes == nil || spoken {
		return longestFitting(room, said+meant+found, said+meant, said)
	}
	key := l.env.Keys.Key(screen.BrowseComplete) + " takes "
	accept := screen.If(meant == "", separator) + " " + key + "it"
	if len(n.Fixes) > 1 {
		accept = screen.If(meant == "", separator) + " " + key + "the first"
	}
	fix := n.Fixes[0]
	if len(n.Meant) > 0 {
		fix = cmp.Or(n.Meant[0], fix)
	}
	acceptShort := key + safetext.Line(fix)
	return longestFitting(room, said+meant+accept+found, said+meant+accept,
		said+separator+acceptShort, acceptShort)
}

// longestFitting is the first of some texts, the longest first, that fits into the room in cells,
// or else the last.
func longestFitting(room int, texts ...string) string {
	for _, text := range texts {
		if safetext.Width(text) <= room {
			return text
		}
	}
	return texts[len(texts)-1]
}

// example proposes what to type into an empty filter: terms that find something in this list.
func (l *List) example() string {
	if l.source == nil {
		return ""
	}
	const maxTerms = 2
	var terms []string
	for _, e := range l.source.table.QueryExamples() {
		if e.OfColumn && len(terms) < maxTerms {
			terms = append(terms, safetext.Clip(e.Example, maxName))
		}
	}
	if len(terms) == 0 {
		return ""
	}
	return "such as " + strings.Join(terms, " or ")
}

// Help returns what the help says about filters: examples that find something in this list, and the
// syntax.
func (l *List) Help() []screen.HelpSection {
	var sections []screen.HelpSection
	if l.source != nil {
		var help []lists.Help
		for _, e := range l.source.table.QueryExamples() {
			help = append(help, e.Help)
		}
		sections = append(sections, helpSection("Filters for this list", help))
	}
	return append(sections, helpSection("Filter syntax", lists.QueryHelp()))
}

func helpSection(title string, help []lists.Help) screen.HelpSection {
	s := screen.HelpSection{Title: title}
	for _, h := range help {
		s.Notes = append(s.Notes, screen.HelpNote{
			Typed: safetext.Clip(h.Example, maxName),
			Text:  safetext.Clip(h.Meaning, maxName),
		})
	}
	return s
}

// rowsFrom returns the numbers of the rows from first up to, but not including, end. It is never
// nil.
func rowsFrom(first, end int) []int32 {
	rows := make([]int32, end-first)
	for i := range rows {
		rows[i] = int32(first + i)
	}
	return rows
}

// savedFilter is a filter that a person has given a name. It is kept between runs.
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

// setSaved replaces the saved filter of a name by these; none deletes it.
func (l *List) setSaved(name string, filters ...savedFilter) {
	others := slices.DeleteFunc(l.savedFilters(), func(f savedFilter) bool { return f.Name == name })
	l.env.State.Set(l.savedKey(), append(others, filters...))
}

// PaletteEntries offers in the palette the records that were opened recently, the saved filters
// and, after all of these, the deletion of the filters.
func (l *List) PaletteEntries() []screen.Entry {
	if l.source == nil {
		return nil
	}
	var entries, deletions []screen.Entry
	for _, row := range l.recent {
		entries = append(entries, l.recentEntry(row))
	}
	group := "Filters of " + l.options.Many
	for _, f := range l.savedFilters() {
		entries = append(entries, screen.Entry{
			ID:    screen.EntryID{Kind: screen.FilterEntry, Name: f.Name},
			Group: group,
			Title: f.Name,
			Note:  f.Text,
			Run:   func() tea.Cmd { return tea.Batch(l.closeOverlay(), l.filter.Set(f.Text)) },
		})
		deletions = append(deletions, screen.Entry{
			ID:    screen.EntryID{Kind: screen.FilterDeletion, Name: f.Name},
			Group: group,
			Title: "Delete the filter " + f.Name,
			Note:  f.Text,
			Run: func() tea.Cmd {
				l.setSaved(f.Name)
				return l.env.Root.Say("Deleted the filter "+safetext.Clip(f.Name, maxName)+".", false)
			},
		})
	}
	return append(entries, deletions...)
}

// recentEntry opens again a record that was opened recently.
func (l *List) recentEntry(row int) screen.Entry {
	name := l.source.name(row, l.options.One)
	return screen.Entry{
		ID:    screen.EntryID{Kind: screen.RecordEntry, Name: name},
		Group: "Recent",
		Title: name,
		Note:  "open this " + l.options.One + " again",
		Run: func() tea.Cmd {
			if !slices.Contains(l.recent, row) {
				return nil // the list was loaded again meanwhile
			}
			l.grid.Select(row)
			return l.openRow(row)
		},
	}
}

// maxFilterHint is how many cells of the filter the form for its name shows.
const maxFilterHint = 60

// askForName asks for the name under which the filter is saved.
func (l *List) askForName() tea.Cmd {
	f := &form.Card{Heading: "Save the filter", Send: "save the filter", Cells: minBox}
	f.Model = form.New(l.env.Theme, form.Field{
		Key:      "name",
		Label:    "Name",
		Hint:     safetext.Clip(l.filter.Text(), maxFilterHint),
		Required: "the filter needs a name",
	})
	f.Submit = func() tea.Cmd {
		name := f.Value("name")
		l.setSaved(name, savedFilter{name, l.filter.Text()})
		how := l.env.Keys.Key(screen.RootPalette) + " finds it"
		if l.env.Theme.Options.Spoken {
			how = "type its name to use it"
		}
		said := "Saved the filter " + safetext.Clip(name, maxName) + "; " + how + "."
		return tea.Batch(l.closeOverlay(), l.env.Root.Say(said, false))
	}
	f.Start("name")
	return l.Over(f)
}
