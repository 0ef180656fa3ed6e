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

// The limits of a tree. A larger document is shown as text, because some keys look at all of it.
const (
	maxBytes  = 1 << 20
	maxDepth  = 100
	maxValues = 100_000 // roughly, arrays and objects included
)

// maxPreview is how many bytes of a value are used to show it.
const maxPreview = 16 << 10

// document is a JSON document as a list of nodes in the order in which they were sent, the root
// first. A document that is shown as text is a single node.
type document struct {
	nodes []node
	// flaw says why a JSON document is shown as text; "" if it is shown as a tree, or not JSON.
	flaw string
}

// kind is the kind of the value of a node. The kinds that contain other nodes come last.
type kind uint8

const (
	notJSON kind = iota // of a document that is shown as text
	null
	boolean
	number
	quoted
	array
	object
)

// noParent is the parent of the root.
const noParent = -1

// node is one value of a document.
type node struct {
	parent  int    // index of the node that contains it, or noParent
	end     int    // index of the first node after those that it contains
	raw     string // as it was sent
	at      int    // offset of raw in the document
	key     string // name of a member as it was sent, with its quotes; "" for an element
	index   int    // among the values of the parent
	size    int    // number of values that have it as their parent
	depth   int
	kind    kind
	isAgain bool // an earlier member of the same object has the same name
	isOpen  bool
}

// read reads a document, and copies it, so that the bytes around it need not stay in memory.
func read(raw []byte) document {
	if len(raw) > maxBytes {
		return newText(raw, human.Bytes(int64(len(raw)))+" is too long")
	}
	raw = bytes.Clone(raw)
	text := bytes.Trim(raw, " \t\r\n")
	switch {
	case !isJSON(text, maxDepth) && isJSON(text, len(text)):
		return newText(raw, "the nesting is too deep")
	case !isJSON(text, maxDepth):
		return newText(raw, "")
	case countValues(text) > maxValues:
		return newText(raw, "there are too many values")
	}
	root := node{parent: noParent, raw: stringOf(text)}
	return document{nodes: slices.Clip(appendNodes(nil, text, stringOf(text), root))}
}

// newText makes the document that shows a text. flaw says why it is not a tree.
func newText(raw []byte, flaw string) document {
	root := node{parent: noParent, end: 1, raw: stringOf(raw), kind: notJSON}
	return document{nodes: []node{root}, flaw: flaw}
}

// stringOf returns bytes as a string that shares their memory. They must not change any more.
func stringOf(raw []byte) string { return unsafe.String(unsafe.SliceData(raw), len(raw)) }

// isJSON reports whether a text is one JSON value with at most depth levels.
func isJSON(text []byte, depth int) bool {
	s := jsonscan.Scanner{Text: text, MaxDepth: depth}
	return s.Value() == nil && s.AtEnd()
}

// countValues is roughly the number of values in a JSON text, or more if its strings contain commas
// or brackets.
func countValues(text []byte) (count int) {
	for _, c := range text {
		if c == ',' || c == '[' || c == '{' {
			count++
		}
	}
	return count
}

// appendNodes appends a node and all that it contains. raw and text are the document.
func appendNodes(nodes []node, raw []byte, text string, n node) []node {
	self := len(nodes)
	n.kind = kindOf(n.raw[0])
	nodes = append(nodes, n)
	if n.isContainer() {
		seen := map[string]bool{}
		for item := range jsonscan.Items(raw, n.at) {
			child := node{
				parent: self,
				at:     item.Value.Start,
				raw:    text[item.Value.Start:item.Value.End],
				index:  nodes[self].size,
				depth:  n.depth + 1,
			}
			if n.kind == object {
				child.key = text[item.Name.Start:item.Name.End]
				name := child.name()
				child.isAgain, seen[name] = seen[name], true
			}
			nodes[self].size++
			nodes = appendNodes(nodes, raw, text, child)
		}
	}
	nodes[self].end = len(nodes)
	return nodes
}

// kindOf tells the kind of a JSON value from its first byte.
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

// isContainer reports whether a node can contain others.
func (n *node) isContainer() bool { return n.kind >= array }

// isRoot reports whether a node is the whole document.
func (n *node) isRoot() bool { return n.parent == noParent }

// text is the value as a person reads it: the text of a string, or else the JSON as it was sent.
func (n *node) text() string {
	if n.kind == quoted {
		return jsonscan.UnquoteLossless(n.raw)
	}
	return n.raw
}

// preview is the beginning of the text of a node, which is more than a screen has room for.
func (n *node) preview() string { return beginning(n.text()) }

// beginning is the first maxPreview bytes of a text, cut between characters.
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

// name is the name of a member; "" for an element of an array.
func (n *node) name() string {
	if n.key == "" {
		return ""
	}
	return jsonscan.UnquoteLossless(n.key)
}

// ancestry are the nodes that contain a node, without the root, and then the node itself.
func (d *document) ancestry(n *node) []*node {
	var nodes []*node
	for ; !n.isRoot(); n = &d.nodes[n.parent] {
		nodes = append(nodes, n)
	}
	slices.Reverse(nodes)
	return nodes
}

// path is the path of a node: "Data[3].Owner.Name". A name with characters other than letters,
// digits, "_" and "-" is written as it was sent: `Data[0]["display name"]`. The path of the root is
// "".
func (d *document) path(n *node) string {
	var path []byte
	for _, step := range d.ancestry(n) {
		path = appendStep(path, step.key, step.index)
	}
	return string(path)
}

// steps are the names on the way from the root to a node; an element of an array is "[3]".
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

// appendStep appends a step to a path: the name of a member, or the index of an element if key is
// "".
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

// isPlainName reports whether a name needs no quotes in a path.
func isPlainName(name string) bool {
	isOther := func(r rune) bool {
		return r != '_' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}
	return name != "" && !strings.ContainsFunc(name, isOther)
}
