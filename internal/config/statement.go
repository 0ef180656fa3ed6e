package config

import (
	"bytes"
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// statement is one table header or key-value pair of a TOML document, with its
// full path. The decoder's own strict mode knows neither the lines of the values
// it accepts nor the table around an inline key, so the document is walked.
type statement struct {
	path []string
	kind unstable.Kind // Table, ArrayTable, or the kind of the value
	text string        // of a String or a Bool
	list []string      // of an Array whose elements are all strings
	line int
}

// walk checks the document and visits its statements in order, those of inline
// tables after the pair that holds them. It ends with the first error of visit.
func walk(document []byte, visit func(statement) error) error {
	document = bytes.TrimPrefix(document, []byte("\ufeff"))
	// Syntax and repeated keys are the decoder's; no value is wanted from it.
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
	offset   int // up to which lines are counted
	line     int // at offset
	visit    func(statement) error
}

func (w *walker) pair(table []string, node *unstable.Node) error {
	path, v := w.path(table, node), node.Value()
	st := statement{path: path, kind: v.Kind, line: w.line}
	switch v.Kind {
	case unstable.String, unstable.Bool:
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

// texts are the elements of an array of strings; nil if there is anything else.
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

// path joins the table and the node's key, and counts the lines up to it.
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

// offender is the character that a syntax error quotes: it may be the first of
// a secret that somebody put there without quotes.
var offender = regexp.MustCompile(`( but got|:)? U\+[0-9A-F]+( '.')?`)

// scan takes a document into the file.
func scan(document []byte, f *file) error {
	err := walk(document, f.add)
	syntax, ok := errors.AsType[*toml.DecodeError](err)
	if !ok {
		return err
	}
	line, _ := syntax.Position()
	return &Error{
		Origin:  Origin{File: f.path, Line: line},
		Problem: "this is not TOML: " + cut(offender.ReplaceAllString(strings.TrimPrefix(syntax.Error(), "toml: "), "")),
		Want:    `want lines such as client_id = "name"`,
	}
}
