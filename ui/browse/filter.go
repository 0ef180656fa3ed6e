package browse

import (
	"context"
	"slices"
	"strings"
	"time"

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

// filtered is the rows of a source that a filter found.
type filtered struct {
	text   string
	query  *records.Query
	source *source
	rows   []int32 // in the order of the source; nil: all of them
}

// finder looks for a text in a source, from stretch to stretch.
type finder struct {
	source *source
	text   string
	now    time.Time // from which times such as 7d are counted back
	// before is what an earlier search found; nil if there was none.
	before *filtered

	found  filtered
	known  []int32 // rows found before, which need no second look
	search *records.Search
}

// next looks at the next stretch and reports whether there are more.
func (f *finder) next(ctx context.Context) (more bool, err error) {
	if f.search == nil {
		f.begin()
	}
	if f.found.query.Empty() {
		return false, nil
	}
	more, err = f.search.Next(ctx)
	f.found.rows = f.search.Rows()
	if len(f.known) > 0 {
		f.found.rows = slices.Concat(f.known, f.found.rows)
	}
	return more, err
}

// begin chooses the rows to look at: of a body that has grown only the new rows are new.
func (f *finder) begin() {
	query := f.source.table.Query(f.text, f.now)
	f.found = filtered{text: f.text, query: query, source: f.source}
	var candidates []int32 // all
	if b := f.before; b != nil && b.rows != nil && b.text == f.text && f.source.continues(b.source) {
		f.known = b.rows
		candidates = rowsFrom(b.source.Len(), f.source.Len())
	}
	f.search = f.source.table.Search(query, candidates)
}

// rowsFrom are the rows from first up to end, never nil.
func rowsFrom(first, end int) []int32 {
	rows := make([]int32, end-first)
	for i := range rows {
		rows[i] = int32(first + i)
	}
	return rows
}
