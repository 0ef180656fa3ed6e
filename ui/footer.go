package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/safetext"
	"gatehouse/ui/screen"
)

// footer shows the keys that work here, as many as fit. The ones that lead back
// and to all keys stand at the right end, where nobody has to look for them;
// only the last of them stays where the first key would have no room.
func (r *root) footer() string {
	keys, ends := r.footed()
	if len(keys) > 0 && len(ends) > 1 && hintsWidth(keys[:1])+hintGap+hintsWidth(ends) > r.width {
		ends = ends[len(ends)-1:]
	}
	from := max(r.width-hintsWidth(ends), 0)
	left := r.hints(keys, 0, from-hintGap)
	return screen.Sides(left, r.hints(ends, from, r.width), r.width)
}

// footed are the actions in the footer: the ones for its left end, and the ones
// that lead out of where the person is.
func (r *root) footed() (keys, ends []screen.Action) {
	for _, a := range screen.ShownActions(r.actions, r.typing()) {
		switch {
		case a.ID == "root.help" || a.Keys[0] == "esc" && a.Enabled() && !a.Quiet:
			ends = append(ends, a)
		case a.Enabled() && !a.Quiet:
			keys = append(keys, a)
		}
	}
	return keys, ends
}

// hintGap is how many cells are between two keys of the footer.
const hintGap = 2

// hints draws keys with what they do from one column of the footer up to
// another, and makes them clickable.
func (r *root) hints(keys []screen.Action, x, end int) string {
	t := r.env.Theme
	parts := []string{}
	for _, a := range keys {
		width := hintWidth(a)
		if x+width > end {
			break
		}
		r.spot(x, r.height-1, width, func() tea.Cmd { return r.perform(a) })
		x += width + hintGap
		parts = append(parts, t.Key.Render(screen.KeyName(a.Keys[0]))+" "+t.KeyText.Render(a.Title))
	}
	return strings.Join(parts, strings.Repeat(" ", hintGap))
}

func hintWidth(a screen.Action) int {
	return safetext.Width(screen.KeyName(a.Keys[0])) + 1 + safetext.Width(a.Title)
}

func hintsWidth(keys []screen.Action) int {
	width := 0
	for i, a := range keys {
		if i > 0 {
			width += hintGap
		}
		width += hintWidth(a)
	}
	return width
}
