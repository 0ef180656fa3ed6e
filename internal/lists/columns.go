package lists

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"gatehouse/internal/text/jsonscan"
)

// MaxColumns limits the columns of a body. Nested objects that are only part of a path count as
// well.
const MaxColumns = 2000

const (
	// scalarColumn is the name of the column of records that are not objects.
	scalarColumn = "value"
	// maxPath is how many objects deep a column can be. An object below that is one cell.
	maxPath = 64
	// maxName limits the name of a column, in bytes: long names that many columns share would fill
	// the memory.
	maxName = 4 << 10
)

// columns are the columns of some records.
type columns struct {
	names     []string
	paths     []path
	truncated bool // there are more columns than the limits allow
	// disordered is set if the members of some object come in another order than usual. A name may
	// then be in it twice.
	disordered bool

	once sync.Once
	root *node // the tree of the paths, made when cells are first read
}

// path is the decoded member names that lead from a record to a cell.
type path []string

// tree returns the tree of the paths.
func (c *columns) tree() *node {
	c.once.Do(func() {
		c.root = newNode(nil)
		for col, path := range c.paths {
			n := c.root
			for _, name := range path {
				n = n.member(name)
			}
			n.column = col
		}
	})
	return c.root
}

// rowReader reads the cells of one record after another into the same memory. Reading a record
// takes as long as the record is, however many columns there are.
type rowReader struct {
	columns *columns
	cells   []Cell // one for each column, missing unless the record has it
	present []int  // the columns of the other cells, as the record has them; perhaps one of them twice
}

// newRowReader returns a reader that uses the memory of dst if that is large enough.
func newRowReader(columns *columns, dst []Cell) rowReader {
	cells := slices.Grow(dst[:0], len(columns.names))[:len(columns.names)]
	clear(cells)
	const usualCells = 32 // of a record
	present := make([]int, 0, min(len(cells), usualCells))
	return rowReader{columns: columns, cells: cells, present: present}
}

// read returns the row of a record, which is valid until the next one is read.
func (r *rowReader) read(record []byte) Row {
	for _, column := range r.present {
		r.cells[column] = Cell{}
	}
	r.present = r.present[:0]
	r.columns.tree().read(record, 0, r)
	return Row{Record: record, Cells: r.cells, present: r.present}
}

// set sets a cell of the record.
func (r *rowReader) set(column int, cell Cell) {
	r.cells[column] = cell
	r.present = append(r.present, column)
}

// schema collects the columns of records while these are being read.
type schema struct {
	columns
	tree  *node // of all paths seen so far
	nodes int   // how many nodes the tree has
}

// add adds the column of a node unless it is there.
func (s *schema) add(n *node) {
	if n.column != noColumn {
		return
	}
	n.column = len(s.names)
	name := scalarColumn
	if len(n.path) > 0 {
		name = strings.Join(n.path, ".")
	}
	s.names, s.paths = append(s.names, name), append(s.paths, n.path)
}

// member returns the node of a member, which it makes if need be. It returns nil if that would
// exceed a limit.
func (s *schema) member(n *node, name []byte) *node {
	if child := n.members[string(name)]; child != nil {
		return child
	}
	if s.nodes >= MaxColumns || n.length+len(name) >= maxName {
		s.truncated = true
		return nil
	}
	s.nodes++
	return n.member(string(name))
}

// isAhead reports whether the schema has something that is not in the columns, see [schema.known].
func (s *schema) isAhead(known *columns) bool {
	return len(s.names) > len(known.names) ||
		s.truncated != known.truncated ||
		s.disordered != known.disordered
}

// known returns the columns added until now, as a value that no longer changes.
func (s *schema) known() *columns {
	return &columns{
		names:      slices.Clip(s.names),
		paths:      slices.Clip(s.paths),
		truncated:  s.truncated,
		disordered: s.disordered,
	}
}

// node is a path in a tree. The root, the empty path, is the record itself.
type node struct {
	path     path
	length   int // of the path joined by dots
	column   int // noColumn if every value so far was an object
	members  map[string]*node
	inOrder  []*node // the members in the order in which they were first seen
	position int     // in inOrder of the parent
	sent     []byte  // the name as it is usually sent, with the comma before it and its colon
}

