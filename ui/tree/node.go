package tree

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"gatehouse/internal/human"
	"gatehouse/internal/jsonscan"
)

// maxPreview is how many bytes of a value are looked at to show it.
const maxPreview = 16 << 10

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
	group // some of the values of a container with very many
)

// node is one value of the document.
type node struct {
	doc    *document
	parent *node
	raw    string // as sent
	at     int    // where raw begins in the document
	key    string // the member's name as sent, with its quotes; elements have none
	index  int    // among the children of the parent
	depth  int
	kind   kind
	again  bool // a member before it in the same object has the same name

	children []node   // nil before decode
	count    int      // of the values below; -1: not counted yet
	grouped  *outline // the values of a group
	open     bool
	secrecy  secrecy
}

// secrecy remembers what Model.Masked says of a node.
type secrecy uint8

const (
	notAsked secrecy = iota
	isPublic
	isSecret
)

// newRoot makes the root of a document.
func newRoot(doc *document) node {
	if doc.isText {
		return node{doc: doc, raw: doc.text, kind: notJSON}
	}
	return newNode(doc, 0, doc.text)
}

func newNode(doc *document, at int, raw string) node {
	n := node{doc: doc, at: at, raw: raw, count: -1}
	switch raw[0] {
	case '{':
		n.kind = object
	case '[':
		n.kind = array
	case '"':
		n.kind = quoted
	case 't', 'f':
		n.kind = boolean
	case 'n':
		n.kind = null
	default:
		n.kind = number
	}
	return n
}

// container reports whether there can be nodes below n.
func (n *node) container() bool { return n.kind >= array }

// named reports whether the values below a container have names.
func (n *node) named() bool {
	return n.kind == object || n.kind == group && n.parent.kind == object
}

// outline returns where the values of a container are.
func (n *node) outline() outline {
	if n.grouped != nil {
		return *n.grouped
	}
	if long, ok := n.doc.outlines[n.at]; ok {
		return long
	}
	var short outline
	short.add(part{at: n.at + 1, end: n.at + len(n.raw) - 1, count: n.size()})
	short.cost = len(n.raw)
	return short
}

// decode returns the children, which it makes when first asked.
func (n *node) decode() []node {
	if n.children != nil || n.size() == 0 {
		return n.children
	}
	groups := n.outline().groups()
	if len(groups) == 1 {
		n.children = make([]node, 0, groups[0].count)
	}
	for i := range groups {
		if len(groups) == 1 || groups[i].count == 1 {
			n.appendValues(groups[i])
		} else {
			n.appendGroup(&groups[i])
		}
	}
	n.markAgain()
	return n.children
}

func (n *node) appendValues(o outline) {
	for _, p := range o.parts {
		index := p.first
		for item := range n.doc.items(p, n.named()) {
			child := newNode(n.doc, item.Value.Start, n.doc.text[item.Value.Start:item.Value.End])
			child.parent, child.depth = n, n.depth+1
			child.key, child.index = n.doc.text[item.Name.Start:item.Name.End], index
			n.children = append(n.children, child)
			index++
		}
	}
}

func (n *node) appendGroup(o *outline) {
	at, end := o.parts[0].at, o.parts[len(o.parts)-1].end
	n.children = append(n.children, node{
		doc: n.doc, parent: n, at: at, raw: n.doc.text[at:end], index: o.parts[0].first,
		depth: n.depth + 1, kind: group, count: o.count, grouped: o,
	})
}

// markAgain marks the members whose name is there before.
func (n *node) markAgain() {
	if !n.named() {
		return
	}
	seen := make(map[string]bool, len(n.children))
	for i := range n.children {
		if child := &n.children[i]; child.key != "" {
			name := child.name()
			child.again = seen[name]
			seen[name] = true
		}
	}
}

// cost is how many bytes decode will read.
func (n *node) cost() int {
	if n.children != nil || !n.container() {
		return 0
	}
	long, ok := n.doc.outlines[n.at]
	switch {
	case n.grouped != nil:
		return n.grouped.cost
	case !ok:
		return len(n.raw)
	case long.count > groupValues || long.cost > groupBytes:
		return 0
	}
	return long.cost
}

// size is the number of values below, counted without making nodes of them.
func (n *node) size() int {
	switch {
	case !n.container():
		return 0
	case n.count >= 0:
		return n.count
	}
	if long, ok := n.doc.outlines[n.at]; ok {
		n.count = long.count
		return n.count
	}
	n.count = 0
	for range jsonscan.Items(n.doc.raw, n.at) {
		n.count++
	}
	return n.count
}

// find is the value below n that a path leads to, nil if there is none.
func (n *node) find(path string) *node {
	if !n.named() {
		return nil
	}
	children := n.decode()
	for i := len(children) - 1; i >= 0; i-- {
		c := &children[i]
		name := c.name()
		switch rest, deeper := strings.CutPrefix(path, name+"."); {
		case c.kind == group:
			if found := c.find(path); found != nil {
				return found
			}
		case name == path:
			return c
		case deeper:
			if found := c.find(rest); found != nil {
				return found
			}
		}
	}
	return nil
}

// order is that of the nodes as they stand in the document.
func (n *node) order() int {
	if n.kind == group {
		return n.at - 1 // before its first value
	}
	return n.at
}

// text is the value as a person reads it: strings decoded, all else as sent.
func (n *node) text() string {
	if n.kind == quoted {
		return jsonscan.UnquoteLossless(n.raw)
	}
	return n.raw
}

// preview is the beginning of text, more than a screen of it.
func (n *node) preview() string {
	if len(n.raw) <= maxPreview {
		return n.text()
	}
	if n.kind == quoted {
		return jsonscan.UnquoteLossless(cutQuoted(n.raw, maxPreview)) + "…"
	}
	return n.raw[:maxPreview] + "…"
}

// name is the decoded name of a member, "" for an element.
func (n *node) name() string {
	if n.key == "" {
		return ""
	}
	return jsonscan.UnquoteLossless(n.key)
}

// span says which values a group has: "[0 … 9999]".
func (n *node) span() string {
	last := n.index + n.count - 1
	if n.named() {
		return "members " + human.Number(n.index+1) + " … " + human.Number(last+1)
	}
	return "[" + strconv.Itoa(n.index) + " … " + strconv.Itoa(last) + "]"
}

// ancestry is the way from the root to a node, which is the last one in it:
// without the root itself and without groups.
func (n *node) ancestry() []*node {
	var nodes []*node
	for ; n.parent != nil; n = n.parent {
		if n.kind != group {
			nodes = append(nodes, n)
		}
	}
	slices.Reverse(nodes)
	return nodes
}

// path says where in the document a node is: "Data[3].Owner.Name". Names with
// other characters than letters, digits, "_" and "-" are written as they were
// sent: `Data[0]["display name"]`. The root has no path.
func (n *node) path() string {
	var path []byte
	for _, step := range n.ancestry() {
		path = appendStep(path, step.key, step.index)
	}
	return string(path)
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
