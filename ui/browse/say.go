package browse

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/human"
	"gatehouse/internal/safetext"
	"gatehouse/ui/form"
	"gatehouse/ui/screen"
)

// Say says how many records there are, or why there are none.
func (l *List) Say() iter.Seq[string] {
	if l.job != nil {
		return screen.Texts(strings.Join(l.progressParts(l.job.progress(), max(l.env.Now().Sub(l.job.started), 0)), ", "))
	}
	if l.source == nil {
		if l.problem == nil {
			return screen.Texts()
		}
		return screen.Texts(l.problem.Sentence, l.problem.Hint)
	}
	texts := append(l.banners(), l.notes()...)
	if l.source.Len() == 0 {
		if message := l.source.table.Explanation(); message != "" {
			texts = append(texts, "The service says: "+message)
		}
		return screen.Texts(append(texts, "There are no "+l.options.Many+".", l.options.Empty)...)
	}
	return screen.Texts(append(texts, l.summary(), l.comesTo(maxMessage))...)
}

// summary says how many records there are, and which, and in which order.
func (l *List) summary() string {
	text := l.total()
	if l.of != "" {
		text = strings.TrimSuffix(text, l.of) + "reseller " + safetext.Line(l.ofWhole)
	}
	if l.by.text != "" {
		text += " found with the filter " + safetext.Line(l.by.text)
	}
	if order := l.sortedBy(); order != "" {
		text += ", sorted by " + order
	}
	return text
}

func (l *List) Rows() int {
	if l.grid == nil || l.job != nil {
		return 0
	}
	return l.grid.Len()
}

func (l *List) Choose(at int) { l.grid.Choose(at) }

// saidOfRecord is how many values of a record are said in a list.
const saidOfRecord = 4

// SayRow says the first few values, after the name the one that the list
// is sorted by.
func (l *List) SayRow(at int) string {
	columns := make([]int, len(l.source.columns))
	for i := range columns {
		columns[i] = i
	}
	if len(l.by.keys) > 0 {
		if by := l.by.keys[0].Column; by > 1 {
			columns = slices.Insert(slices.Delete(columns, by, by+1), 1, by)
		}
	}
	if len(l.options.Columns) > 0 {
		return l.grid.SayColumns(at, columns, len(columns))
	}
	return l.grid.SayColumns(at, columns, saidOfRecord)
}

// Columns says the names of the columns.
func (l *List) Columns() iter.Seq[string] {
	texts := []string{human.Count(len(l.source.columns), "column", "columns") + ", what differs between records first and ids last:"}
	for _, c := range l.source.columns {
		text := c.Heading
		if !strings.EqualFold(c.Heading, c.Title) {
			text += ", in full " + c.Title
		}
		texts = append(texts, text)
	}
	return screen.Texts(texts...)
}

// Examples says filters that find something here, and how a filter is written.
func (l *List) Examples() iter.Seq[string] {
	var texts []string
	for _, section := range l.Help() {
		for _, note := range section.Notes {
			texts = append(texts, fmt.Sprintf("filter %s: %s", note.Typed, note.Text))
		}
	}
	return screen.Texts(texts...)
}

// SortBy sorts by one or more columns: "disk down, name"; without any the order is the
// service's. The error is a [records.ColumnError].
func (l *List) SortBy(text string) (tea.Cmd, error) {
	var sorted order
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		name, descending := part, false
		column, err := l.source.table.ColumnNamed(name)
		if err != nil {
			if name, descending = strings.CutSuffix(part, " down"); !descending {
				name, descending = strings.CutPrefix(part, "-")
			}
			if column, err = l.source.table.ColumnNamed(name); err != nil {
				return nil, err
			}
		}
		sorted = append(sorted, SortedBy{l.source.table.Columns()[column], descending})
	}
	l.order = sorted
	return l.rearrange(), nil
}

// ValuesOf counts the values of a column. The error is a [records.ColumnError].
func (l *List) ValuesOf(name string) (tea.Cmd, error) {
	column, err := l.source.table.ColumnNamed(name)
	if err != nil {
		return nil, err
	}
	return l.Over(l.newValues(slices.Index(l.source.from, column))), nil
}

func (d *detail) Say() iter.Seq[string] {
	return screen.Concat(screen.Texts(fmt.Sprintf("This is %s %s of %s:", d.list.options.One, human.Number(d.list.grid.Cursor()+1), human.Number(d.list.grid.Len()))), d.Model.Say())
}

// Asking is the form, nil while nobody is asked.
func (p *ExportPrompt) Asking() *form.Model {
	if p.job != nil {
		return nil
	}
	return p.Model
}

func (p *ExportPrompt) Say() iter.Seq[string] {
	if p.job != nil {
		return screen.Texts("Writing " + p.rows() + " to " + p.job.choice.Path)
	}
	return screen.ReadLines(p.intro(maxMessage)...)
}

func (f *resellerForm) Say() iter.Seq[string] { return screen.Texts(aboutResellers) }
