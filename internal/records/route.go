package records

import (
	"bytes"
	"errors"
)

// Records of one body resemble each other. A route remembers how earlier records
// went from one member to the next: the very bytes between two values, such as
// `},"Name":`. Where the same bytes follow the same member again, they need no
// second check, and a record that meets no member for the first time brings no column.
type route struct {
	root    stop // the record itself
	stops   int
	scalars bool // a record that is no object was seen
}

// stop is a member, by its path.
type stop struct {
	parent   *stop
	depth    int  // the objects around it
	value    bool // it was seen as a column of its own, not only as an object of others
	children map[string]*stop
	first    ways // from the opening brace of its object
	next     ways // from behind its value
}

// ways are the ways that were taken from one place.
type ways []way

// way is the text up to the value of a member; without a member, to the end of the record.
type way struct {
	text []byte
	to   *stop
}

// maxWays bounds the search for a way. Beyond, the text is checked every time.
const maxWays = 16

// find returns the way that begins the text, nil if it is a new one. No way
// begins another one, for each ends with the first colon or last brace that is due.
func (w ways) find(text []byte) *way {
	for i := range w {
		if bytes.HasPrefix(text, w[i].text) {
			return &w[i]
		}
	}
	return nil
}

// add remembers a way, unless it is a long one. It may be known: when it was looked
// for, the body may have ended within it.
func (w *ways) add(text []byte, to *stop) {
	if len(*w) < maxWays && len(text) <= maxName && w.find(text) == nil {
		*w = append(*w, way{bytes.Clone(text), to}) // the body may move
	}
}

// child returns the stop of a member with the key as it was sent, or nil if there is
// no room for it.
func (r *route) child(parent *stop, key []byte) *stop {
	if child, ok := parent.children[string(key)]; ok {
		return child
	}
	if r.stops >= MaxColumns {
		return nil
	}
	r.stops++
	if parent.children == nil {
		parent.children = make(map[string]*stop)
	}
	child := &stop{parent: parent, depth: parent.depth + 1}
	parent.children[string(key)] = child
	return child
}

// errNoRoom says that the members of the records are too many for a route.
var errNoRoom = errors.New("too many members")

// follow checks the record that begins here. It reports whether the record may
// bring columns: one that does not has only paths that were there before.
func (s *documentScanner) follow() (news bool, err error) {
	if s.Peek() != '{' {
		news, s.route.scalars = !s.route.scalars, true
		return news, s.Value()
	}
	start := s.At
	s.At++
	here, taken := &s.route.root, &s.route.root.first
	for {
		if here, err = s.step(here, taken); err == errNoRoom {
			s.At = start
			return true, s.Value()
		}
		if here == nil || err != nil {
			return news, err
		}
		if s.opens(here) {
			taken = &here.first
			continue
		}
		news = news || !here.value
		here.value = true
		if err := s.valueBelow(here.depth); err != nil {
			return false, err
		}
		taken = &here.next
	}
}

// step moves from here to the value of the next member, or out of the record.
func (s *documentScanner) step(here *stop, taken *ways) (*stop, error) {
	if known := taken.find(s.Text[s.At:]); known != nil {
		s.At += len(known.text)
		return known.to, nil
	}
	return s.explore(here, taken)
}

// explore takes a step that was not taken before, and remembers it.
func (s *documentScanner) explore(here *stop, taken *ways) (*stop, error) {
	from, inside := s.At, here
	behindValue := taken == &here.next
	if behindValue {
		inside = here.parent
	}
	for s.Space(); s.Peek() == '}'; s.Space() {
		s.At++
		if inside = inside.parent; inside == nil {
			taken.add(s.Text[from:s.At], nil)
			return nil, nil
		}
	}
	if behindValue {
		if s.Peek() != ',' {
			return nil, s.NoItem('}')
		}
		s.At++
		s.Space()
	}
	if err := s.Key(); err != nil {
		return nil, err
	}
	to := s.route.child(inside, s.Name.Of(s.Text))
	if to == nil {
		return nil, errNoRoom
	}
	taken.add(s.Text[from:s.At], to)
	return to, nil
}

// opens moves into the value of a member if it is spread over columns (see nests).
func (s *documentScanner) opens(member *stop) bool {
	s.Space()
	if s.Peek() != '{' || member.depth >= maxPath {
		return false
	}
	brace := s.At
	s.At++
	if s.Space(); s.Peek() == '}' {
		s.At = brace
		return false
	}
	return true
}

// valueBelow checks a value that stands in that many objects of its record.
func (s *documentScanner) valueBelow(depth int) error {
	s.Above = depth
	err := s.Value()
	s.Above = 0
	return err
}
