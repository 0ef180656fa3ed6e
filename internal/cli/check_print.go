package cli

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/internal/check"
	"gatehouse/internal/human"
	"gatehouse/internal/records"
	"gatehouse/internal/safetext"
)

// reportForm is how the reports of these addresses are written, or of any number if there are
// none: a card for one address, and a line for each of several.
func (a *app) reportForm(emails []string) form[check.Report] {
	f := form[check.Report]{columns: checkColumns(), row: checkRow}
	style := a.cardStyle()
	switch {
	case a.format() == formatMarkdown:
		f.text = a.markdown
	case len(emails) == 1:
		f.text = func(_ int, r check.Report) string { return strings.Join(style.card(r), "\n") + "\n" }
	default:
		f.titles = []string{"", "Address", "Verdict", "Took", "What happened"}
		f.cells, f.empty = style.cells, "There is no result yet."
		if style.words {
			f.titles[0] = "State"
		}
	}
	return f
}

// cells are a report in a table: mark, address, cause, sentence, time.
func (s cardStyle) cells(r check.Report) []cell {
	mark, style := s.mark(r.Verdict.State)
	return []cell{
		{kind: records.String, text: strings.TrimSpace(mark), style: style},
		textCell(r.Email), textCell(r.Cause()),
		{kind: records.Number, text: human.Took(time.Duration(r.MS) * time.Millisecond), style: s.theme.Muted},
		{kind: records.String, text: r.Verdict.Sentence, style: s.theme.Muted},
	}
}

// markdown is the nth report for a ticket.
func (a *app) markdown(n int, r check.Report) string {
	text := r.Markdown()
	if a.forTerminal() {
		text = safetext.Block(text)
	}
	if n > 0 {
		text = "\n---\n\n" + text
	}
	return text
}

// checksInCSV are the checks that have a column with their state in CSV. Those of domains
// share one, "domains", that has the worst of them.
var checksInCSV = []string{
	check.Profile, check.Lookup, check.Global, check.Authority, check.Gateway, check.SignIn, check.Claims, domainsInCSV, check.Device, check.Control,
}

const domainsInCSV = "domains"

func checkColumns() []string {
	return slices.Concat([]string{"email", "id", "at", "ms", "state", "code", "scope", "sentence", "next", "primary_domain"}, checksInCSV)
}

// checkRow is the row of a report, as many cells as [checkColumns].
func checkRow(r check.Report) []cell {
	v := r.Verdict
	var steps []string
	for _, step := range v.Next {
		steps = append(steps, step.Sentence())
	}
	states, primary := map[string]check.State{}, ""
	for _, c := range r.Checks {
		column := c.ID
		if strings.HasPrefix(c.ID, check.DomainPrefix) {
			column = domainsInCSV
		}
		if c.ID == check.Lookup {
			primary = c.Detail.Text(check.FactPrimaryDomain)
		}
		states[column] = worse(states[column], c.State)
	}
	row := []cell{
		textCell(r.Email), textCell(r.ID), textCell(r.At.UTC().Format(time.RFC3339)),
		{kind: records.Number, text: strconv.FormatInt(r.MS, 10)},
		textCell(string(v.State)), textCell(string(v.Code)), textCell(string(v.Scope)), textCell(v.Sentence),
		textCell(strings.Join(steps, " ")), textCell(primary),
	}
	for _, column := range checksInCSV {
		row = append(row, textCell(string(states[column])))
	}
	return row
}

// bySeverity are the states of checks, the worst last.
var bySeverity = []check.State{"", check.Skipped, check.OK, check.Info, check.Warn, check.Unknown, check.Fail}

func worse(a, b check.State) check.State {
	if slices.Index(bySeverity, a) > slices.Index(bySeverity, b) {
		return a
	}
	return b
}
