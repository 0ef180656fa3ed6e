package tree

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

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

	children []node // nil before decode
	count    int    // of the values below; -1: not counted yet
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

// decode returns the children, which it makes when first asked.
func (n *node) decode() []node {
	if n.children != nil || n.size() == 0 {
		return n.children
	}
	n.children = make([]node, 0, n.size())
	seen := map[string]bool{}
	for item := range jsonscan.Items(n.doc.raw, n.at) {
		child := newNode(n.doc, item.Value.Start, n.doc.text[item.Value.Start:item.Value.End])
		child.parent, child.depth, child.index = n, n.depth+1, len(n.children)
		if n.kind == object {
			child.key = n.doc.text[item.Name.Start:item.Name.End]
			name := child.name()
			child.again, seen[name] = seen[name], true
		}
		n.children = append(n.children, child)
	}
	return n.children
}

// size is the number of values below, counted without making nodes of them.
func (n *node) size() int {
	switch {
	case !n.container():
		return 0
	case n.count >= 0:
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
	if n.kind != object {
		return nil
	}
	children := n.decode()
	for i := len(children) - 1; i >= 0; i-- {
		c := &children[i]
		name := c.name()
		switch rest, deeper := strings.CutPrefix(path, name+"."); {
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

// text is the value as a person reads it: strings decoded, all else as sent.
func (n *node) text() string {
	if n.kind == quoted {
		return jsonscan.UnquoteLossless(n.raw)
	}
	return n.raw
}

// preview is the beginning of text, more than a screen of it.
func (n *node) preview() string {
	if n.kind == notJSON {
		return beginning(n.raw)
	}
	return beginning(n.text())
}

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
func (n *node) ancestry() []*node {
	var nodes []*node
	for ; n.parent != nil; n = n.parent {
		nodes = append(nodes, n)
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
