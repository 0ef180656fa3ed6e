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
	maxDepth   = 64     // levels of a result that are taken apart
)

// change says how a member differs between two results.
type change uint8

const (
	same change = iota
	changed
	onlyFirst
	onlySecond
	masked // both have a secret there, which is not kept
)

// sign and word mark a change, whatever the colours.
func (c change) sign() string { return [...]string{"=", "~", "-", "+", "?"}[c] }

func (c change) word() string {
	return [...]string{"same", "changed", "only in 1", "only in 2", "masked"}[c]
}

// Pair is one member of two results, by its path; the values are JSON as sent,
// "" where there is none.
type Pair struct {
	Path          string
	First, Second string
	change        change
	// label, left and right are for people.
	label, left, right string
}

// Alone reports whether only one of the two results has the member.
func (p Pair) Alone() bool { return p.change == onlyFirst || p.change == onlySecond }

// differs reports whether it may tell why one went another way.
func (p Pair) differs() bool { return p.change != same && p.change != masked }

// member is one value of a result that holds no others.
type member struct{ path, value string }

// diff aligns two results by the paths of their members. They are in the order of the
// first; what only the second has stands after the member that it follows there.
func diff(ones, twos []Member) (pairs []Pair) {
	inFirst, inSecond := byPath(ones), byPath(twos)
	next := 0
	addSecond := func() {
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
			addSecond()
			next++ // past one that both have, in whatever order they have them
		}
		pairs = append(pairs, pairOf(one, two))
	}
	addSecond()
	return pairs
}

// pairOf compares two members of a path. One that is not there is the zero member.
func pairOf(one, two Member) Pair {
	p := Pair{
		Path: cmp.Or(one.Path, two.Path), First: one.Value, Second: two.Value,
		change: changed, label: cmp.Or(one.Label, two.Label), left: one.Text, right: two.Text,
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

func byPath(list []Member) map[string]Member {
	found := make(map[string]Member, len(list))
	for _, m := range list {
		found[m.Path] = m
	}
	return found
}

// parts are the pairs that differ within a pair of lists, by the numbers of their elements; of any
// other pair it is itself.
func (p Pair) parts() []Pair {
	if _, _, ok := listed(p.First, p.Second); !ok {
		return []Pair{p}
	}
	within := func(raw string) (list []Member) {
		w := walk{seen: map[string]int{}, lists: true}
		w.value(p.Path, gjson.Parse(raw), 0)
		for _, m := range w.list {
			list = append(list, Member{Path: m.path, Value: m.value})
		}
		return list
	}
	return slices.DeleteFunc(diff(within(p.First), within(p.Second)), func(part Pair) bool { return !part.differs() })
}

// members lists the values of a document with their paths, such as "PrimaryUserDomain.Domain.Url". A
// list is one value. A path that comes again is numbered.
func members(raw []byte) (list []member, cut bool) {
	w := walk{seen: map[string]int{}}
	w.value("", gjson.ParseBytes(raw), 0)
	return w.list, w.cut
}

type walk struct {
	// lists is set if the elements of lists are values of their own.
	lists bool

	list []member
	seen map[string]int
	cut  bool
}

func (w *walk) value(path string, v gjson.Result, depth int) {
	if !v.IsObject() && !(v.IsArray() && w.lists) || depth == maxDepth {
		w.add(path, v.Raw)
		return
	}
	index := 0
	v.ForEach(func(key, child gjson.Result) bool {
		name := "[" + strconv.Itoa(index) + "]"
		if v.IsObject() {
			name = "." + key.String()
			if path == "" {
				name = name[1:]
			}
		}
		index++
		w.value(path+name, child, depth+1)
		return !w.cut
	})
	if index == 0 {
		w.add(path, v.Raw)
	}
}

func (w *walk) add(path, value string) {
	if len(w.list) == maxMembers {
		w.cut = true
		return
	}
	w.seen[path]++
	if times := w.seen[path]; times > 1 {
		path = fmt.Sprintf("%s (%d)", path, times)
	}
	w.list = append(w.list, member{path, value})
}
