package records

import "strings"

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
	columns   []Column
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
	place    int     // among those of the parent
}

const noColumn = -1

func newSchema() schema {
	return schema{root: &node{name: scalarColumn, column: noColumn}}
}

// nests reports whether value, which has depth member names above it, is spread over columns.
// An empty object inside a record is not, or it would look like a missing one.
func nests(value []byte, depth int) bool {
	if value[0] != '{' || depth >= maxPath {
		return false
	}
	return depth == 0 || value[skipSpace(value, 1)] != '}'
}

// clone returns a copy that does not change when s learns.
func (s *schema) clone() schema {
	clone := *s
	clone.root = s.root.clone()
	return clone
}

func (n *node) clone() *node {
	clone := *n
	clone.children = make(map[string]*node, len(n.children))
	clone.usual = make([]*node, len(n.usual))
	for key, child := range n.children {
		copied := child.clone()
		clone.children[key], clone.usual[child.place] = copied, copied
	}
	return &clone
}

// learnAll adds the columns of records.
func (s *schema) learnAll(body []byte, records []place) {
	for _, record := range records {
		s.learn(record.of(body))
	}
}

// learn adds the columns of a record.
func (s *schema) learn(record []byte) { s.learnAt(s.root, record) }

func (s *schema) learnAt(n *node, value []byte) {
	if !nests(value, len(n.path)) {
		s.addColumn(n)
		return
	}
	for key, at := range members(value) {
		if child := s.child(n, unquote(key)); child != nil {
			s.learnAt(child, at.of(value))
		}
	}
}

func (s *schema) addColumn(n *node) {
	if n.column != noColumn {
		return
	}
	n.column = len(s.columns)
	s.columns = append(s.columns, Column{Name: n.name})
	s.paths = append(s.paths, n.path)
}

// child returns the node of a member, or nil if there is no room for it.
func (s *schema) child(n *node, key []byte) *node {
	if child, ok := n.children[string(key)]; ok {
		return child
	}
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
	child.place = len(n.usual)
	n.usual = append(n.usual, child)
	return child
}

// append returns a new path; paths never share the memory that they grow into.
func (p path) append(name string) path {
	return append(p[:len(p):len(p)], name)
}

// fill sets the cells of all columns below n that value has, and reports whether
// value has one of them again.
func (n *node) fill(cells []Cell, value []byte) (again bool) {
	if !nests(value, len(n.path)) {
		if n.column != noColumn {
			again = cells[n.column].raw != nil
			cells[n.column] = Cell{value}
		}
		return again
	}
	due := 0 // the child that comes next in the usual order
	at := skipSpace(value, 1)
	for value[at] != '}' {
		keyEnd, child := n.childAt(value, at, due)
		member := valueAt(value, skipSpace(value, keyEnd)+len(":"))
		if child != nil {
			due = child.place + 1
			again = child.fill(cells, member.of(value)) || again
		}
		at = nextItem(value, member.end)
	}
	return again
}

// childAt moves behind the key that begins here and returns its child, nil if
// there is none. It compares the key with that of the one that is due before it decodes it.
func (n *node) childAt(object []byte, at, due int) (end int, child *node) {
	if due < len(n.usual) {
		child = n.usual[due]
		if end, same := matchKey(object, at, child.path[len(child.path)-1]); same {
			return end, child
		}
	}
	end = skipString(object, at)
	return end, n.children[string(unquote(object[at:end]))]
}

// find returns the cell that p leads to from value, which is the value of
// p[:depth]; nil if there is none. Of several it is the last one, or simply the
// first where it is known to be the only one.
func (p path) find(value []byte, depth int, only bool) (found []byte) {
	if !nests(value, depth) {
		if depth == len(p) {
			return value
		}
		return nil
	}
	if depth == len(p) {
		return nil
	}
	at := skipSpace(value, 1)
	for value[at] != '}' {
		keyEnd, same := matchKey(value, at, p[depth])
		member := valueAt(value, skipSpace(value, keyEnd)+len(":"))
		if same {
			if cell := p.find(member.of(value), depth+1, only); cell != nil {
				if found = cell; only {
					break
				}
			}
		}
		at = nextItem(value, member.end)
	}
	return found
}
