package token

import (
	"iter"
	"slices"

	"gatehouse/internal/human"
	"gatehouse/ui/fields"
	"gatehouse/ui/screen"
)

// Say says all that is shown, of the token how long it is.
func (m *Model) Say() iter.Seq[string] {
	groups := m.groups()
	for _, g := range groups {
		if at := slices.IndexFunc(g.Fields, func(f fields.Field) bool { return f.What == theToken }); at >= 0 {
			g.Fields[at] = fields.Field{Text: human.Number(len(m.session.Held().Reveal())) + " characters, which are not said"}
		}
	}
	life := screen.InWords(lifeLeft(m.env, m.session.Status(), screen.PaneWidth))
	return screen.Concat(screen.ReadLines(life), fields.Say(groups, nil))
}
