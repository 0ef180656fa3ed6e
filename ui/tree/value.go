package tree

import (
	"cmp"
	"slices"

	"gatehouse/internal/secret"
)

// Value returns the value under the cursor, for copying: its path, what was
// sent, and what a person reads of it (a string decoded, all else as sent).
// What is masked is not in it: each such value is replaced by "•••".
// None of them is safe on a terminal as it is.
func (m *Model) Value() (path string, raw []byte, text string) {
	n := m.selected()
	path = n.path()
	if m.hidden(n) {
		return path, quotedMask(), secret.Mask
	}
	if !n.container() {
		return path, []byte(n.raw), n.text()
	}
	raw = m.withoutSecrets(n)
	return path, raw, string(raw)
}

func quotedMask() []byte { return []byte(`"` + secret.Mask + `"`) }

// withoutSecrets returns what was sent of a container, with what is hidden in
// it replaced.
func (m *Model) withoutSecrets(n *node) []byte {
	hidden, ok := m.hiddenBelow(n)
	if !ok {
		return quotedMask()
	}
	raw := make([]byte, 0, len(n.raw))
	kept := n.at
	for _, h := range hidden {
		raw = append(raw, n.raw[kept-n.at:h.at-n.at]...)
		raw = append(raw, quotedMask()...)
		kept = h.at + len(h.raw)
	}
	return append(raw, n.raw[kept-n.at:]...)
}

// hiddenBelow returns the hidden nodes below n in the order sent. It fails on
// documents that nest so deeply that looking at all of it takes too long.
func (m *Model) hiddenBelow(n *node) (hidden []*node, ok bool) {
	if m.Masked == nil || m.revealed {
		return nil, true
	}
	scan := maxScan + len(n.raw)
	for queue := []*node{n}; len(queue) > 0; queue = queue[1:] {
		scan -= queue[0].cost()
		if scan < 0 {
			return nil, false
		}
		children := queue[0].decode()
		for i := range children {
			switch c := &children[i]; {
			case m.hidden(c):
				hidden = append(hidden, c)
			case c.container():
				queue = append(queue, c)
			}
		}
	}
	slices.SortFunc(hidden, func(a, b *node) int { return cmp.Compare(a.at, b.at) })
	return hidden, true
}
