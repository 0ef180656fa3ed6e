package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/tidwall/gjson"

	"gatehouse/internal/text/secret"
)

const (
	maxMembers = 20_000 // of a result that are compared
	maxDepth   = 64     // of the objects within each other that are compared member by member
)

// change says how a member differs between two results.
type change uint8

const (
	same change = iota
	changed
	onlyFirst
	onlySecond
	masked // both have a secret there; secrets are not kept, so they cannot be compared
)

// sign marks a change where there is no room for a word.
func (c change) sign() string {
	return [...]string{same: "=", changed: "~", onlyFirst: "-", onlySecond: "+", masked: "?"}[c]
}

// word names a change.
func (c change) word() string {
	return [...]string{
		same:       "same",
		changed:    "changed",
		onlyFirst:  "only in 1",
		onlySecond: "only in 2",
		masked:     "masked",
	}[c]
}

// Pair is one member of two results.
type Pair struct {
	// Path is that of the member in both.
	Path string
	// First and Second are its values as they were sent, in JSON; "" if a result does not have the
	// member.
	First, Second string
	// InElement means that the member belongs to an object in a list.
	InElement bool

	expected bool // see [Member.Expected]
	change   change
	// label, left and right are the path and both values as people read them.
	label, left, right string
}

// Alone reports whether only one of the two results has the member.
func (p Pair) Alone() bool { return p.change == onlyFirst || p.change == onlySecond }

// differs reports whether the two results are known to differ in the member.
func (p Pair) differs() bool { return p.change != same && p.change != masked }

// diff pairs the members of two results that have the same path. The pairs are in the order of the
// first result. A member that only the second has comes after the one that it follows there.
func diff(ones, twos []Member) (pairs []Pair) {
	inFirst, inSecond := byPath(ones), byPath(twos)
	next := 0 // index in twos
	addOnlySecond := func() {
		for ; next < len(twos); next++ {
			if _, ok := inFirst[twos[next].Path]; ok {
				return
			}
			pairs = append(pairs, pairOf(Member{}, twos[next]))
		}
	}
	for _, one := range ones {
		two, ok := inSecond[one.Path]
		if ok {
			addOnlySecond()
			next++ // past a member that both have, though it need not be this one
		}
		pairs = append(pairs, pairOf(one, two))
	}
	addOnlySecond()
	return pairs
}

// pairOf compares two members with the same path. A member that is missing is the zero value.
func pairOf(one, two Member) Pair {
	p := Pair{
		Path:      cmp.Or(one.Path, two.Path),
		First:     one.Value,
		Second:    two.Value,
		InElement: one.inElement || two.inElement,
		expected:  one.Expected || two.Expected,
		change:    changed,
		label:     cmp.Or(one.Label, two.Label),
		left:      one.Text,
		right:     two.Text,
	}
	switch {
	case one.Path == "":
		p.change = onlySecond
	case two.Path == "":
		p.change = onlyFirst
	case one.Value == secret.QuotedMask && two.Value == secret.QuotedMask:
		p.change = masked
	case one.Value == two.Value:
		p.change = same
	default:
		if left, right, ok := listed(one.Value, two.Value); ok {
			p.left, p.right = left, right
		}
	}
	return p
}

// byPath maps the paths of members to them.
func byPath(list []Member) map[string]Member {
	found := make(map[string]Member, len(list))
	for _, m := range list {
		found[m.Path] = m
	}
	return found
}

// parts are the differences between two lists, element by element. The only part of any other pair
// is the pair itself.
func (p Pair) parts() []Pair {
	if _, _, ok := listed(p.First, p.Second); !ok {
		return []Pair{p}
	}
	isSame := func(part Pair) bool { return !part.differs() }
	return slices.DeleteFunc(diff(p.within(p.First), p.within(p.Second)), isSame)
}

// within are the values in a list at the path of the pair.
func (p Pair) within(list string) []Member {
	w := walk{seen: map[string]int{}, intoLists: true}
	w.visit(place{path: p.Path}, gjson.Parse(list))
	for i := range w.members {
		w.members[i].Expected = p.expected
	}
	return w.members
}

// members are the values of a document with their paths, such as "PrimaryUserDomain.Domain.Url". A
// list is one value. cut means that the document has more than maxMembers values.
func members(raw []byte) (found []Member, cut bool) {
	w := walk{seen: map[string]int{}}
	w.visit(place{}, gjson.ParseBytes(raw))
	return w.members, w.cut
}

// walk visits a document and collects its values. Only their Path and Value are set.
type walk struct {
	// intoLists makes each element of a list a value of its own.
	intoLists bool

	members []Member
	seen    map[string]int // how often a path was seen: an object may have a name twice
	cut     bool
}

// place is a place in a document.
type place struct {
	path  string
	depth int
	// isElement means that the value at the place is an element of a list, or of a list in it.
	// inElement means that an object that is an element contains the place.
	isElement, inElement bool
}

// member is the place of a member of an object.
func (p place) member(name string) place {
	inner := place{path: name, depth: p.depth + 1, inElement: p.inElement || p.isElement}
	if p.path != "" {
		inner.path = p.path + "." + name
	}
	return inner
}

// element is the place of an element of a list.
func (p place) element(index int) place {
	return place{
		path:      p.path + "[" + strconv.Itoa(index) + "]",
		depth:     p.depth + 1,
		isElement: true,
		inElement: p.inElement,
	}
}

// visit adds a value, or those within it if it is an object that has any.
func (w *walk) visit(at place, v gjson.Result) {
	isOpened := v.IsObject() || w.intoLists && v.IsArray()
	if !isOpened || at.depth == maxDepth {
		w.add(at, v.Raw)
		return
	}
	count := 0
	v.ForEach(func(key, child gjson.Result) bool {
		inner := at.element(count)
		if v.IsObject() {
			inner = at.member(key.String())
		}
		count++
		w.visit(inner, child)
		return !w.cut
	})
	if count == 0 {
		w.add(at, v.Raw)
	}
}

// add adds a value. A path that comes again gets a number.
func (w *walk) add(at place, value string) {
	if len(w.members) == maxMembers {
		w.cut = true
		return
	}
	path := at.path
	w.seen[path]++
	if times := w.seen[path]; times > 1 {
		path = fmt.Sprintf("%s (%d)", path, times)
	}
	w.members = append(w.members, Member{Path: path, Value: value, inElement: at.inElement})
}
