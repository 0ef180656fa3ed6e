package device

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/api"
	"gatehouse/styles"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

// past is the list of the results of this run, two of which can be picked.
type past struct {
	entries []*entry // the newest first
	picked  []*entry // at most two, the one picked first goes first
	glyphs  *styles.Glyphs
	grid    *grid.Model
}

func (m *Model) showPast() tea.Cmd {
	m.mask()
	m.past = &past{entries: m.history.entries, glyphs: &m.env.Theme.Glyphs}
	m.past.grid = grid.New(m.env.Theme, m.past)
	m.past.grid.RowsOnly = true
	return nil
}

func (m *Model) closePast() tea.Cmd {
	m.past = nil
	return nil
}

func (p *past) actions(m *Model) []screen.Action {
	compare := screen.Action{ID: "results.compare", Run: func() tea.Cmd { return m.compare(p.chosen()) }}
	if len(p.chosen()) != 2 {
		compare.Reason, compare.First = "two results are to be picked", "results.pick"
	}
	return append([]screen.Action{
		{ID: "results.open", Run: func() tea.Cmd { return m.openEntry(p.selected()) }},
		{ID: "results.pick", Run: p.pick},
		compare,
		{ID: "results.close", Run: m.closePast},
	}, p.grid.Actions()...)
}

// openEntry shows a result of the list; the one that is shown already keeps its
// tokens.
func (m *Model) openEntry(e *entry) tea.Cmd {
	m.past = nil
	if m.result != nil && m.result.entry == e {
		return nil
	}
	return m.newResult(e, nil)
}

func (p *past) selected() *entry {
	row, _ := p.grid.Selected()
	return p.entries[row]
}

func (p *past) pick() tea.Cmd {
	e := p.selected()
	if at := slices.Index(p.picked, e); at >= 0 {
		p.picked = slices.Delete(p.picked, at, at+1)
	} else if p.picked = append(p.picked, e); len(p.picked) > 2 {
		p.picked = p.picked[1:]
	}
	p.grid.SetRows(nil)
	return nil
}

// chosen are the results to compare, the older first: those that are picked,
// where the one under the cursor counts as the second.
func (p *past) chosen() []*entry {
	list := slices.Clone(p.picked)
	if e := p.selected(); len(list) == 1 && list[0] != e {
		list = append(list, e)
	}
	slices.SortFunc(list, func(a, b *entry) int { return a.number - b.number })
	return list
}

func (p *past) view(t *styles.Theme, width, height int) string {
	head := fmt.Sprintf("%d results of this run", len(p.entries))
	if len(p.entries) == 1 {
		head = "1 result of this run"
	}
	p.grid.Layout(width, max(height-1, 0))
	return t.Strong.Render(head) + "\n" + p.grid.View()
}

// Len implements [grid.Source].
func (p *past) Len() int { return len(p.entries) }

// Columns implements [grid.Source].
func (p *past) Columns() []grid.Column {
	return []grid.Column{{Title: "No.", Numeric: true}, {Title: "At"}, {Title: ""}, {Title: "Answer"}, {Title: "E-mail"}, {Title: "Device id"}}
}

// Cells implements [grid.Source].
func (p *past) Cells(row int, dst []grid.Cell) []grid.Cell {
	e := p.entries[row]
	pick := grid.Cell{State: grid.Empty}
	if slices.Contains(p.picked, e) {
		pick = grid.Cell{Text: p.glyphs.Good + " picked"}
	}
	answer := Verdict(api.ExplainCode(e.answer.ErrorCode))
	if e.answer.Wipe {
		answer = p.glyphs.Warning + " WIPE, " + answer
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
