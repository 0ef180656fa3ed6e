package check

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/check"
	"gatehouse/internal/human"
	"gatehouse/internal/safetext"
	"gatehouse/styles"
	"gatehouse/ui/compare"
	"gatehouse/ui/menu"
	"gatehouse/ui/screen"
)

// identity is what any two checks differ in.
var identity = compare.Identity{Kinds: "ids, addresses, requests, times, durations", Has: func(p compare.Pair) bool {
	member := p.Path[strings.LastIndexByte(p.Path, '.')+1:]
	switch member {
	case "id", "email", "at", "ms", "address", "asked_for", "request", "device_name", check.FactClockSkew:
		return true
	}
	return strings.HasSuffix(member, "_id") || strings.HasSuffix(member, "_id_sent") || strings.HasSuffix(member, "_ms") || strings.HasSuffix(member, "_at") || strings.HasSuffix(member, "_seconds")
}}

// Compare finds the differences between two reports.
func Compare(first, second check.Report, now time.Time) compare.Differences {
	return compare.Find(comparedJSON(first), comparedJSON(second), identity, now)
}

// comparedJSON is a report with its checks by their names, so that the same ones are
// compared whatever checks there are.
func comparedJSON(r check.Report) []byte {
	document := check.Detail{
		check.NewFact("verdict", r.Verdict.State.Word()+", "+r.Title()),
		check.NewFact("scope", r.Verdict.Scope), check.NewFact("sentence", impersonal(r, r.Verdict.Sentence)),
	}
	for _, c := range r.Checks {
		document = append(document, check.NewFact(c.Name(), strings.TrimSuffix(c.State.Word()+", "+c.Found(), ", ")))
		if c.Host != "" {
			document = append(document, check.NewFact(c.Name()+".host", c.Host))
		}
		for _, fact := range c.Detail {
			document = append(document, check.Fact{Name: c.Name() + "." + fact.Name, Value: fact.Value})
		}
	}
	document = append(document, check.NewFact("id", r.ID), check.NewFact("email", r.Email), check.NewFact("at", r.At))
	text, err := json.Marshal(document)
	if err != nil {
		panic(err) // texts, numbers and times can always be written
	}
	return text
}

// impersonal is a sentence of a report that can be compared with one about somebody else.
func impersonal(r check.Report, sentence string) string {
	if r.Email == "" {
		return sentence
	}
	return strings.ReplaceAll(sentence, r.Email, "the person")
}

func (e *entry) compared() compare.Result {
	v := e.report.Verdict
	return compare.Result{
		Name: e.report.ID, Whose: e.report.Email, At: e.report.At, Verdict: e.report.Title(), JSON: comparedJSON(e.report),
		Mark: func(t *styles.Theme) (string, styles.Style) {
			sign, style := Mark(t, v.State)
			return sign, *style
		},
	}
}

// compareAction compares the report with another one of this run.
func (c *card) compareAction() screen.Action {
	a := screen.Action{ID: "check.compare", Reason: c.notYet(), Run: c.compare}
	if a.Reason == "" && len(c.others()) == 0 {
		a.Reason = "there is no other report yet"
	}
	return a
}

// others are the other reports of this run, the newest first.
func (c *card) others() []*entry {
	return slices.DeleteFunc(slices.Clone(c.desk.options.History.entries), func(e *entry) bool { return e.report.ID == c.report.ID })
}

// compare compares the report with the only other one, or lets the person choose it.
func (c *card) compare() tea.Cmd {
	others := c.others()
	if len(others) == 1 {
		return c.compareWith(others[0])
	}
	t, entries := c.env.Theme, make([]menu.Entry, len(others))
	for i, e := range others {
		entries[i] = menu.Entry{Title: e.report.Email, Drawn: e.line(t), Run: func() tea.Cmd { return c.compareWith(e) }}
	}
	return c.env.Root.Push(c, menu.New(c.env, "Compare with", "compare", entries))
}

// compareWith shows the report beside another one, the older at the left.
func (c *card) compareWith(other *entry) tea.Cmd {
	first, second := other, c.entry
	if second.report.At.Before(first.report.At) {
		first, second = second, first
	}
	return c.env.Root.Push(c, compare.New(c.env, first.compared(), second.compared(), identity))
}

// changes say what is different from the check before of the same, in safe lines.
func (c *card) changes() []string {
	if c.entry == nil {
		return nil
	}
	before := c.desk.options.History.before(c.entry)
	if before == nil {
		return nil
	}
	t, since := c.env.Theme, "since "+before.report.At.Local().Format(time.TimeOnly)
	found := check.Changes(before.report, c.report)
	if len(found) == 0 {
		return []string{t.Muted.Render("Nothing has changed " + since + ".")}
	}
	lines := []string{t.Muted.Render("Changed " + since)}
	for i, change := range found {
		if i == mostChanges && len(found) > mostChanges+1 {
			rest := human.Count(len(found)-i, "further change", "further changes") + "; " + c.env.Keys.Key("check.compare") + " shows them"
			return append(lines, t.Muted.Render("  "+rest))
		}
		sign, style := Mark(t, change.State)
		lines = append(lines, "  "+style.Render(sign)+" "+t.Strong.Render(safetext.Clip(change.Name, longestName))+"  "+
			safetext.Clip(change.After, longestChange)+t.Muted.Render("  before: "+safetext.Clip(change.Before, longestChange)))
	}
	return lines
}

// mostChanges is how many changes stand on a card.
const mostChanges = 3

// longestChange is how many cells of a summary are shown beside the one before.
const longestChange = 80

// mostReports is how many reports are kept.
const mostReports = 20

// History keeps the latest reports of a run of the program, for comparing.
type History struct {
	entries []*entry // the newest first
}

// entry is a report and what was asked for, without the password.
type entry struct {
	asked  check.Request
	signIn bool
	report check.Report
}

// Lines are the reports in a few words each, the newest first.
func (h *History) Lines(t *styles.Theme, width int) []string {
	lines := make([]string, len(h.entries))
	for i, e := range h.entries {
		lines[i] = screen.Cut(e.line(t), width)
	}
	return lines
}

func (e *entry) line(t *styles.Theme) string {
	sign, style := Mark(t, e.report.Verdict.State)
	return style.Render(sign) + " " + t.Muted.Render(e.report.At.Local().Format(time.TimeOnly)) + " " +
		safetext.Clip(e.report.Email, longestName) + "  " + t.Muted.Render(e.report.Title())
}

func (h *History) add(e *entry) {
	h.entries = append([]*entry{e}, h.entries...)
	h.entries = h.entries[:min(len(h.entries), mostReports)]
}

// before is the report of the same request before another, nil if there is none.
func (h *History) before(e *entry) *entry {
	later := false
	for _, other := range h.entries {
		if later && other.asked == e.asked && other.signIn == e.signIn {
			return other
		}
		later = later || other == e
	}
	return nil
}

// of is the entry of a report, which is added unless it is there.
func (h *History) of(asked check.Request, report check.Report) *entry {
	for _, e := range h.entries {
		if e.report.ID == report.ID {
			return e
		}
	}
	added := &entry{asked: asked, report: report}
	h.add(added)
	return added
}
