package check

import (
	"slices"
	"time"

	"gatehouse/internal/desk/check"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
	"gatehouse/styles"
	"gatehouse/ui/compare"
	"gatehouse/ui/screen"
)

// identity says in what any two reports differ; see [comparedMembers].
var identity = compare.Identity{Kinds: "ids, addresses, requests, times, durations"}

// comparedMembers returns the members of a report that are compared with those of another one:
// the verdict, and each check by its name with its facts, as on the card.
func comparedMembers(r check.Report) (list []compare.Member) {
	add := func(path, label string, fact check.Fact) *compare.Member {
		list = append(list, compare.Member{
			Path:  path,
			Label: label,
			Value: string(fact.Value),
			Text:  fact.Text(),
		})
		return &list[len(list)-1]
	}
	say := func(name string, value any) *compare.Member {
		return add(name, screen.Capital(name), check.NewFact(name, value))
	}

	say("verdict", string(r.Verdict.State)+", "+r.Title())
	say("scope", r.Verdict.Scope)
	say("sentence", r.Verdict.SentenceAbout("the person")) // the other report may be about another one
	for _, c := range r.Checks {
		name := c.Name()
		add(name, name, check.NewFact(name, c.Outcome()))
		if c.Host != "" {
			add(name+".host", name+": Host", check.NewFact("host", c.Host))
		}
		for _, fact := range c.Detail {
			found := add(name+"."+fact.Name, name+": "+screen.Capital(fact.Label()), fact)
			found.Expected = check.FactDiffers(fact.Name)
		}
	}
	add("id", "ID", check.NewFact("id", r.ID)).Expected = true
	say("email", r.Email).Expected = true
	say("at", r.At).Expected = true
	return list
}

// entry is an entry of the history: a report with its request, or a list of addresses that was
// checked.
type entry struct {
	asked  check.Request // without the password
	signIn bool          // the request had a password
	report check.Report
	// checked is the list of addresses; nil for a report.
	checked *checkedList
}

// Size implements [compare.Entry]. Reports are small, and count as 0.
func (e *entry) Size() int {
	if e.checked != nil {
		return e.checked.size()
	}
	return 0
}

// Result implements [compare.Entry].
func (e *entry) Result() compare.Result {
	if e.checked != nil {
		return e.checked.result()
	}
	r := e.report
	return compare.Result{
		Name:    r.ID,
		Whose:   r.Email,
		At:      r.At,
		Verdict: r.Title(),
		Copied:  r.ID,
		What:    "id of the report",
		Within:  title,
		Members: func(time.Time) ([]compare.Member, bool) { return comparedMembers(r), false },
		Mark:    func(t *styles.Theme) (string, *styles.Style) { return Mark(t, r.Verdict.State) },
	}
}

// results are the reports of this run of the program.
func (m *Model) results() *compare.Results[*entry] { return results(m.env, m.options.History) }

// results are the reports of a history, as lists and comparisons show them.
func results(env *screen.Env, h *History) *compare.Results[*entry] {
	return &compare.Results[*entry]{
		Env: env, History: h, Identity: identity, One: "report", Many: "reports",
	}
}

// changes say what has changed since the last check of the same request; none if there was no
// earlier check.
func (c *card) changes() []screen.Happened {
	if c.entry == nil {
		return nil
	}
	earlier := before(c.desk.options.History, c.entry)
	if earlier == nil {
		return nil
	}
	t, since := c.env.Theme, "since "+earlier.report.At.Local().Format(time.TimeOnly)
	found := check.Changes(earlier.report, c.report)
	if len(found) == 0 {
		return []screen.Happened{{Drawn: t.Muted.Render("Nothing has changed " + since + ".")}}
	}
	changes := []screen.Happened{{Drawn: t.Muted.Render("Changed " + since)}}
	for i, change := range found {
		hasMore := len(found) > maxChanges+1 // a single further change takes as many lines
		isTooMany := i == maxChanges && hasMore
		if isTooMany {
			rest := human.Count(len(found)-i, "further change", "further changes")
			text := rest + "; " + c.env.Keys.Key(screen.CheckCompare) + " shows them"
			return append(changes, screen.Happened{Drawn: t.Muted.Render(text), Indent: changeIndent})
		}
		sign, style := Mark(t, change.State)
		named := safetext.Clip(change.Name, maxName)
		now := "now: " + safetext.Clip(change.After, maxChange)
		was := "was: " + safetext.Clip(change.Before, maxChange)
		changes = append(changes, screen.Happened{
			Drawn: style.Render(sign) + " " + t.Strong.Render(named) + "  " + now +
				t.Muted.Render("  "+was),
			Said:   named + ": " + now + ", " + was,
			Indent: changeIndent,
		})
	}
	return changes
}

// changeIndent is how many cells are before a change.
const changeIndent = 2

// maxChanges is how many changes a card shows.
const maxChanges = 3

// maxChange is how many cells of what a check has found, now and before, a change shows.
const maxChange = 80

// before is the latest report of the same request that is older than an entry, nil if there is
// none.
func before(h *History, e *entry) *entry {
	return latest(h.Entries[slices.Index(h.Entries, e)+1:], e.asked, e.signIn)
}

// latest is the first of some entries that is a report of a request, nil if there is none.
func latest(entries []*entry, asked check.Request, signIn bool) *entry {
	for _, e := range entries {
		if e.asked == asked && e.signIn == signIn {
			return e
		}
	}
	return nil
}

// repeatWithin is how long after a report a check of the same request counts as its repetition.
const repeatWithin = 15 * time.Minute

// isRepeated reports whether this check repeats a recent one, whose verdict advised to check
// again or to report the problem. A check that the person stopped does not count, as it has not
// found anything broken.
func (c *card) isRepeated() bool {
	earlier := latest(c.desk.options.History.Entries, c.request, c.signIn)
	if earlier == nil {
		return false
	}
	isOld := c.env.Now().Sub(earlier.report.At) > repeatWithin
	isUndecided := earlier.report.Verdict.Code == check.Undecided
	if isOld || isUndecided {
		return false
	}
	return slices.ContainsFunc(earlier.report.Verdict.Next, func(step check.Step) bool {
		return step.Kind == check.StepAgain || step.Kind == check.StepReport
	})
}
