package check

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"gatehouse/internal/desk/batch"
	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/human"
)

// Title is the verdict in a few words, as a heading.
func (r Report) Title() string { return cmp.Or(r.Verdict.Title, r.Verdict.Code.Title()) }

// Cause is the cause that a report names: its title in the middle of a sentence, and the host that is
// at fault.
func (r Report) Cause() batch.Cause {
	cause := batch.Cause{What: lowerFirst(r.Title())}
	if r.Verdict.Code.kind().atHost && r.Verdict.Scope != ScopeHere {
		cause.Host = r.CauseHost()
	}
	return cause
}

// lowerFirst is a heading in the middle of a sentence.
func lowerFirst(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToLower(text[:1]) + text[1:]
}

// CauseHost is the host of the check that shows the cause, "" if none was asked. It may come from
// outside. In the report of an older program it is the first that came out so.
func (r Report) CauseHost() string {
	i := slices.IndexFunc(r.Checks, func(c Check) bool {
		return c.ID == r.Verdict.Check || r.Verdict.Check == "" && c.State == r.Verdict.State && c.Host != ""
	})
	if i < 0 {
		return ""
	}
	return r.Checks[i].Host
}

// reaches are the scopes as sentences. A check looks from one place, so none says that
// everybody is affected.
var reaches = map[Scope]string{
	ScopePerson: "This was tested for this person only.", ScopeDomain: "This may affect the whole domain.",
	ScopeAuthority: "This may affect every sign-in at this authority.", ScopeInstallation: "This may affect the whole service.",
	ScopeHere: "The cause is probably this machine or its network.",
}

// Reach says how far the cause reaches, as far as that was tested: "This may affect the whole
// domain." It is "" for [ScopeNone].
func (r Report) Reach() string {
	v := r.Verdict
	control := find(r.Checks, Control).Detail
	user := control.Text(factUser)
	switch {
	case v.Code.kind().ofProfile:
		return "This may affect everybody who uses this profile."
	case v.Scope != ScopePerson || find(r.Checks, v.Check).State != Fail:
	case control.Text(factDiffers) == v.Check && user != "":
		return "This affects this person, not " + user + "."
	case slices.Contains(control.list(factFailsToo), v.Check):
		return "This affects this person and " + user + "."
	}
	return reaches[v.Scope]
}

// Counted is a number of checks in this state: "6 ok", "2 warn".
func (s State) Counted(n int) string { return human.Number(n) + " " + string(s) }

// Name is the check as people call it: its id, and of a domain's check the domain.
func (c Check) Name() string {
	if domain, ok := DomainOf(c.ID); ok {
		return domain
	}
	return c.ID
}

// Took is how long the check took; it is "" for one that asked nothing.
func (c Check) Took() string {
	if c.State == Skipped || c.Host == "" {
		return ""
	}
	return human.Took(time.Duration(c.MS) * time.Millisecond)
}

// IsSlow reports whether the answer took longer than it should.
func (c Check) IsSlow() bool {
	return works(c.State) && c.State == Warn && time.Duration(c.MS)*time.Millisecond > Slow
}

// isEmpty reports whether the template of a step was left out.
func (s Step) isEmpty() bool { return s.Text == "" && s.written == "" }

// Sentence is the step as a sentence of its own, with the command that takes it.
func (s Step) Sentence() string {
	switch {
	case s.written != "":
		return s.written
	case s.Command == "":
		return s.Text + "."
	}
	return s.Text + ": `" + s.Command + "`."
}

// Change is something that came out in another way in a later report of the same person.
type Change struct {
	// Name is the check's as on the card, "Verdict" for the verdict. It may come from outside.
	Name string
	// Before and After say how it came out: "fail, no answer in 5 s". They may have parts
	// from outside.
	Before, After string
	// State is the one after, "" if the check was not made any more.
	State State
}

// Changes are what is different in the report that came after, the verdict first and the
// checks in causal order. Figures that differ each time, such as how long a check took, are
// no change.
func Changes(before, after Report) []Change {
	var changes []Change
	if before.Verdict.State != after.Verdict.State || before.Verdict.Code != after.Verdict.Code {
		changes = append(changes, Change{"Verdict", before.Verdict.outcome(), after.Verdict.outcome(), after.Verdict.State})
	}
	for _, now := range after.Checks {
		was := find(before.Checks, now.ID)
		isSame := now.State == was.State && now.Status == was.Status && now.Host == was.Host && now.Because == was.Because
		if !isSame && now.Outcome() != was.Outcome() {
			changes = append(changes, Change{now.Name(), was.Outcome(), now.Outcome(), now.State})
		}
	}
	for _, was := range before.Checks {
		if now := find(after.Checks, was.ID); now.ID == "" {
			changes = append(changes, Change{was.Name(), was.Outcome(), now.Outcome(), ""})
		}
	}
	return changes
}

// Outcome is how a check came out, in a few words: "fail, no answer in 5 s". It may have parts from
// outside.
func (c Check) Outcome() string {
	if c.ID == "" {
		return "not checked"
	}
	if c.Summary == "" {
		return string(c.State)
	}
	return string(c.State) + ", " + c.Summary
}

func (v Verdict) outcome() string { return string(v.State) + ", " + v.Code.Title() }

// checkName is what a check is called in the middle of a sentence.
func checkName(id string) string { return cmp.Or(KindOf(id).name, nameOf(id)) }

// nameOf is a check as people call it.
func nameOf(id string) string {
	if domain, ok := DomainOf(id); ok {
		return hostname.Readable(domain)
	}
	return id
}

// find is the check with an id, the zero one if it was not made.
func find(checks []Check, id string) Check {
	if i := slices.IndexFunc(checks, func(c Check) bool { return c.ID == id }); i >= 0 {
		return checks[i]
	}
	return Check{}
}

// works reports whether a check was made and came out well.
func works(s State) bool { return s == OK || s == Info || s == Warn }
