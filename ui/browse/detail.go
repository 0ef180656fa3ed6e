package browse

import (
	"fmt"
	"strings"
	"weak"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/safetext"
	"gatehouse/ui/human"
	"gatehouse/ui/layout"
	"gatehouse/ui/screen"
	"gatehouse/ui/tree"
)

// detail is the panel of one record, whole.
type detail struct {
	list          *Model
	title         string
	tree          *tree.Model
	width, height int // of the last Layout
}

// openDetail shows a row of what is shown; the command reads it if it is long.
func (m *Model) openDetail(row int) tea.Cmd {
	record := m.source.table.Record(row)
	reply := func(work func() tea.Msg) tea.Cmd { return screen.Reply(m.owner, work) }
	shown, read := tree.Open(m.env.Context, m.env.Theme, record, reply)
	d := &detail{list: m, title: m.source.name(row, m.names.One), tree: shown}
	shown.Name = d.title + " as JSON"
	shown.Copy = func(text, what string) tea.Cmd { return m.env.Root.Copy(text, what) }
	if len(record) <= longRecord {
		shown.Remark = m.source.remarks(row)
	}
	m.panel = d
	return read
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
		return s.words.remark(s.kinds[col], cells[col])
	}
}

// openRecord shows the marked record whole and tells the root of it.
func (m *Model) openRecord() tea.Cmd {
	row, ok := m.grid.Selected()
	if !ok {
		return nil
	}
	loading := weak.Make(m.source.job) // the root must not keep a body that is shown no more
	again := func() tea.Cmd {
		if m.source == nil || m.source.job != loading.Value() || row >= m.source.Len() {
			return nil // the list was read anew: the record may be another, or gone
		}
		m.grid.Select(row)
		return m.openDetail(row)
	}
	read := m.openDetail(row)
	return tea.Batch(read, m.env.Root.Visited(m.Breadcrumbs()[0], again))
}

// Breadcrumbs names the record that is open, if one is.
func (m *Model) Breadcrumbs() []string {
	if d, ok := m.panel.(*detail); ok {
		return []string{d.title}
	}
	return nil
}

// Actions implements [panel]. The tree's come first: while it is searched, esc ends
// the search.
func (d *detail) Actions() []screen.Action {
	list := d.tree.Actions()
	if d.tree.Typing() {
		return list
	}
	return append(list,
		d.stepAction("detail.next", 1, "it is the last of the list"),
		d.stepAction("detail.previous", -1, "it is the first of the list"),
		screen.Action{ID: "detail.close", Run: d.list.closePanel},
	)
}

// stepAction leads to the record beside this one in the list.
func (d *detail) stepAction(id string, by int, end string) screen.Action {
	a := screen.Action{ID: id, Run: func() tea.Cmd {
		d.tree.Close()
		d.list.grid.Move(by)
		return d.list.openRecord()
	}}
	if to := d.list.grid.Cursor() + by; to < 0 || to >= d.list.grid.Len() {
		a.Reason = end
	}
	return a
}

// Update implements [panel].
func (d *detail) Update(msg tea.Msg) tea.Cmd { return d.tree.Update(msg) }

// Typing implements [panel].
func (d *detail) Typing() bool { return d.tree.Typing() }

// Layout implements [panel].
func (d *detail) Layout(width, height int) { d.width, d.height = width, height }

// View implements [panel].
func (d *detail) View() string {
	width, height := d.width, d.height
	theme := d.list.env.Theme
	title := theme.Strong.Render(safetext.Truncate(d.title, width))
	place := fmt.Sprintf("%s of %s", human.Count(d.list.grid.Cursor()+1), human.Count(d.list.grid.Len()))
	return layout.Sides(title, theme.Muted.Render(place), width) + "\n" + d.tree.View(width, height-1)
}

// Click implements [panel].
func (d *detail) Click(x, y int) tea.Cmd {
	d.tree.Click(x, y-1)
	return nil
}

// Wheel implements [panel].
func (d *detail) Wheel(lines int) { d.tree.Wheel(lines) }

// Close implements [panel].
func (d *detail) Close() { d.tree.Close() }

// copyRecord copies the marked record.
func (m *Model) copyRecord() tea.Cmd {
	row, ok := m.grid.Selected()
	if !ok {
		return nil
	}
	return m.env.Root.Copy(string(m.source.table.Record(row)), m.source.name(row, m.names.One)+" as JSON")
}

// notCopied says why the marked record cannot be copied, "" if it can.
func (m *Model) notCopied() string {
	row, ok := m.grid.Selected()
	switch {
	case !ok:
		return "there is no record here to copy"
	case len(m.source.table.Record(row)) > mostCopied:
		return human.Bytes(int64(len(m.source.table.Record(row)))) + " is more than a clipboard takes"
	}
	return ""
}
