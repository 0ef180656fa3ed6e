package domains

import (
	"iter"
	"strings"

	"gatehouse/internal/hostname"
	"gatehouse/ui/screen"
)

// Say says how many domains there are, and what is wrong with the list.
func (m *Model) Say() iter.Seq[string] {
	if len(m.domains) == 0 {
		return screen.ReadLines(m.nothing(screen.ReadWidth)...)
	}
	return screen.Concat(screen.Texts(m.count(), m.progress()), screen.ReadLines(m.said(screen.ReadWidth)...))
}

func (m *Model) Rows() int { return m.grid.Len() }

func (m *Model) Choose(at int) { m.grid.Choose(at) }

// SayRow says a domain, and what is known of its gateway.
func (m *Model) SayRow(at int) string {
	row, _ := m.grid.At(at)
	text := hostname.Readable(m.domains[row])
	if m.domains[row] == m.primary {
		text += ", your primary domain"
	}
	switch known := m.gateways[m.addresses[row]]; {
	case m.addresses[row] == "":
		text += ", gateway unknown: " + noAddress
	case known != nil && known.verdict != nil:
		text += ": " + known.words()
	}
	return screen.Labelled("", text)
}

// words says what is known of a gateway that was asked.
func (g *gateway) words() string {
	if g.trouble != nil {
		return strings.TrimSpace("gateway " + g.state() + ". " + g.trouble.Sentence + " " + g.trouble.Hint)
	}
	shares := " shares"
	if g.shares.Shares == 1 && !g.shares.More {
		shares = " share"
	}
	parts := []string{g.shares.String() + shares}
	if g.shares.Size != "" {
		parts = append(parts, g.shares.SizeText())
	}
	state := "gateway " + g.state()
	if g.verdict.mark == good {
		state += " in " + took(g.last())
	}
	return strings.Join(append(parts, state), ", ")
}
