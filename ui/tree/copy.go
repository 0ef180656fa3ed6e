package tree

import (
	"cmp"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/text/human"
	"gatehouse/internal/text/secret"
	"gatehouse/ui/screen"
)

// maxCopied is the length in bytes up to which a value can be copied. It is far more than a
// clipboard takes.
const maxCopied = 1 << 20

// copyActions copy the value under the cursor, its path, or the whole document.
func (m *Model) copyActions() []screen.Action {
	n := m.selected()
	value := screen.Action{ID: screen.TreeCopy, Reason: TooLong(len(n.raw)), Run: m.CopyValue}
	if !n.isRoot() && m.isMasked(n) {
		value.Reason, value.First = "it is masked", m.RevealAction
	}
	path := screen.Action{
		ID:     screen.TreeCopyPath,
		Reason: screen.If(n.isRoot(), "select a field first"),
		Run:    func() tea.Cmd { return m.Copy(m.path(n), "the path "+m.path(n)) },
	}
	whole := screen.Action{
		ID:          screen.TreeCopyAll,
		Description: "copy " + m.Name,
		Reason:      TooLong(len(m.root().raw)),
		Run:         m.CopyWhole,
	}
	return []screen.Action{value, path, whole}
}

// TooLong says why a text of a size in bytes cannot be copied; "" if it can.
func TooLong(size int) string {
	if size <= maxCopied {
		return ""
	}
	return human.Bytes(int64(size)) + " is too long for the clipboard"
}

// CopyValue copies the value under the cursor.
func (m *Model) CopyValue() tea.Cmd {
	return m.copy(m.at(), cmp.Or(m.path(m.selected()), m.Name))
}

// CopyWhole copies the whole document.
func (m *Model) CopyWhole() tea.Cmd { return m.copy(0, m.Name) }

// copy copies the value of the node with an index. what names it to people.
func (m *Model) copy(index int, what string) tea.Cmd {
	if m.nodes[index].isContainer() {
		return m.CopyDocument(m.value(index), what)
	}
	return m.Copy(m.value(index), what)
}

// value is the text that is copied from a node: that of a string, or else the JSON as it was sent.
// Each masked value in it is replaced by "•••". It comes from outside, and is not safe for a
// terminal.
func (m *Model) value(index int) string {
	switch n := &m.nodes[index]; {
	case m.isMasked(n):
		return secret.Mask
	case n.isContainer():
		return m.withoutSecrets(index)
	default:
		return n.text()
	}
}

// withoutSecrets is the JSON of an array or object, with the masked values in it replaced.
func (m *Model) withoutSecrets(index int) string {
	var text strings.Builder
	n := &m.nodes[index]
	copied := n.at // offset in the document of what comes next
	for i := index + 1; i < n.end; i++ {
		if inside := &m.nodes[i]; m.isMasked(inside) {
			text.WriteString(n.raw[copied-n.at : inside.at-n.at])
			text.WriteString(secret.QuotedMask)
			copied = inside.at + len(inside.raw)
			i = inside.end - 1
		}
	}
	text.WriteString(n.raw[copied-n.at:])
	return text.String()
}
