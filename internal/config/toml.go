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
// The document is parsed with go-toml's package unstable. Decoding in strict mode would
// be simpler, but it does not report the lines of accepted values, which are checked
// later, nor of the table around an inline key; so errors could not name a line. The tests
// of this package check the line of each kind of mistake.
type statement struct {
	path []string
	kind unstable.Kind // Table, ArrayTable, or the kind of the value
	text string        // of a String, a Bool or an Integer
	list []string      // of an Array whose elements are all strings
	line int
}

// walk checks the document and visits its statements in order; statements of an inline
// table follow the pair that holds it. It stops at the first error of visit.
func walk(document []byte, visit func(statement) error) error {
	document = bytes.TrimPrefix(document, []byte("\ufeff"))
	// The decoder checks syntax and repeated keys; its values are not used.
	if err := toml.Unmarshal(document, &struct{}{}); err != nil {
		return err
	}
	w := walker{document: document, line: 1, visit: visit}
	w.parser.Reset(document)
	var table []string
	for w.parser.NextExpression() {
		node := w.parser.Expression()
		var err error
		if node.Kind == unstable.KeyValue {
			err = w.pair(table, node)
		} else {
			table = w.path(nil, node)
			err = visit(statement{path: table, kind: node.Kind, line: w.line})
		}
		if err != nil {
			return err
		}
	}
	return w.parser.Error()
}

type walker struct {
	parser   unstable.Parser
	document []byte
	offset   int // lines are counted up to here
	line     int // at offset
	visit    func(statement) error
}

func (w *walker) pair(table []string, node *unstable.Node) error {
	path, v := w.path(table, node), node.Value()
	st := statement{path: path, kind: v.Kind, line: w.line}
	switch v.Kind {
	case unstable.String, unstable.Bool, unstable.Integer:
		st.text = string(v.Data)
	case unstable.Array:
		st.list = texts(v)
	}
	if err := w.visit(st); err != nil || v.Kind != unstable.InlineTable {
		return err
	}
	for inner := v.Children(); inner.Next(); {
		if err := w.pair(path, inner.Node()); err != nil {
			return err
		}
	}
	return nil
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
