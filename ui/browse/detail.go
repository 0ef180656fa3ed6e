package browse

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/human"
	"gatehouse/internal/records"
	"gatehouse/internal/safetext"
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
	d.Name, d.Lead = d.title+" as JSON", d.lead
	d.Whole = "An export of the list (" + d.list.env.Keys.Key("browse.export") + ") has all of it."
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
func (d *detail) lead(kind record.LeadKind, path string, cell records.Cell) *record.Way {
	root, text := d.list.env.Root, cell.Text()
	switch kind {
	case record.Person:
		return &record.Way{Title: "filter", Description: "show the other records with this address", Run: func() tea.Cmd {
			return d.list.related(d, d.source.table.Term(slices.Index(d.source.table.Columns(), path), cell))
		}}
	case record.Company:
		return &record.Way{Title: "company", Description: "show the company", Run: func() tea.Cmd { return root.ShowCompanies("", text) }}
	}
	return &record.Way{Title: "companies", Description: "show the companies of the reseller", Run: func() tea.Cmd { return root.ShowCompanies(text, "") }}
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
	d := &detail{list: l}
	d.show(row)
	return l.Over(d)
}

func (d *detail) Title() string { return d.title }

func (d *detail) Actions() []screen.Action {
	list := d.Model.Actions()
	if d.Typing() {
		return list
	}
	return append(list,
		d.stepAction("detail.next", 1),
		d.stepAction("detail.previous", -1),
	)
}

// stepAction leads to the record beside this one in the list.
func (d *detail) stepAction(id string, by int) screen.Action {
	return screen.Action{ID: id, Reason: d.list.NoneBeside(by), Run: func() tea.Cmd { return d.step(by) }}
}

func (d *detail) step(by int) tea.Cmd {
	d.list.grid.Move(by)
	row, ok := d.list.grid.Selected()
	if !ok {
		return nil
	}
	d.show(row)
	return d.Init()
}

func (d *detail) Pane() screen.Pane {
	list := d.list.grid
	return screen.Pane{Title: safetext.Clip(d.title, maxName), Foot: human.Number(list.Cursor()+1) + " of " + human.Number(list.Len())}
}

// copyRecord copies the selected record.
func (l *List) copyRecord() tea.Cmd {
	row, ok := l.grid.Selected()
	if !ok {
		return nil
	}
	return l.env.Root.CopyDocument(string(l.source.table.Record(row)), l.source.name(row, l.options.One)+" as JSON")
}

// copyCell copies the value of a cell as it was sent.
func (l *List) copyCell(row, column int) tea.Cmd {
	c, title := l.source.table.Cell(row, l.source.from[column]), l.source.columns[column].Heading
	text := exact(c)
	if text == "" {
		return l.env.Root.Say("Not copied: this "+l.options.One+" has no "+safetext.Clip(title, maxName)+".", false)
	}
	return l.env.Root.Copy(text, title)
}

// exact is a value as it was sent, "" where there is none.
func exact(c records.Cell) string {
	if c.Kind() == records.Array || c.Kind() == records.Object {
		return string(c.Raw())
	}
	return c.Text()
}

// tooLong says why the selected record cannot be copied, "" if it can.
func (l *List) tooLong() string {
	row, ok := l.grid.Selected()
	if !ok || len(l.source.table.Record(row)) <= maxCopied {
		return ""
	}
	return human.Bytes(int64(len(l.source.table.Record(row)))) + " is too long for the clipboard"
}
