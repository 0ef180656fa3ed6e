package records

import (
	"bytes"
	"slices"
	"strings"

	"gatehouse/internal/jsonscan"
)

// MaxColumns is the number of columns after which a body gets no further ones.
// Nested objects that are only part of a path count too.
const MaxColumns = 2000

const (
	// scalarColumn is the name of the column of records that are not objects.
	scalarColumn = "value"
	// maxPath is how many objects deep a column can be; what is deeper is one cell.
	maxPath = 64
	// maxName keeps long keys that many columns share from filling the memory.
	maxName = 4 << 10
)

// schema is the tree of all paths that were seen, and the columns among them.
type schema struct {
	root      *node
	nodes     int
	names     []string // of the columns
	paths     []path
	truncated bool
}

// path is the decoded member names that lead from a record to a cell.
type path []string

// node is a path in the tree. The root, the empty path, is the record itself.
type node struct {
	path     path
	name     string
	column   int // noColumn where every value so far was an object
	children map[string]*node
	usual    []*node // the children as they were first seen
	position int     // among those of the parent
	sent     []byte  // the name as it was first sent, between the comma before it and its colon
}

const noColumn = -1

func newSchema() schema {
	return schema{root: &node{name: scalarColumn, column: noColumn}}
}

// nests reports whether the value that begins at that offset of a record, with depth
// member names above it, is spread over columns. An empty object inside a record is
// not, or it would look like a missing one.
func nests(record []byte, at, depth int) bool {
	if record[at] != '{' || depth >= maxPath {
		return false
	}
	return depth == 0 || record[jsonscan.SkipSpace(record, at+1)] != '}'
}

// sameColumns reports whether s has learned nothing since other was a copy of it.
func (s *schema) sameColumns(other schema) bool {
	return s.nodes == other.nodes && len(s.names) == len(other.names) && s.truncated == other.truncated
}

// clone returns a copy that does not change when s learns.
func (s *schema) clone() schema {
	clone := *s
	if s.root != nil {
		clone.root = s.root.clone()
	}
	return clone
}

func (n *node) clone() *node {
	clone := *n
	clone.children = make(map[string]*node, len(n.children))
	clone.usual = make([]*node, len(n.usual))
	for key, child := range n.children {
		copied := child.clone()
		clone.children[key], clone.usual[child.position] = copied, copied
	}
	return &clone
}

// learn adds the columns of a record.
func (s *schema) learn(record []byte) {
	s.root.walk(record, 0, func(n *node, _ jsonscan.Span) { s.addColumn(n) }, s.addChild)
}

func (s *schema) addColumn(n *node) {
	if n.column != noColumn {
		return
	}
	n.column = len(s.names)
	s.names = append(s.names, n.name)
	s.paths = append(s.paths, n.path)
}

// addChild makes the node of a member by its quoted name; nil if there is no room for it.
func (s *schema) addChild(n *node, quoted []byte) *node {
	key := jsonscan.Unquote(quoted)
	if s.nodes >= MaxColumns || len(n.name)+len(key) >= maxName {
		s.truncated = true
		return nil
	}
	s.nodes++
	child := &node{path: n.path.append(string(key)), column: noColumn}
	child.name = strings.Join(child.path, ".")
	if n.children == nil {
		n.children = make(map[string]*node)
	}
	n.children[string(key)] = child
	child.position, child.sent = len(n.usual), slices.Concat([]byte{','}, quoted, []byte{':'})
	n.usual = append(n.usual, child)
	return child
}

// append returns a new path; paths never share the memory that they grow into.
func (p path) append(name string) path {
	return append(p[:len(p):len(p)], name)
}

// walk goes through the value of n, which begins at that offset of a record, and returns where
// it ends. Each value that is not spread over columns is passed to leaf, and each member without a
// node to unknown, which may make one.
func (n *node) walk(record []byte, at int, leaf func(n *node, value jsonscan.Span), unknown func(n *node, quoted []byte) *node) (end int) {
	if !nests(record, at, len(n.path)) {
		value := jsonscan.ValueAt(record, at)
		leaf(n, value)
		return value.End
	}
	due := 0 // the child that comes next in the usual order
	for at = jsonscan.SkipSpace(record, at+1); record[at] != '}'; at = jsonscan.NextItem(record, end) {
		keyEnd, child := n.childAt(record, at, due)
		if child == nil {
			child = unknown(n, record[at:keyEnd])
		}
		if at = jsonscan.MemberValue(record, keyEnd); child == nil {
			end = jsonscan.ValueAt(record, at).End
			continue
		}
		due = child.position + 1
		end = child.walk(record, at, leaf, unknown)
	}
	return at + 1
}

// childAt moves behind the key that begins here and returns its child, nil if
// there is none. It compares the key with that of the one that is due before it decodes it.
func (n *node) childAt(object []byte, at, due int) (end int, child *node) {
	if due < len(n.usual) {
		child = n.usual[due]
		if quoted := child.sent[len(",") : len(child.sent)-len(":")]; bytes.HasPrefix(object[at:], quoted) {
			return at + len(quoted), child
		}
	}
	end = jsonscan.SkipString(object, at)
	return end, n.children[string(jsonscan.Unquote(object[at:end]))]
}

// find returns the first cell of a path in a record; nil if there is none.
func (p path) find(record []byte) []byte {
	found, _ := p.findAt(record, 0, 0)
	return found
}

// findAt is find from the value of p[:depth] on, which begins at that offset of the
// record. It returns where that ends, too, unless it found the cell.
func (p path) findAt(record []byte, at, depth int) (found []byte, end int) {
	isLast, nested := depth == len(p), nests(record, at, depth)
	if isLast || !nested {
		value := jsonscan.ValueAt(record, at)
		if isLast && !nested {
			found = value.Of(record)
		}
		return found, value.End
	}
	for at = jsonscan.SkipSpace(record, at+1); record[at] != '}'; at = jsonscan.NextItem(record, end) {
		keyEnd, same := jsonscan.MatchName(record, at, p[depth])
		if at = jsonscan.MemberValue(record, keyEnd); !same {
			end = jsonscan.ValueAt(record, at).End
		} else if found, end = p.findAt(record, at, depth+1); found != nil {
			return found, 0
		}
	}
	return nil, at + 1
}