const noColumn = -1

func newNode(path path) *node {
	return &node{path: path, length: len(strings.Join(path, ".")), column: noColumn}
}

// member returns the node of a member, and makes it if need be.
func (n *node) member(name string) *node {
	child := n.members[name]
	if child == nil {
		child = newNode(append(slices.Clip(n.path), name))
		child.position = len(n.inOrder)
		quoted, _ := json.Marshal(name) // no name fails
		child.sent = slices.Concat([]byte{','}, quoted, []byte{':'})
		if n.members == nil { // most nodes have none
			n.members = map[string]*node{}
		}
		n.members[name], n.inOrder = child, append(n.inOrder, child)
	}
	return child
}

// nests reports whether a value of a record is an object that is spread over columns. The value
// begins at an offset of the record and is depth members deep. An empty object inside a record is
// not spread, as it would look like a missing one.
func nests(record []byte, at, depth int) bool {
	if record[at] != '{' || depth >= maxPath {
		return false
	}
	return depth == 0 || record[jsonscan.SkipSpace(record, at+1)] != '}'
}

// readWithin is read for the members that begin before an offset of the record, the limit. It
// returns a negative number if it has left something out.
func (n *node) readWithin(record []byte, at, limit int, row *rowReader) (end int) {
	if !nests(record, at, len(n.path)) {
		return n.read(record, at, row)
	}
	for at = jsonscan.SkipSpace(record, at+1); record[at] != '}'; at = jsonscan.NextItem(record, end) {
		if at >= limit {
			return -1
		}
		nameEnd := jsonscan.SkipString(record, at)
		child := n.members[string(jsonscan.Unquote(record[at:nameEnd]))]
		if at = jsonscan.MemberValue(record, nameEnd); child == nil {
			end = jsonscan.ValueAt(record, at).End
			continue
		}
		if end = child.readWithin(record, at, limit, row); end < 0 {
			return end
		}
	}
	return at + 1
}

// read sets the cells in the value of a node, which begins at an offset of a record, and returns
// where the value ends. If a member is there twice, the last one counts. The members of most
// records come in the same order and spelling, so the next one is first compared with the one that
// is due.
func (n *node) read(record []byte, at int, row *rowReader) (end int) {
	if !nests(record, at, len(n.path)) {
		value := jsonscan.ValueAt(record, at)
		if n.column != noColumn {
			row.set(n.column, Cell{value.Of(record)})
		}
		return value.End
	}
	due := 0
	for at = jsonscan.SkipSpace(record, at+1); record[at] != '}'; at = jsonscan.NextItem(record, end) {
		var child *node
		if due < len(n.inOrder) && bytes.HasPrefix(record[at:], n.inOrder[due].sent[len(","):]) {
			child = n.inOrder[due]
			at = jsonscan.SkipSpace(record, at+len(child.sent)-len(","))
		} else {
			nameEnd := jsonscan.SkipString(record, at)
			child = n.members[string(jsonscan.Unquote(record[at:nameEnd]))]
			at = jsonscan.MemberValue(record, nameEnd)
		}
		if child == nil {
			end = jsonscan.ValueAt(record, at).End
			continue
		}
		due = child.position + 1
		end = child.read(record, at, row)
	}
	return at + 1
}

// find returns the last cell of a path in a record, or else the first one, or nil if there is none.
func (p path) find(record []byte, last bool) []byte {
	found, _ := p.findAt(record, 0, 0, last)
	return found
}

// findAt is find from the value of p[:depth] on, which begins at an offset of the record. It also
// returns where that value ends, unless it stopped at the first cell.
func (p path) findAt(record []byte, at, depth int, last bool) (found []byte, end int) {
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
			continue
		}
		var value []byte
		if value, end = p.findAt(record, at, depth+1, last); value != nil {
			found = value
			if !last {
				return found, 0
			}
		}
	}
	return found, at + 1
}
