package compare

import (
	"fmt"
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
}

// Alone reports whether only one of the two results has the member.
func (p Pair) Alone() bool { return p.change == onlyFirst || p.change == onlySecond }

// differs reports whether it may tell why one went another way.
func (p Pair) differs() bool { return p.change != same && p.change != masked }

// member is one value of a result that holds no others.
type member struct{ path, value string }

// diff aligns two results by the paths of their members. They are in the order of the
// first; what only the second has stands after the member that it follows there. Cut
// says that there is more than is compared.
func diff(first, second []byte) (pairs []Pair, cut bool) {
	ones, cutFirst := members(first)
	twos, cutSecond := members(second)
	inFirst, inSecond := byPath(ones), byPath(twos)
	next := 0
	addSecond := func() {
		for ; next < len(twos); next++ {
			if _, ok := inFirst[twos[next].path]; ok {
				return
			}
			pairs = append(pairs, Pair{twos[next].path, "", twos[next].value, onlySecond})
		}
	}
	for _, one := range ones {
		value, ok := inSecond[one.path]
		if ok {
			addSecond()
			next++ // past one that both have, in whatever order they have them
		}
		pairs = append(pairs, pairOf(one, value, ok))
	}
	addSecond()
	return pairs, cutFirst || cutSecond
}

func pairOf(one member, second string, inBoth bool) Pair {
	p := Pair{one.path, one.value, second, changed}
	switch {
	case !inBoth:
		p.change = onlyFirst
	case one.value == secret.QuotedMask && second == secret.QuotedMask:
		p.change = masked
	case one.value == second:
		p.change = same
	}
	return p
}

func byPath(list []member) map[string]string {
	values := make(map[string]string, len(list))
	for _, m := range list {
		values[m.path] = m.value
	}
	return values
}

// members lists the values of a result with their paths, such as
// "UserDomains[0].Domain.Url". A path that comes again is numbered.
func members(raw []byte) (list []member, cut bool) {
	w := walk{seen: map[string]int{}}
	w.value("", gjson.ParseBytes(raw), 0)
	return w.list, w.cut
}

type walk struct {
	list []member
	seen map[string]int
	cut  bool
}

func (w *walk) value(path string, v gjson.Result, depth int) {
	if !v.IsObject() && !v.IsArray() || depth == maxDepth {
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
