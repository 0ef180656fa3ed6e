package browse

import (
	"fmt"
	"strings"
	"weak"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/safetext"
	"gatehouse/ui/screen"
	"gatehouse/ui/tree"
)

// detail is the screen over a list that shows one record, whole.
type detail struct {
	list  *recordList
	title string
	tree  *tree.Model
	read  tea.Cmd // of a long record
	width int
}

func (l *recordList) newDetail(row int) *detail {
	d := &detail{list: l}
	d.show(row)
	return d
}

// show lays a row of the list out; a long one is read by the command.
func (d *detail) show(row int) {
	s, env := d.list.source, d.list.env
	record := s.table.Record(row)
	d.title = s.name(row, d.list.names.one)
	reply := func(work func() tea.Msg) tea.Cmd { return screen.Reply(d, work) }
	d.tree, d.read = tree.Open(env.Context, env.Theme, record, reply)
	d.tree.Name = d.title + " as JSON"
	d.tree.Copy, d.tree.CopyDocument = env.Root.Copy, env.Root.CopyDocument
	if len(record) <= longRecord {
		d.tree.Remark = s.remarks(row)
	}
}

// remarks say what the values of a row mean that the table shows in other words.
func (s *source) remarks(row int) func(path []string, raw string) string {
	names := s.table.Columns()
	cells := s.table.Cells(row, nil)
	columns := make(map[string]int, len(names))
	for col, c := range names {
		columns[c.Name] = col
	}
	return func(path []string, raw string) string {
		col, ok := columns[strings.Join(path, ".")]
		if !ok || string(cells[col].Raw()) != raw {
			return ""
		}
		return s.format.remark(s.kinds[col], cells[col])
	}
}

// openRecord shows the selected record whole.
func (l *recordList) openRecord() tea.Cmd {
	row, ok := l.grid.Selected()
	if !ok {
		return nil
	}
	d := l.newDetail(row)
	return tea.Batch(l.visited(d.title, row), l.push(d))
}

// visited tells the root of a record that was opened, and how to open it again.
func (l *recordList) visited(title string, row int) tea.Cmd {
	loading := weak.Make(l.source.job) // the root must not keep a body that is shown no more
	return l.env.Root.Visited(title, func() tea.Cmd {
		if l.source == nil || l.source.job != loading.Value() || row >= l.source.Len() {
			return nil // the list was read anew: the record may be another, or gone
		}
		l.grid.Select(row)
		return l.push(l.newDetail(row))
	})
}

// Title implements [screen.Screen].
func (d *detail) Title() string { return d.title }

// Init implements [screen.Screen].
func (d *detail) Init() tea.Cmd { return d.read }

// Actions implements [screen.Screen]. The tree's come first: while it is searched,
// esc ends the search.
func (d *detail) Actions() []screen.Action {
	list := d.tree.Actions()
	if d.tree.Typing() {
		return list
	}
	return append(list,
		d.stepAction("detail.next", 1, "it is the last of the list"),
		d.stepAction("detail.previous", -1, "it is the first of the list"),
		screen.Action{ID: "detail.close", Run: d.list.pop},
	)
}

// stepAction leads to the record beside this one in the list.
func (d *detail) stepAction(id string, by int, end string) screen.Action {
	a := screen.Action{ID: id, Run: func() tea.Cmd { return d.step(by) }}
	if to := d.list.grid.Cursor() + by; to < 0 || to >= d.list.grid.Len() {
		a.Reason = end
	}
	return a
}

func (d *detail) step(by int) tea.Cmd {
	d.list.grid.Move(by)
	row, ok := d.list.grid.Selected()
	if !ok {
		return nil
	}
	d.tree.Close()
	d.show(row)
	return tea.Batch(d.list.visited(d.title, row), d.read)
}

// Update implements [screen.Screen].
func (d *detail) Update(msg tea.Msg) tea.Cmd { return d.tree.Update(msg) }

// Typing implements [screen.Screen].
func (d *detail) Typing() bool { return d.tree.Typing() }

// Layout implements [screen.Screen].
func (d *detail) Layout(width, height int) {
	d.width = width
	d.tree.Layout(width, height-1)
}

// View implements [screen.Screen].
func (d *detail) View() string {
	theme, list := d.list.env.Theme, d.list.grid
	title := theme.Strong.Render(safetext.Truncate(d.title, d.width))
	position := fmt.Sprintf("%s of %s", screen.Number(list.Cursor()+1), screen.Number(list.Len()))
	return screen.Sides(title, theme.Muted.Render(position), d.width) + "\n" + d.tree.View()
}

// Click implements [screen.MouseHandler].
func (d *detail) Click(x, y int) tea.Cmd {
	d.tree.Click(x, y-1)
	return nil
}

// Wheel implements [screen.MouseHandler].
func (d *detail) Wheel(_, _, lines int) tea.Cmd {
	d.tree.Wheel(lines)
	return nil
}

// Close implements [screen.Screen].
func (d *detail) Close() { d.tree.Close() }

// copyRecord copies the selected record.
func (l *recordList) copyRecord() tea.Cmd {
	row, ok := l.grid.Selected()
	if !ok {
		return nil
	}
	return l.env.Root.CopyDocument(string(l.source.table.Record(row)), l.source.name(row, l.names.one)+" as JSON")
}

// notCopied says why the selected record cannot be copied, "" if it can.
func (l *recordList) notCopied() string {
	row, ok := l.grid.Selected()
	switch {
	case !ok:
		return "there is no record here to copy"
	case len(l.source.table.Record(row)) > mostCopied:
		return screen.Bytes(int64(len(l.source.table.Record(row)))) + " is more than a clipboard takes"
	}
	return ""
}
