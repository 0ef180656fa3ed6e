package record

import (
	"iter"
	"strings"

	"github.com/tidwall/gjson"

	"gatehouse/internal/records"
	"gatehouse/ui/fields"
	"gatehouse/ui/screen"
)

// Say says the fields, or as a tree each value of the record.
func (m *Model) Say() iter.Seq[string] {
	if !m.shownAsTree() {
		return m.list.Say(m.sayWhole)
	}
	var before []fields.Group
	if m.Before != nil {
		before = m.Before()
	}
	return screen.Concat(fields.Say(before, nil), screen.SayValues("", m.raw(), m.sayValue))
}

// sayWhole says each value of a field that is a document.
func (m *Model) sayWhole(f *fields.Field) iter.Seq[string] {
	c := m.reader.column(f.Path)
	if c == nil {
		return screen.Texts(f.Label + ": " + f.Text)
	}
	return screen.SayValues(f.Label, m.reader.table.Cell(m.row, c.Index).Raw(), m.sayValue)
}

// sayValue says a value as people read it and, where that says less, as it was sent.
func (m *Model) sayValue(path string, value gjson.Result) string {
	name := path[strings.LastIndexByte(path, '.')+1:]
	if m.reader.isSecret(path, name, value.Str) && !m.reader.revealed {
		return "hidden"
	}
	text := screen.SayValue(path, value)
	now := m.env.Now()
	read := readable(path, value.Raw, records.Format{Zone: now.Location(), Now: now, Spoken: true})
	if read == value.Raw || read == value.Str || value.Type == gjson.True || value.Type == gjson.False {
		return text
	}
	return read + ", exactly " + text
}
