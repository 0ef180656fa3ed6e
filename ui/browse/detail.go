package browse

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/lists"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
	"gatehouse/ui/record"
	"gatehouse/ui/screen"
)

// detail is the screen over a list that shows one record in full.
type detail struct {
	*record.Model
	list   *List
	title  string
	source *source // of the record
	row    int     // of the source
}

// show shows the record in a row of the list.
func (d *detail) show(row int) {
	d.source, d.row = d.list.source, row
	d.title = d.source.name(row, d.list.options.One)
	d.Model = record.Open(d.list.env, d.list.source.records(d.list.env), row)
	d.Name, d.Lead, d.Explains = d.title+" as JSON", d.lead, d.list.options.Explains
	d.Whole = "An export of the list (" + d.list.env.Keys.Key(screen.BrowseExport) + ") has all of it."
	if d.list.env.Remote {
		d.Whole = "The command " + d.list.options.Many + " writes all of it."
	}
}

// records returns what reads the records of the source as fields. It is made once.
func (s *source) records(env *screen.Env) *record.Reader {
	if s.reader == nil {
		s.reader = record.NewReader(s.table, env.Theme.Glyphs, env.Now)
		s.reader.Spoken = env.Theme.Options.Spoken
		s.reader.Leads = func(record.LeadKind) bool { return true }
	}
	return s.reader
}

// lead is where a value leads: the address of a person to the other records with it, and a
// company or a reseller to the companies. It is nil if the value leads nowhere.
func (d *detail) lead(kind record.LeadKind, path string, cell lists.Cell) *record.Way {
	if kind != record.Person {
		return record.Companies(d.list.env.Root, kind, cell.Text())
	}
	many := d.list.options.Many
	return &record.Way{
		Title: "filter", Description: "show the other " + many + " with this address",
		Related: "the " + many + " with this address",
		Run: func() tea.Cmd {
			column := slices.Index(d.source.table.Columns(), path)
			return d.list.related(d, d.source.table.Term(column, cell))
		},
	}
}

// openRecord opens the selected record.
func (l *List) openRecord() tea.Cmd {
	row, ok := l.grid.Selected()
	if !ok {
		return nil
	}
	if l.options.Open != nil {
		return l.options.Open(l.source.table.Record(row))
	}
	return l.openRow(row)
}

// openRow opens the record in a row of the source, and remembers it for the palette.
func (l *List) openRow(row int) tea.Cmd {
	d := &detail{list: l}
	d.show(row)
	if !l.env.Theme.Options.Spoken { // line mode has no palette
		l.rememberRecent(row)
	}
	return l.Over(d)
}

// rememberRecent makes a row the first of those that were opened recently.
func (l *List) rememberRecent(row int) {
	const maxRecent = 5
	others := slices.DeleteFunc(l.recent, func(other int) bool { return other == row })
	l.recent = slices.Insert(others[:min(len(others), maxRecent-1)], 0, row)
}

func (d *detail) Actions() []screen.Action {
	list := d.Model.Actions()
	if d.Typing() {
		return list
	}
	return append(list,
		d.stepAction(screen.DetailNext, 1),
		d.stepAction(screen.DetailPrevious, -1),
	)
}

// stepAction is the action that shows the record a number of rows below this one in the list.
func (d *detail) stepAction(id screen.ActionID, by int) screen.Action {
	return screen.Action{ID: id, Reason: d.list.NoneBeside(by), Run: func() tea.Cmd {
		d.list.grid.Move(by)
		row, ok := d.list.grid.Selected()
		if !ok {
			return nil
		}
		d.show(row)
		return d.Init()
	}}
}

// Frame implements [screen.Screen].
func (d *detail) Frame() screen.Frame { return screen.InPane }

// View implements [screen.Screen].
func (d *detail) View() screen.View {
	v := d.Model.View()
	v.Title = d.title
	v.Border = screen.Pane{Title: safetext.Clip(d.title, maxName), Foot: d.position()}
	v.Said = []string{"This is " + d.list.options.One + " " + d.position() + ":"}
	return v
}

// position says where in the list the record is, such as "4 of 1,802". It is empty if the cursor
// of the list is not on it, as when the filter leaves it out.
func (d *detail) position() string {
	list := d.list.grid
	if row, ok := list.Selected(); !ok || row != d.row {
		return ""
	}
	return human.Number(list.Cursor()+1) + " of " + human.Number(list.Len())
}

// copyCell copies the value of a cell as the service sent it or, if rows are marked, the values
// that they have in its column.
func (l *List) copyCell(row, column int) tea.Cmd {
	if l.grid.Marks().Len() > 0 {
		return l.copyCells(column)
	}
	cell := l.source.table.Cell(row, l.source.tableColumns[column])
	heading := l.source.columns[column].Heading
	text := exact(cell)
	if text == "" {
		return l.env.Root.Say("Not copied: this "+l.options.One+" has no "+
			safetext.Clip(heading, maxName)+".", false)
	}
	return l.env.Root.Copy(text, heading)
}

// exact is a value as the service sent it; "" for null and for a missing one.
func exact(c lists.Cell) string {
	if c.Kind() == lists.Array || c.Kind() == lists.Object {
		return string(c.Raw())
	}
	return c.Text()
}
