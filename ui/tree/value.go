package tree

import (
	"cmp"
	"slices"
	"strings"

	"gatehouse/internal/secret"
)

// Value returns the path of the value under the cursor and what a person copies
// of it: a string decoded, all else as sent. What is masked is not in it: each
// such value is replaced by "•••". Neither is safe on a terminal as it is.
func (m *Model) Value() (path, text string) {
	n := m.selected()
	return n.path(), m.value(n)
}

func (m *Model) value(n *node) string {
	switch {
	case m.hidden(n):
		return secret.Mask
	case n.container():
		return m.withoutSecrets(n)
	}
	return n.text()
}

const quotedMask = `"` + secret.Mask + `"`

// withoutSecrets returns what was sent of a container, with what is hidden in
// it replaced.
func (m *Model) withoutSecrets(n *node) string {
	hidden, ok := m.hiddenBelow(n)
	if !ok {
		return quotedMask
	}
	var text strings.Builder
	kept := n.at
	for _, h := range hidden {
		text.WriteString(n.raw[kept-n.at : h.at-n.at])
		text.WriteString(quotedMask)
		kept = h.at + len(h.raw)
	}
	text.WriteString(n.raw[kept-n.at:])
	return text.String()
}

// hiddenBelow returns the hidden nodes below n in the order sent. It fails on
// documents that nest so deeply that looking at all of it takes too long.
func (m *Model) hiddenBelow(n *node) (hidden []*node, ok bool) {
	if m.Masked == nil || m.revealed {
		return nil, true
	}
	scan := maxScan + len(n.raw)
	for queue := []*node{n}; len(queue) > 0; queue = queue[1:] {
		scan -= m.cost(queue[0])
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
