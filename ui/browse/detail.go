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

// detail is the screen over a list that shows one record, whole.
type detail struct {
	*record.Model
	list   *List
	title  string
	source *source // whose records are shown
	row    int     // of it
}

// show shows a row of the list.
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

// records reads the rows as fields.
func (s *source) records(env *screen.Env) *record.Reader {
	if s.reader == nil {
		s.reader = record.NewReader(s.table, env.Theme.Glyphs, env.Now)
		s.reader.Spoken = env.Theme.Options.Spoken
		s.reader.Leads = func(record.LeadKind) bool { return true }
	}
	return s.reader
}

// lead is where a value leads: a person to what else is theirs in the list, a company or
// a reseller to the companies.
func (d *detail) lead(kind record.LeadKind, path string, cell lists.Cell) *record.Way {
	if kind != record.Person {
		return record.Companies(d.list.env.Root, kind, cell.Text())
	}
	many := d.list.options.Many
	return &record.Way{
		Title: "filter", Description: "show the other " + many + " with this address",
		Related: "the " + many + " with this address",
		Run: func() tea.Cmd {
			return d.list.related(d, d.source.table.Term(slices.Index(d.source.table.Columns(), path), cell))
		},
	}
}

// openRecord shows the selected record whole.
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

func (l *List) openRow(row int) tea.Cmd {
	d := &detail{list: l}
	d.show(row)
	if !l.env.Theme.Options.Spoken { // where words are commands
		const maxRecent = 5
		others := slices.DeleteFunc(l.recent, func(before int) bool { return before == row })
		l.recent = slices.Insert(others[:min(len(others), maxRecent-1)], 0, row)
	}
	return l.Over(d)
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

// stepAction leads to the record beside this one in the list.
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

// position says where in the list the record is, "" if it is not under the cursor there: a filter
// may leave it out.
func (d *detail) position() string {
	list := d.list.grid
	if row, ok := list.Selected(); !ok || row != d.row {
		return ""
	}
	return human.Number(list.Cursor()+1) + " of " + human.Number(list.Len())
}

// copyCell copies the value of a cell as it was sent, or what the marked rows have in its column.
func (l *List) copyCell(row, column int) tea.Cmd {
	if l.grid.Marks().Len() > 0 {
		return l.copyCells(column)
	}
	c, title := l.source.table.Cell(row, l.source.from[column]), l.source.columns[column].Heading
	text := exact(c)
	if text == "" {
		return l.env.Root.Say("Not copied: this "+l.options.One+" has no "+safetext.Clip(title, maxName)+".", false)
	}
	return l.env.Root.Copy(text, title)
}

// exact is a value as it was sent, "" where there is none.
func exact(c lists.Cell) string {
	if c.Kind() == lists.Array || c.Kind() == lists.Object {
		return string(c.Raw())
	}
	return c.Text()
}
