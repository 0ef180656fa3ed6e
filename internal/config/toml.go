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
	w := walker{document: document, line: 1}
	w.parser.Reset(document)
	var table []string
	for w.parser.NextExpression() {
		node := w.parser.Expression()
		if node.Kind == unstable.KeyValue {
			w.pair(table, node)
			continue
		}
		table = w.path(nil, node)
		w.found = append(w.found, statement{path: table, kind: node.Kind, line: w.line})
	}
	return w.found, w.parser.Error()
}

type walker struct {
	parser   unstable.Parser
	document []byte
	offset   int // lines are counted up to here
	line     int // at offset
	found    []statement
}

func (w *walker) pair(table []string, node *unstable.Node) {
	path, v := w.path(table, node), node.Value()
	st := statement{path: path, kind: v.Kind, line: w.line}
	switch v.Kind {
	case unstable.String, unstable.Bool, unstable.Integer, unstable.Float:
		st.text = string(v.Data)
	case unstable.Array:
		st.list = texts(v)
	}
	w.found = append(w.found, st)
	if v.Kind == unstable.InlineTable {
		for inner := v.Children(); inner.Next(); {
			w.pair(path, inner.Node())
		}
	}
}

// texts are the elements of an array of strings; nil if it has other elements.
func texts(array *unstable.Node) []string {
	list := []string{}
	for element := array.Children(); element.Next(); {
		node := element.Node()
		if node.Kind != unstable.String {
			return nil
		}
		list = append(list, string(node.Data))
	}
	return list
}

// path joins the table's path and the node's key, and counts lines up to the key.
func (w *walker) path(table []string, node *unstable.Node) []string {
	path := slices.Clone(table)
	for key := node.Key(); key.Next(); {
		part := key.Node()
		path = append(path, string(part.Data))
		start := int(part.Raw.Offset)
		w.line += bytes.Count(w.document[w.offset:start], []byte("\n"))
		w.offset = start
	}
	return path
}
