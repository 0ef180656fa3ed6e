package compare

import (
	"iter"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
	"gatehouse/styles"
	"gatehouse/ui/menu"
	"gatehouse/ui/screen"
)

// Entry is a result that is kept for a run of the program.
type Entry interface {
	comparable
	// Result is the entry as it is listed and compared.
	Result() Result
	// Size is how many bytes it takes.
	Size() int
}

// History keeps the latest results of a run, the newest first.
type History[E Entry] struct {
	Entries []E
	// Made is how many there have been.
	Made int
}

const (
	maxKept  = 20
	maxBytes = 16 << 20 // of all of them together
)

// Add keeps a result, and as many of the others as there is room for. What is larger than the room
// is left out, and not the smaller ones that came before it; the newest that takes room is always
// kept.
func (h *History[E]) Add(e E) {
	h.Made++
	all := append([]E{e}, h.Entries...)
	h.Entries = nil
	bytes := 0
	for _, kept := range all[:min(len(all), maxKept)] {
		size := kept.Size()
		if size > 0 && bytes > 0 && bytes+size > maxBytes {
			continue
		}
		bytes += size
		h.Entries = append(h.Entries, kept)
	}
}

// Listed is a [screen.Part] of the results in a few words each, a line for each.
type Listed struct {
	Theme   *styles.Theme
	Results []Result
	// Cursor is over the results.
	Cursor screen.Cursor
	// Marked is set while the row under the cursor is drawn as such.
	Marked bool
	// Click is what a click on a result does.
	Click func(at int) tea.Cmd
}

// Draw implements [screen.Part].
func (l Listed) Draw(width, height int) screen.Drawing {
	l.Cursor.Layout(min(len(l.Results), max(height, 0)))
	var d screen.Drawing
	for at := l.Cursor.Offset(); at < l.Cursor.End(); at++ {
		line := screen.Cut(l.Results[at].line(l.Theme, width), width-2)
		if l.Marked && at == l.Cursor.Row() {
			line = screen.CursorRow(l.Theme, line, width)
		} else {
			line = " " + line
		}
		click := func(int, int) tea.Cmd { return l.Click(at) }
		d.Spots = append(d.Spots, screen.Spot{Y: len(d.Lines), Width: width, Height: 1, Click: click})
		d.Lines = append(d.Lines, line)
	}
	return d
}

// Say implements [screen.Part].
func (l Listed) Say() iter.Seq[string] {
	var texts []string
	for _, r := range l.Results {
		texts = append(texts, r.inWords(l.Theme))
	}
	return screen.Texts(texts...)
}

// Results are the entries as they are listed.
func (h *History[E]) Results() []Result {
	var results []Result
	for _, e := range h.Entries {
		results = append(results, e.Result())
	}
	return results
}

// others are the entries that one can be compared with.
func (h *History[E]) others(except E) []E {
	return slices.DeleteFunc(slices.Clone(h.Entries), func(e E) bool {
		return e == except || e.Result().Members == nil
	})
}

// line is a result in a few words.
func (r Result) line(t *styles.Theme, width int) string {
	sign, style := r.Mark(t)
	return style.Render(sign) + " " + t.Muted.Render(r.At.Local().Format(time.TimeOnly)) + " " + safetext.Clip(r.Whose, width) + "  " + t.Muted.Render(r.Verdict)
}

// inWords is a result with its name for those who hear it.
func (r Result) inWords(t *styles.Theme) string {
	sign, _ := r.Mark(t)
	when := strings.TrimSpace(sign + " " + r.At.Local().Format(time.TimeOnly))
	return when + " " + safetext.Line(r.Whose) + ": " + r.Verdict + ", " + r.Name
}

// Results shows the results of a history: a list of them, and what one differs in from
// another.
type Results[E Entry] struct {
	Env      *screen.Env
	History  *History[E]
	Identity Identity
	// One and Many name them.
	One, Many string
}

// CompareAction compares a result that a screen shows with the only other one, or with one that
// the person chooses from a list.
func (r *Results[E]) CompareAction(id screen.ActionID, over screen.Screen, shown E) screen.Action {
	others := r.History.others(shown)
	reason := screen.If(len(others) == 0, "there is no other "+r.One+" yet")
	if shown != *new(E) && shown.Result().Members == nil {
		reason = "only one " + r.One + " is compared with another"
	}
	return screen.Action{ID: id, Reason: reason, Run: func() tea.Cmd {
		if len(others) == 1 {
			return r.compare(over, shown, others[0])
		}
		return r.choose(over, "Compare with", "compare", id, others, func(other E) tea.Cmd { return r.compare(over, shown, other) })
	}}
}

// compare shows two results beside each other, the older at the left.
func (r *Results[E]) compare(over screen.Screen, one, other E) tea.Cmd {
	first, second := one.Result(), other.Result()
	if slices.Index(r.History.Entries, one) < slices.Index(r.History.Entries, other) {
		first, second = second, first
	}
	return r.Env.Root.Push(over, New(r.Env, first, second, r.Identity))
}

// ListAction lists the results over a screen, to open one in its place.
func (r *Results[E]) ListAction(id screen.ActionID, over screen.Screen, open func(over screen.Screen, e E) tea.Cmd) screen.Action {
	all := r.History.Entries
	return screen.Action{ID: id, Reason: screen.If(len(all) == 0, "there is no "+r.One+" yet"), Run: func() tea.Cmd {
		return r.choose(over, human.Count(len(all), r.One, r.Many), "open", id, all, func(e E) tea.Cmd { return open(over, e) })
	}}
}

// Entries are the results for the palette under a heading, the newest first, to open one.
func (r *Results[E]) Entries(group string, open func(e E) tea.Cmd) []screen.Entry {
	var entries []screen.Entry
	for _, e := range r.History.Entries {
		of := e.Result()
		entries = append(entries, screen.Entry{
			Group: group, Title: safetext.Clip(of.Whose, maxTitle), Also: group + " " + r.Many + " earlier history " + of.Name,
			Note: of.Verdict + ", " + of.At.Local().Format(time.TimeOnly), Said: r.One + " " + of.Name,
			Run: func() tea.Cmd { return open(e) },
		})
	}
	return entries
}

// maxLine is how many cells of a result are listed.
const maxLine = 90

// choose lists results over a screen, whose secrets are masked again as if it were left.
func (r *Results[E]) choose(over screen.Screen, heading, verb string, opener screen.ActionID, results []E, chosen func(E) tea.Cmd) tea.Cmd {
	entries := make([]screen.Entry, len(results))
	for i, e := range results {
		shown, t := e.Result(), r.Env.Theme
		entries[i] = screen.Entry{
			Title: shown.Name, Said: shown.inWords(t), Drawn: screen.Cut(shown.line(t, maxLine/2)+"  "+t.Muted.Render(shown.Name), maxLine),
			Run: func() tea.Cmd { return chosen(e) },
		}
		if shown.Copied != "" {
			entries[i].Copy = func() tea.Cmd { return r.Env.Root.Copy(shown.Copied, "the "+shown.What) }
		}
	}
	over.Blur()
	list := menu.New(r.Env, heading, verb, entries)
	list.Opener = opener
	return r.Env.Root.Push(over, list)
}
