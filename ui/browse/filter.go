package browse

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/records"
	"gatehouse/internal/safetext"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

var filterPurpose = grid.FilterPurpose{Name: "filter", Open: "filter by words, columns and comparisons", Clear: "show everything again"}

// filterActions are those of the line that has the focus.
func (m *recordList) filterActions() []screen.Action {
	a := screen.Action{ID: "browse.complete", Run: m.complete}
	if m.source == nil || len(m.source.columns) == 0 {
		a.Reason = "no columns are known yet"
	}
	return append(m.filter.Actions(), a)
}

// completion is what the last completion made of which text.
type completion struct {
	typed, made string
	tries       int
}

// complete writes out the name of the column that the last word begins; again, that
// of the next one which it may mean.
func (m *recordList) complete() tea.Cmd {
	c := &m.completion
	if text := m.filter.Text(); text != c.made || c.made == "" {
		*c = completion{typed: text}
	}
	start := strings.LastIndexByte(c.typed, ' ') + 1
	word := strings.TrimLeft(c.typed[start:], `!"`)
	names := m.source.named(word)
	if len(names) == 0 {
		return m.env.Root.Say("No column begins with "+safetext.Clip(word, longestName)+".", false)
	}
	name := names[c.tries%len(names)]
	if strings.ContainsAny(name, ` "`) {
		name = `"` + strings.ReplaceAll(name, `"`, `\"`) + `"`
	}
	if strings.HasPrefix(c.typed[start:], "!") {
		name = "!" + name
	}
	c.tries++
	c.made = c.typed[:start] + name + ":"
	return m.filter.Set(c.made)
}

// named are the titles of the columns that a word begins, or a part of them.
func (s *source) named(word string) []string {
	word = strings.ToLower(word)
	var names []string
	for _, c := range s.columns {
		title := strings.ToLower(c.Title)
		if strings.HasPrefix(title, word) || strings.Contains(title, "."+word) {
			names = append(names, c.Title)
		}
	}
	return slices.Compact(names)
}

// Help says how the filter is written, for the help.
func (m *recordList) Help() []string {
	lines := []string{"", "What the filter understands; terms are parted by blanks, and all of them have to hold:"}
	const widest = 28
	for _, h := range records.QueryHelp() {
		lines = append(lines, "  "+safetext.Pad(h.Example, widest)+" "+h.Meaning)
	}
	return lines
}
