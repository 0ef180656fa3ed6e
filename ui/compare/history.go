package compare

import (
	"iter"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
	"gatehouse/styles"
	"gatehouse/ui/menu"
	"gatehouse/ui/screen"
)

// Entry is a result in a [History].
type Entry interface {
	comparable
	// Result is the entry as it is listed and compared.
	Result() Result
	// Size is the memory that it takes, in bytes.
	Size() int
}

// History keeps the latest results of a run of the program, the newest first.
type History[E Entry] struct {
	Entries []E
	// Made is the number of all results of the run, with those that are no longer kept.
	Made int
}

const (
	maxKept  = 20
	maxBytes = 16 << 20 // of all entries together
)

// Add adds a result, and keeps as many of the earlier ones as there is room for. An earlier one
// that is too large is dropped, but not smaller ones that came before it. The newest result is
// always kept, whatever its size.
func (h *History[E]) Add(e E) {
	h.Made++
	all := append([]E{e}, h.Entries...)
	h.Entries = nil
	bytes := 0
	for _, entry := range all[:min(len(all), maxKept)] {
		size := entry.Size()
		isTooLarge := size > 0 && bytes > 0 && bytes+size > maxBytes
		if isTooLarge {
			continue
		}
		bytes += size
		h.Entries = append(h.Entries, entry)
	}
}

// Listed is a [screen.Part]: a list of results with a line for each.
type Listed struct {
	Theme   *styles.Theme
	Results []Result
	// Cursor is the cursor over the results. It is drawn if Marked is set.
	Cursor screen.Cursor
	Marked bool
	// Click is called for a click on a result, with its index.
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
		spot := screen.Spot{Y: len(d.Lines), Width: width, Height: 1, Click: click}
		d.Spots = append(d.Spots, spot)
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

// Results are all entries as they are listed.
func (h *History[E]) Results() []Result {
	var results []Result
	for _, e := range h.Entries {
		results = append(results, e.Result())
	}
	return results
}

// others are the entries that can be compared with one.
func (h *History[E]) others(one E) []E {
	return slices.DeleteFunc(slices.Clone(h.Entries), func(e E) bool {
		return e == one || e.Result().Members == nil
	})
}

// line draws a result in a few words. width limits what comes from outside.
func (r Result) line(t *styles.Theme, width int) string {
	sign, style := r.Mark(t)
	return style.Render(sign) + " " + t.Muted.Render(r.when()) + " " +
		safetext.Clip(r.Whose, width) + "  " + t.Muted.Render(r.Verdict)
}

// inWords is a result in a list of results, for a person who hears it.
func (r Result) inWords(t *styles.Theme) string {
	sign, _ := r.Mark(t)
	when := strings.TrimSpace(sign + " " + r.when())
	return when + " " + safetext.Line(r.Whose) + ": " + r.Verdict + ", " + r.Name
}

// Results are the actions and lists with which screens show the results of a history.
type Results[E Entry] struct {
	Env      *screen.Env
	History  *History[E]
	Identity Identity
	// One and Many are what a result and several results are called.
	One, Many string
}

// CompareAction compares a result that a screen shows with another one: the only other one, or one
// that the person chooses from a list.
func (r *Results[E]) CompareAction(id screen.ActionID, over screen.Screen, shown E) screen.Action {
	others := r.History.others(shown)
	reason := screen.If(len(others) == 0, "there is no other "+r.One+" yet")
	isShown := shown != *new(E)
	if isShown && shown.Result().Members == nil {
		reason = "only one " + r.One + " is compared with another"
	}
	compare := func(other E) tea.Cmd { return r.compare(over, shown, other) }
	return screen.Action{ID: id, Reason: reason, Run: func() tea.Cmd {
		if len(others) == 1 {
			return compare(others[0])
		}
		return r.choose(list[E]{"Compare with", "compare", id, others, compare}, over)
	}}
}

// compare shows two results beside each other, the older one at the left.
func (r *Results[E]) compare(over screen.Screen, one, other E) tea.Cmd {
	first, second := one.Result(), other.Result()
	isNewer := slices.Index(r.History.Entries, one) < slices.Index(r.History.Entries, other)
	if isNewer {
		first, second = second, first
	}
	return r.Env.Root.Push(over, New(r.Env, first, second, r.Identity))
}

// ListAction lists the results over a screen. Choosing one calls open.
func (r *Results[E]) ListAction(
	id screen.ActionID, over screen.Screen, open func(e E) tea.Cmd,
) screen.Action {
	all := r.History.Entries
	heading := human.Count(len(all), r.One, r.Many)
	return screen.Action{
		ID:     id,
		Reason: screen.If(len(all) == 0, "there is no "+r.One+" yet"),
		Run: func() tea.Cmd {
			return r.choose(list[E]{heading, "open", id, all, open}, over)
		},
	}
}

// Entries are the results as entries of the palette in a group, the newest first. Choosing one
// calls open.
func (r *Results[E]) Entries(group string, open func(e E) tea.Cmd) []screen.Entry {
	var entries []screen.Entry
	for _, e := range r.History.Entries {
		of := e.Result()
		entries = append(entries, screen.Entry{
			ID:    screen.EntryID{Kind: screen.ResultEntry, Name: r.One + " " + of.Name},
			Group: group,
			Title: safetext.Clip(of.Whose, maxTitle),
			Also:  group + " " + r.Many + " earlier history " + of.Name,
			Note:  of.Verdict + ", " + of.when(),
			Said:  r.One + " " + of.Name,
			Run:   func() tea.Cmd { return open(e) },
		})
	}
	return entries
}

// list is a list of results from which a person chooses.
type list[E Entry] struct {
	heading, verb string
	opener        screen.ActionID // the action that opens the list
	results       []E
	chosen        func(E) tea.Cmd
}

// maxLine is the maximum width of a result in a list, in cells.
const maxLine = 90

// choose shows a list over a screen. The screen masks its secrets again, as if it were left.
func (r *Results[E]) choose(from list[E], over screen.Screen) tea.Cmd {
	t := r.Env.Theme
	entries := make([]screen.Entry, len(from.results))
	for i, e := range from.results {
		result := e.Result()
		line := result.line(t, maxLine/2) + "  " + t.Muted.Render(result.Name)
		entries[i] = screen.Entry{
			Title: result.Name,
			Said:  result.inWords(t),
			Drawn: screen.Cut(line, maxLine),
			Run:   func() tea.Cmd { return from.chosen(e) },
		}
		if result.Copied != "" {
			entries[i].Copy = func() tea.Cmd {
				return r.Env.Root.Copy(result.Copied, "the "+result.What)
			}
		}
	}
	over.Blur()
	box := menu.New(r.Env, from.heading, from.verb, entries)
	box.Opener = from.opener
	return r.Env.Root.Push(over, box)
}
