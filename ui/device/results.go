package device

import (
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/api"
	"gatehouse/internal/human"
	"gatehouse/internal/safetext"
	"gatehouse/styles"
	"gatehouse/ui/fields"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

const (
	mostResults = 20       // that are kept
	mostBytes   = 16 << 20 // of them together
)

// History keeps the latest results of a run, for whoever is signed in. The
// tokens of the answers are not in it.
type History struct {
	entries []*entry // the newest first
	made    int
}

// entry is one device login that was answered.
type entry struct {
	number int // from 1, as they were made
	at     time.Time
	sent   map[string]string // the form's fields, without the secrets
	answer *reading          // sealed
}

func (h *History) add(at time.Time, sent map[string]string, sealed *reading) *entry {
	h.made++
	added := &entry{number: h.made, at: at, sent: sent, answer: sealed}
	h.entries = append([]*entry{added}, h.entries...)
	bytes := 0
	for i, e := range h.entries {
		if bytes += len(e.answer.Raw); i > 0 && (i == mostResults || bytes > mostBytes) {
			h.entries = h.entries[:i:i]
			break
		}
	}
	return added
}

// meaning explains the answer.
func (e *entry) meaning() api.CodeMeaning { return e.answer.Explain(e.sent["domain"]) }

// results is the list of the results of this run, two of which can be picked.
type results struct {
	form    *Model
	from    screen.Screen // below the list
	entries []*entry      // the newest first
	picked  []*entry      // at most two, the one picked first goes first
	grid    *grid.Model
}

func newResults(form *Model, from screen.Screen) *results {
	r := &results{form: form, from: from, entries: form.history.entries}
	r.grid = grid.New(form.env.Theme, r)
	r.grid.RowsOnly = true
	r.grid.OnCopy = r.copyDevice
	return r
}

func (r *results) Title() string { return "Results" }

func (r *results) Init() tea.Cmd { return nil }

func (r *results) Typing() bool { return false }

func (r *results) Update(tea.Msg) tea.Cmd { return nil }

func (r *results) Close() {}

func (r *results) Actions() []screen.Action {
	compare := screen.Action{ID: "results.compare", Run: r.compare}
	if len(r.chosen()) != 2 {
		compare.Reason, compare.First = "two results are needed", "results.pick"
	}
	return append([]screen.Action{
		{ID: "results.open", Run: r.open},
		{ID: "results.pick", Run: r.pick},
		compare,
	}, r.grid.Actions()...)
}

func (r *results) close() tea.Cmd { return r.form.env.Root.Pop(r) }

// open shows the selected result in place of the one below the list. If it is that
// one, it keeps its tokens.
func (r *results) open() tea.Cmd {
	shown, ok := r.from.(*answer)
	if ok && shown.entry == r.selected() {
		return r.close()
	}
	root := r.form.env.Root
	left := root.Pop(r)
	if ok {
		left = tea.Batch(left, root.Pop(shown))
	}
	return tea.Batch(left, root.Push(r.form, newAnswer(r.form, r.selected(), nil)))
}

func (r *results) compare() tea.Cmd {
	two := r.chosen()
	return r.form.env.Root.Push(r, newComparison(r.form.env, two[0], two[1]))
}

// copyDevice copies what of a result is needed elsewhere: the id of its device.
func (r *results) copyDevice(row, _ int) tea.Cmd {
	root, id := r.form.env.Root, r.entries[row].answer.DeviceID
	if id == "" {
		return root.Say("Not copied: this result has no device id.", false)
	}
	return root.Copy(id, "the device id")
}

// Click implements [screen.MouseHandler]: the result under the cursor is opened.
func (r *results) Click(x, y int) tea.Cmd {
	if hit := r.grid.Click(x, y); hit.Target == grid.Row && hit.Again {
		return r.open()
	}
	return nil
}

func (r *results) Wheel(_, _, lines int) tea.Cmd {
	r.grid.Wheel(lines)
	return nil
}

func (r *results) Explained(bool) {}

func (r *results) Layout(width, height int) { r.grid.Layout(width, height) }

func (r *results) View() string { return r.grid.View() }

func (r *results) Pane() screen.Pane {
	return screen.Pane{Title: human.Count(len(r.entries), "result", "results"), Foot: r.grid.Position()}
}

// Side implements [screen.Paned]: the result under the cursor.
func (r *results) Side(width, height int) (screen.Pane, string) {
	return r.selected().draw(r.form.env.Theme, width, height)
}

// draw is a result in at most height lines, in a pane with its verdict.
func (e *entry) draw(t *styles.Theme, width, height int) (screen.Pane, string) {
	mark, style := e.verdictMark(t)
	meaning := split(screen.Wrap(safetext.Clip(e.meaning().Meaning, 4*width), width))
	groups := []fields.Group{group("Answered", Facts(e.answer.LoginResult)), group("Asked for", asked(e.sent))}
	facts := fields.Draw(t, groups, width, max(height-len(meaning)-1, 0))
	pane := screen.Pane{Title: style.Bold(true).Render(mark + " " + e.verdict()), Border: &style}
	return pane, strings.Join(meaning, "\n") + "\n\n" + facts
}

func (r *results) selected() *entry {
	row, _ := r.grid.Selected()
	return r.entries[row]
}

func (r *results) pick() tea.Cmd {
	e := r.selected()
	if at := slices.Index(r.picked, e); at >= 0 {
		r.picked = slices.Delete(r.picked, at, at+1)
	} else if r.picked = append(r.picked, e); len(r.picked) > 2 {
		r.picked = r.picked[1:]
	}
	r.grid.SetRows(nil)
	return nil
}

// chosen are the results to compare, the older first: those that are picked,
// where the one under the cursor counts as the second.
func (r *results) chosen() []*entry {
	list := slices.Clone(r.picked)
	if e := r.selected(); len(list) == 1 && list[0] != e {
		list = append(list, e)
	}
	slices.SortFunc(list, func(a, b *entry) int { return a.number - b.number })
	return list
}

func (r *results) Len() int { return len(r.entries) }

func (r *results) Columns() []grid.Column {
	return []grid.Column{{Title: "No.", Numeric: true}, {Title: "At"}, {Title: ""}, {Title: "Answer"}, {Title: "E-mail"}, {Title: "Device id"}}
}

func (r *results) Cells(row int, dst []grid.Cell) []grid.Cell {
	e := r.entries[row]
	pick := grid.Cell{State: grid.Empty}
	if slices.Contains(r.picked, e) {
		pick = grid.Cell{Text: r.form.env.Theme.Glyphs.Good + " picked"}
	}
	answer := Verdict(e.meaning())
	if e.answer.Wipe {
		answer = r.form.env.Theme.Glyphs.Warning + " WIPE, " + answer
	}
	return append(dst,
		grid.Cell{Text: strconv.Itoa(e.number)}, grid.Cell{Text: e.at.Local().Format(time.TimeOnly)}, pick,
		grid.Cell{Text: answer}, textCell(e.sent["email"]), textCell(e.answer.DeviceID))
}

func textCell(text string) grid.Cell {
	if text == "" {
		return grid.Cell{State: grid.Missing}
	}
	return grid.Cell{Text: text}
}
