package browse

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/records"
	"gatehouse/internal/safetext"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

var filterPurpose = grid.FilterPurpose{Name: "filter", Open: "filter by words, columns and comparisons", Clear: "show everything again"}

// filterActions are those of the line that has the focus.
func (l *List) filterActions() []screen.Action {
	a := screen.Action{ID: "browse.complete", Run: l.complete}
	if l.source == nil || len(l.source.columns) == 0 {
		a.Reason = "no columns are known yet"
	}
	return append(l.filter.Actions(), a)
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
	meant := l.source.table.Complete(c.typed)
	if len(meant) == 0 {
		word := c.typed[strings.LastIndexByte(c.typed, ' ')+1:]
		return l.env.Root.Say("No column begins with "+safetext.Clip(word, maxName)+".", false)
	}
	c.made = meant[c.tries%len(meant)]
	c.tries++
	return l.filter.Set(c.made)
}

// example is what may be typed into an empty filter: terms that find something in this list.
func (l *List) example() string {
	if l.source == nil {
		return ""
	}
	var terms []string
	for _, e := range l.source.table.QueryExamples(l.env.Now()) {
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
	section := func(title string, help []records.Help) screen.HelpSection {
		s := screen.HelpSection{Title: title}
		for _, h := range help {
			s.Notes = append(s.Notes, screen.HelpNote{Typed: safetext.Clip(h.Example, maxName), Text: safetext.Clip(h.Meaning, maxName)})
		}
		return s
	}
	var sections []screen.HelpSection
	if l.source != nil {
		sections = append(sections, section("Filters for this list", l.source.table.QueryExamples(l.env.Now())))
	}
	return append(sections, section("Filter syntax", records.QueryHelp()))
}

// rowsFrom are the rows from first up to end, never nil.
func rowsFrom(first, end int) []int32 {
	rows := make([]int32, end-first)
	for i := range rows {
		rows[i] = int32(first + i)
	}
	return rows
}
