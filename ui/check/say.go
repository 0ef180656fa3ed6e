package check

import (
	"iter"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/ui/fields"
	"gatehouse/ui/screen"
)

// Say says what the form is for.
func (m *Model) Say() iter.Seq[string] {
	said := append(m.said(screen.ReadWidth), "The check  "+m.Pane().Foot)
	return screen.ReadLines(append(said, m.about(screen.ReadWidth)...)...)
}

// Say says the verdict with what led to it, or what is waited for.
func (c *card) Say() iter.Seq[string] {
	c.fillVerdict()
	if c.run != nil {
		return screen.Concat(screen.Texts("Checking "+c.report.Email), c.verdict.Say(c.env))
	}
	title, _ := c.title()
	state := c.report.Verdict.State.Word() + ": " + strings.TrimSpace(ansi.Strip(title))
	evidence := c.report.Verdict.Known
	if evidence != "" {
		evidence = "Evidence: " + evidence
	}
	return screen.Concat(screen.Texts(state+", "+c.report.Email+", check "+c.report.ID), c.verdict.Say(c.env), screen.Texts(evidence), screen.ReadLines(c.tally()))
}

func (c *card) Rows() int {
	if c.run != nil {
		return 0
	}
	return len(c.report.Checks)
}

func (c *card) Choose(at int) { c.cursor.MoveTo(at) }

// SayRow says a check in a few words.
func (c *card) SayRow(at int) string {
	found := &c.report.Checks[at]
	parts := []string{found.State.Word()}
	for _, part := range []string{strings.ReplaceAll(c.summary(found), " · ", ", "), c.took(found)} {
		if part != "" && part != parts[0] {
			parts = append(parts, part)
		}
	}
	return screen.Labelled(name(found.ID), strings.Join(parts, ", "))
}

func (d *detail) Say() iter.Seq[string] {
	found := d.check()
	if found == nil {
		return screen.Texts()
	}
	row, host := d.card.SayRow(d.card.find(d.id)), d.card.detailPane(found).Note
	return screen.Concat(screen.Texts(strings.TrimSuffix(row, ".")), screen.ReadLines(host), fields.Say([]fields.Group{d.card.facts(found)}, nil))
}
