package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/screen"
)

// tour leads a person through the demo, one step after the other, in a line below the
// screen. It takes no keys away: a step is done when the program has done what it is about,
// by whatever key or click. The zero tour is at its first step.
type tour struct {
	step int
	// performed is the latest action.
	performed string
}

// tourStep is something to do. Keys in braces are those of actions.
type tourStep struct {
	text string
	done func(r *root) bool
}

// tourSteps are the steps, in their order.
var tourSteps = []tourStep{
	{"{signin.account} fills in an account: go down to gus, type demo and press {form.next}", func(r *root) bool {
		return r.domains() != nil && r.signIn() == nil
	}},
	{"{domains.open} opens the domain under the cursor", func(r *root) bool { return r.domain() != nil }},
	{"{filter.open} filters the list: type board, then press {filter.keep}", func(r *root) bool {
		return r.domain() != nil && r.live("filter.clear") && !r.typing()
	}},
	{"{browse.sort} sorts by the marked column, {grid.right} marks the next one", func(r *root) bool {
		return r.tour.performed == "browse.sort"
	}},
	{"{browse.open} shows the whole record", func(r *root) bool {
		return r.domain() != nil && len(r.domain().Breadcrumbs()) > 0
	}},
	{"{detail.close} leads back; then {browse.values} counts the values of the marked column", func(r *root) bool {
		return r.live("groups.close")
	}},
	{"{groups.close} leads back; then {root.tab5} shows every request of this run", func(r *root) bool {
		return r.domain() != nil && r.domain().pane().ID == "root.tab5"
	}},
	{"{root.palette} finds everything by its name: actions, screens, domains, records", func(r *root) bool {
		return r.live("palette.run")
	}},
}

// startTour begins the tour at its first step; what is done already is passed over.
func (r *root) startTour() tea.Cmd {
	r.tour = &tour{}
	return nil
}

func (r *root) endTour() tea.Cmd {
	r.tour = nil
	return nil
}

// followTour goes on where a step is done.
func (r *root) followTour() tea.Cmd {
	if r.tour == nil || !tourSteps[r.tour.step].done(r) {
		return nil
	}
	r.tour.performed = ""
	if r.tour.step++; r.tour.step < len(tourSteps) {
		return r.followTour()
	}
	r.tour = nil
	return r.Say("That was the tour. "+r.env.Keys.Key("root.help")+" shows the keys of each screen.", false)
}

// live reports whether an action can be done now.
func (r *root) live(id string) bool {
	for _, a := range r.actions {
		if a.ID == id {
			return a.Enabled()
		}
	}
	return false
}

// tourActions is the key that ends the tour, for where it has no other meaning.
func (r *root) tourActions() []screen.Action {
	if r.tour == nil || r.modal() {
		return nil
	}
	return []screen.Action{{ID: "tour.leave", Run: r.endTour}}
}

// tourItems offer the tour in the palette of the demo.
func (r *root) tourItems() []item {
	switch {
	case r.options.Tips == nil:
		return nil
	case r.tour != nil:
		return []item{{group: "Tour", title: "End the tour", run: r.endTour}}
	}
	return []item{{group: "Tour", title: "Tour", note: "through the program in eight steps", run: r.startTour}}
}

// tourLines say what the step is about.
func (r *root) tourLines() []string {
	if r.tour == nil {
		return nil
	}
	t := r.env.Theme
	var b strings.Builder
	rest := tourSteps[r.tour.step].text
	for {
		before, id, found := strings.Cut(rest, "{")
		b.WriteString(before)
		if !found {
			break
		}
		id, rest, _ = strings.Cut(id, "}")
		b.WriteString(t.Key.Render(r.env.Keys.Key(id)))
	}
	line := t.Strong.Render(fmt.Sprintf("Tour %d of %d", r.tour.step+1, len(tourSteps))) + "  " + b.String()
	lines := strings.Split(screen.Wrap(line, r.width-2), "\n")
	if r.height < 14 {
		lines = []string{screen.Cut(line, r.width-2)}
	}
	for i := range lines {
		lines[i] = t.Accent.Render(t.Glyphs.Cursor) + " " + lines[i]
	}
	return lines
}
