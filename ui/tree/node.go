package tree

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode"

	"github.com/tidwall/gjson"
)

// maxDepth is how deep a document may nest; what is deeper is shown as text.
// It bounds the recursion over documents and trees.
const maxDepth = 50_000

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
	parent *node
	raw    string // as sent
	at     int    // where raw begins in the document
	key    string // the member's name as sent, with its quotes; elements have none
	index  int    // among the children of the parent
	depth  int
	kind   kind

	children []node // nil before decode
	count    int    // of the children; -1: not counted yet
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

// parse makes the root of a document.
func parse(raw []byte) node {
	doc := strings.Trim(string(raw), " \t\r\n")
	if nesting(doc) > maxDepth || !gjson.Valid(doc) {
		return node{raw: string(raw), kind: notJSON}
	}
	return newNode(doc)
}

func newNode(raw string) node {
	n := node{raw: raw, count: -1}
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

// nesting returns how deep brackets nest outside of strings.
func nesting(doc string) int {
	depth, deepest, inString := 0, 0, false
	for i := 0; i < len(doc); i++ {
		switch c := doc[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{', c == '[':
			depth++
			deepest = max(deepest, depth)
		case c == '}', c == ']':
			depth--
		}
	}
	return deepest
}

// container reports whether there can be nodes below n.
func (n *node) container() bool { return n.kind == array || n.kind == object }

// each calls yield with the children of a container, in the order sent.
func (n *node) each(yield func(key, value gjson.Result)) {
	if !n.container() {
		return
	}
	whole := gjson.Result{Type: gjson.JSON, Raw: n.raw, Index: n.at}
	whole.ForEach(func(key, value gjson.Result) bool {
		yield(key, value)
		return true
	})
}

// decode returns the children, which it makes when first asked.
func (n *node) decode() []node {
	if n.children == nil && n.size() > 0 {
		n.children = make([]node, 0, n.size())
		n.each(func(key, value gjson.Result) {
			child := newNode(value.Raw)
			child.parent, child.depth = n, n.depth+1
			child.at, child.index = value.Index, len(n.children)
			if n.kind == object {
				child.key = key.Raw
			}
			n.children = append(n.children, child)
		})
	}
	return n.children
}

// cost is how many bytes decode will read.
func (n *node) cost() int {
	if n.children != nil {
		return 0
	}
	return len(n.raw)
}

// size is the number of children, counted without making them.
func (n *node) size() int {
	if n.count < 0 {
		n.count = 0
		n.each(func(_, _ gjson.Result) { n.count++ })
	}
	return n.count
}

// text is the value as a person reads it: strings decoded, all else as sent.
func (n *node) text() string {
	if n.kind == quoted {
		return unquote(n.raw)
	}
	return n.raw
}

// preview is the beginning of text, more than a screen of it.
func (n *node) preview() string {
	if len(n.raw) <= maxPreview {
		return n.text()
	}
	if n.kind == quoted {
		return unquote(cutQuoted(n.raw, maxPreview)) + "…"
	}
	return n.raw[:maxPreview] + "…"
}

// name is the decoded name of a member, "" for an element.
func (n *node) name() string {
	if n.key == "" {
		return ""
	}
	return unquote(n.key)
}

// unquote decodes a JSON string.
func unquote(raw string) string {
	inner := raw[1 : len(raw)-1]
	if !strings.Contains(inner, `\`) {
		return inner
	}
	var decoded string
	if json.Unmarshal([]byte(raw), &decoded) != nil {
		return inner
	}
	return decoded
}

// cutQuoted returns the first bytes, about limit, of a longer JSON string as a
// JSON string: not cut inside an escape.
func cutQuoted(raw string, limit int) string {
	end := 1
	for end < limit {
		switch {
		case raw[end] != '\\':
			end++
		case raw[end+1] == 'u':
			end += len(`\u0000`)
		default:
			end += len(`\n`)
		}
	}
	return raw[:end] + `"`
}

// path says where in the document a node is: "Data[3].Owner.Name". Names with
// other characters than letters, digits, "_" and "-" are written as they were
// sent: `Data[0]["display name"]`. The root has no path.
func (n *node) path() string {
	nodes := make([]*node, n.depth)
	for ; n.parent != nil; n = n.parent {
		nodes[n.depth-1] = n
	}
	var b strings.Builder
	for _, n := range nodes {
		switch {
		case n.key == "":
			b.WriteString("[" + strconv.Itoa(n.index) + "]")
		case !isPlainName(n.key[1 : len(n.key)-1]):
			b.WriteString("[" + n.key + "]")
		default:
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(n.key[1 : len(n.key)-1])
		}
	}
	return b.String()
}

func isPlainName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return r != '_' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}
