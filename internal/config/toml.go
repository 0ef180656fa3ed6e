package config

import (
	"bytes"
	"slices"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// statement is one table header or key-value pair of a TOML document, with its
// full path.
//
// The document is parsed with go-toml's package unstable, as its decoder does not tell the
// lines of values that it accepts, which are checked later.
type statement struct {
	path []string
	kind unstable.Kind // Table, ArrayTable, or the kind of the value
	text string        // of a String, a Bool or a number
	list []string      // of an Array whose elements are all strings
	line int
}

func (st statement) isTable() bool {
	return st.kind == unstable.Table || st.kind == unstable.InlineTable
}

// statements are those of a document, in order; those of an inline table follow the pair that
// holds it.
func statements(document []byte) ([]statement, error) {
	document = bytes.TrimPrefix(document, []byte("\ufeff"))
	// The decoder checks syntax and repeated keys; its values are not used.
	if err := toml.Unmarshal(document, &struct{}{}); err != nil {
		return nil, err
	}
	var parser unstable.Parser
	parser.Reset(document)
	r := reader{document: document, line: 1}
	var table []string
	for parser.NextExpression() {
		if node := parser.Expression(); node.Kind == unstable.KeyValue {
			r.add(table, node, node.Value())
		} else {
			table = r.add(nil, node, node)
		}
	}
	return r.found, parser.Error()
}

type reader struct {
	document []byte
	offset   int // lines are counted up to here
	line     int // at offset
	found    []statement
}

// add adds the statement of a node, whose value is a pair's value or the table itself, and
// returns its path: that of the table around it, and its own key.
func (r *reader) add(table []string, node, value *unstable.Node) []string {
	st := statement{path: slices.Clone(table), kind: value.Kind}
	for key := node.Key(); key.Next(); {
		st.path = append(st.path, string(key.Node().Data))
		start := int(key.Node().Raw.Offset)
		r.line += bytes.Count(r.document[r.offset:start], []byte("\n"))
		r.offset = start
	}
	st.line = r.line
	switch value.Kind {
	case unstable.String, unstable.Bool, unstable.Integer, unstable.Float:
		st.text = string(value.Data)
	case unstable.Array:
		st.list = texts(value)
	}
	r.found = append(r.found, st)
	if value.Kind == unstable.InlineTable {
		for inner := value.Children(); inner.Next(); {
			r.add(st.path, inner.Node(), inner.Node().Value())
		}
	}
	return st.path
}

// texts are the elements of an array of strings; nil if it has other elements.
func texts(array *unstable.Node) []string {
	list := []string{}
	for element := array.Children(); element.Next(); {
		if element.Node().Kind != unstable.String {
			return nil
		}
		list = append(list, string(element.Node().Data))
	}
	return list
}
