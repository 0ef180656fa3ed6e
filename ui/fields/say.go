package fields

import (
	"iter"
	"slices"
	"strings"

	"gatehouse/internal/human"
	"gatehouse/ui/screen"
)

// Say says fields in their groups. Whole says each value of a field that does not fit into a
// line; nil says of it what is drawn.
func Say(groups []Group, whole func(f *Field) iter.Seq[string]) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, g := range groups {
			if g.Title != "" && !yield(screen.Sentence(g.Title+":")) {
				return
			}
			for i := range g.Fields {
				if !g.Fields[i].say(whole, yield) {
					return
				}
			}
		}
	}
}

// say returns false when yield did.
func (f *Field) say(whole func(f *Field) iter.Seq[string], yield func(string) bool) bool {
	if f.Partial && whole != nil {
		for text := range whole(f) {
			if !yield(text) {
				return false
			}
		}
		return true
	}
	text := f.said()
	return text == "" || yield(screen.Labelled(strings.TrimSpace(f.Label), text))
}

// Say is [Say] of the groups of the list.
func (l *List) Say(whole func(f *Field) iter.Seq[string]) iter.Seq[string] {
	return Say(l.groups, whole)
}

// said is the value of a field, and what was sent where that says more.
func (f *Field) said() string {
	if f.Masked {
		return "hidden"
	}
	parts, exact := []string{screen.InBytes(strings.TrimSpace(f.Text))}, f.Role != Amount && (len(f.Behind) > 0 || f.URL != "")
	for _, more := range f.Behind {
		if f.Role == Amount && more == human.Grouped(f.Exact) {
			exact = true // said with the digits as they were sent
			continue
		}
		parts = append(parts, screen.InWords(more))
	}
	if exact && !slices.Contains(append(parts, ""), strings.Trim(f.Exact, `"`)) {
		parts = append(parts, "exactly "+f.Exact)
	}
	return strings.Join(parts, ", ")
}
