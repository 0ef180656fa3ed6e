package check

import (
	"fmt"
	"strings"
	"time"

	"gatehouse/internal/human"
	"gatehouse/internal/safetext"
)

// Markdown is the report as a card for a ticket. What comes from outside in it is one line
// each and cannot begin markup.
func (r Report) Markdown() string {
	var b strings.Builder
	md := safetext.Markdown
	v := r.Verdict
	whose := ""
	if r.Email != "" {
		whose = md(r.Email) + ": "
	}
	fmt.Fprintf(&b, "**%s%s** (%s, `%s`)\n\n%s", whose, md(r.Title()), v.State.Word(), v.Code, md(v.Sentence))
	if reach := v.Scope.Reach(); reach != "" {
		b.WriteString(" This " + reach + ".")
	}
	b.WriteString("\n")
	if v.Known != "" {
		b.WriteString("\nEvidence: " + md(v.Known) + "\n")
	}
	for i, step := range v.Next {
		if i == 0 {
			b.WriteString("\nNext:\n\n")
		}
		b.WriteString("- " + md(step.Sentence()) + "\n")
	}
	if v.User != "" {
		b.WriteString("\nTo tell the person: " + md(v.User) + "\n")
	}
	if len(r.Checks) > 0 {
		b.WriteString("\n| Check | State | Found | Host | Time |\n|---|---|---|---|---|\n")
	}
	for _, c := range r.Checks {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", md(c.Name()), c.State.Word(), md(c.Found()), md(c.Host), c.Took())
	}
	for _, c := range r.Checks {
		if c.State.needsAttention() && len(c.Detail) > 0 {
			b.WriteString("\nOf " + md(c.Name()) + ":\n\n")
			for _, fact := range c.Detail {
				b.WriteString("- " + md(fact.Label()) + ": " + md(fact.Text()) + "\n")
			}
		}
	}
	fmt.Fprintf(&b, "\nCheck %s of %s, %s.\n", md(r.ID), r.At.UTC().Format("2006-01-02 15:04:05 UTC"), human.Took(time.Duration(r.MS)*time.Millisecond))
	return b.String()
}

// Found is the summary, or for a skipped check that has none because of what.
func (c Check) Found() string {
	if c.Summary == "" && c.Because != "" {
		return "because of " + c.Because
	}
	return c.Summary
}

// needsAttention reports whether somebody who reads a check wants to know its detail.
func (s State) needsAttention() bool { return s == Warn || s == Fail || s == Unknown }
