package tree

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
	"unsafe"

	"gatehouse/internal/text/human"
	"gatehouse/internal/text/jsonscan"
)

// What is longer, nests deeper or has more values is shown as text: each key looks at no
// more than this.
const (
	maxBytes  = 1 << 20
	maxDepth  = 100
	maxValues = 100_000 // and containers, about
)

// maxPreview is how many bytes of a value are looked at to show it.
const maxPreview = 16 << 10

// document is what was sent: all values in their order, the root first, or one node that is
// shown as text.
type document struct {
	nodes []node
	flaw  string // why JSON is shown as text; "" if it is none
}

// kind says what a node holds.
type kind uint8

const (
	notJSON kind = iota // a document of another kind, shown as text
	null
	boolean
	number
	quoted
	array
	object
)

// node is one value of the document.
type node struct {
	parent, end int    // among the nodes: what it is in, and the first one after what is in it
	raw         string // as sent
	at          int    // where raw begins in the document
	key         string // the member's name as sent, with its quotes; elements have none
	index       int    // among the values of the parent
	size        int    // how many values it has itself
	depth       int
	kind        kind
	again       bool // a member before it in the same object has the same name
	open        bool
}

func read(raw []byte) document {
	if len(raw) > maxBytes {
		return newText(raw, human.Bytes(int64(len(raw)))+" is too long")
	}
	raw = bytes.Clone(raw) // so as not to keep the bytes around it in memory
	text := bytes.Trim(raw, " \t\r\n")
	switch {
	case !isJSON(text, maxDepth) && isJSON(text, len(text)):
		return newText(raw, "the nesting is too deep")
	case !isJSON(text, maxDepth):
		return newText(raw, "")
	case bytes.Count(text, []byte{','})+bytes.Count(text, []byte{'['})+bytes.Count(text, []byte{'{'}) > maxValues:
		return newText(raw, "there are too many values")
	}
	return document{nodes: slices.Clip(appendNodes(nil, text, stringOf(text), node{parent: -1, raw: stringOf(text)}))}
}

func newText(raw []byte, flaw string) document {
	return document{[]node{{parent: -1, end: 1, raw: stringOf(raw), kind: notJSON}}, flaw}
}

// stringOf returns bytes that do not change any more as a string of the same memory.
func stringOf(raw []byte) string { return unsafe.String(unsafe.SliceData(raw), len(raw)) }

// isJSON reports whether a text is one JSON value that does not nest too deep.
func isJSON(text []byte, depth int) bool {
	s := jsonscan.Scanner{Text: text, MaxDepth: depth}
	return s.Value() == nil && s.AtEnd()
}

// appendNodes appends a node and all that is in it. Text is raw as a string.
func appendNodes(nodes []node, raw []byte, text string, n node) []node {
	self := len(nodes)
	n.kind = kindOf(n.raw[0])
	nodes = append(nodes, n)
	if n.container() {
		seen := map[string]bool{}
		for item := range jsonscan.Items(raw, n.at) {
			child := node{parent: self, at: item.Value.Start, raw: text[item.Value.Start:item.Value.End], index: nodes[self].size, depth: n.depth + 1}
			if n.kind == object {
				child.key = text[item.Name.Start:item.Name.End]
				name := child.name()
				child.again, seen[name] = seen[name], true
			}
			nodes[self].size++
			nodes = appendNodes(nodes, raw, text, child)
		}
	}
	nodes[self].end = len(nodes)
	return nodes
}

// kindOf tells the kind of a JSON value by its first byte.
func kindOf(first byte) kind {
	switch first {
	case '{':
		return object
	case '[':
		return array
	case '"':
		return quoted
	case 't', 'f':
		return boolean
	case 'n':
		return null
	}
	return number
}

// container reports whether there can be nodes in n.
func (n *node) container() bool { return n.kind >= array }

// text is the value as a person reads it: strings decoded, all else as sent.
func (n *node) text() string {
	if n.kind == quoted {
		return jsonscan.UnquoteLossless(n.raw)
	}
	return n.raw
}

// preview is the beginning of text, more than a screen of it.
func (n *node) preview() string { return beginning(n.text()) }

func beginning(text string) string {
	if len(text) <= maxPreview {
		return text
	}
	end := maxPreview
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}

// name is the decoded name of a member, "" for an element.
func (n *node) name() string {
	if n.key == "" {
		return ""
	}
	return jsonscan.UnquoteLossless(n.key)
}

// ancestry is the way from the root, which is not in it, to the node, which is the last.
func (d *document) ancestry(n *node) []*node {
	var nodes []*node
	for ; n.parent >= 0; n = &d.nodes[n.parent] {
		nodes = append(nodes, n)
	}
	slices.Reverse(nodes)
	return nodes
}

// path says where in the document a node is: "Data[3].Owner.Name". Names with
// other characters than letters, digits, "_" and "-" are written as they were
// sent: `Data[0]["display name"]`. The root has no path.
func (d *document) path(n *node) string {
	var path []byte
	for _, step := range d.ancestry(n) {
		path = appendStep(path, step.key, step.index)
	}
	return string(path)
}

// steps are the names from the root to a node, elements as "[3]".
func (d *document) steps(n *node) []string {
	var names []string
	for _, step := range d.ancestry(n) {
		if step.key == "" {
			names = append(names, string(appendStep(nil, "", step.index)))
		} else {
			names = append(names, step.name())
		}
	}
	return names
}

// appendStep appends one step of a path: the name of a member as sent or, where
// there is none, the index of an element.
func appendStep(path []byte, key string, index int) []byte {
	switch {
	case key == "":
		return append(path, "["+strconv.Itoa(index)+"]"...)
	case !isPlainName(key[1 : len(key)-1]):
		return append(path, "["+key+"]"...)
	case len(path) > 0:
		path = append(path, '.')
	}
	return append(path, key[1:len(key)-1]...)
}

func isPlainName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return r != '_' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}
