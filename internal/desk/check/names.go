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

// Title returns the verdict in a few words, as a heading.
func (r Report) Title() string { return cmp.Or(r.Verdict.Title, r.Verdict.Code.Title()) }

// Cause returns the cause for a summary of many reports: its id, its title as it stands in a
// sentence, and the host that is at fault, if there is one. In the report of an older program the
// code stands for the id if there is no title either. Otherwise that title is all there is to tell
// causes apart.
func (r Report) Cause() batch.Cause {
	id := r.Verdict.Cause
	if id == "" && r.Verdict.Title == "" {
		id = string(r.Verdict.Code)
	}
	cause := batch.Cause{ID: id, What: lowerFirst(cmp.Or(causeTitles[id], r.Title()))}
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

// CauseHost returns the host of the check that shows the cause, or "" if none was asked. It may come
// from outside. The report of an older program does not name that check: there it is the first one
// with a host and the state of the verdict.
func (r Report) CauseHost() string {
	v := r.Verdict
	i := slices.IndexFunc(r.Checks, func(c Check) bool {
		mayBeCause := v.Check == "" && c.State == v.State && c.Host != ""
		return c.ID == v.Check || mayBeCause
	})
	if i < 0 {
		return ""
	}
	return r.Checks[i].Host
}

// reaches are the scopes as sentences. A check looks from one place, so none says that
// everybody is affected.
var reaches = map[Scope]string{
	ScopePerson:       "This was tested for this person only.",
	ScopeDomain:       "This may affect the whole domain.",
	ScopeAuthority:    "This may affect every sign-in at this authority.",
	ScopeInstallation: "This may affect the whole service.",
	ScopeHere:         "The cause is probably this machine or its network.",
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

// Counted returns a number of checks in this state: "6 ok", "2 warn".
func (s State) Counted(n int) string { return human.Number(n) + " " + string(s) }

// Name returns what people call the check: its id, or the domain if it is the check of one.
func (c Check) Name() string {
	if domain, ok := DomainOf(c.ID); ok {
		return domain
	}
	return c.ID
}

// Took returns how long the check took, or "" if it asked no host.
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
func (s Step) isEmpty() bool { return s.Text == "" && len(s.said) == 0 }

// Sentence returns the step as a sentence, with the command that takes it.
func (s Step) Sentence() string { return s.phrase().String() }

// phrase returns the sentence of a step.
func (s Step) phrase() phrase {
	switch {
	case len(s.said) > 0:
		return s.said
	case s.Command == "":
		return plain(s.Text + ".")
	}
	return joined(plain(s.Text+": "), command(s.Command), plain("."))
}

// Change is something that came out differently in a later report of the same person.
type Change struct {
	// Name is the name of the check, or "Verdict". It may come from outside.
	Name string
	// Before and After say how it came out: "fail, no answer in 5 s". They may contain text from
	// outside.
	Before, After string
	// State is the later state, or "" if the check was no longer made.
	State State
}

// Changes lists what differs in a later report: the verdict first, then the checks in causal order.
// Figures that differ each time, such as how long a check took, do not count.
func Changes(before, after Report) []Change {
	var changes []Change
	v, w := before.Verdict, after.Verdict
	if v.State != w.State || v.Code != w.Code {
		changes = append(changes, Change{"Verdict", v.outcome(), w.outcome(), w.State})
	}
	for _, now := range after.Checks {
		was := find(before.Checks, now.ID)
		if !now.isLike(was) {
			changes = append(changes, changeOf(was, now))
		}
	}
	for _, was := range before.Checks {
		if now := find(after.Checks, was.ID); now.ID == "" {
			changes = append(changes, Change{was.Name(), was.Outcome(), now.Outcome(), ""})
		}
	}
	return changes
}

// isLike reports whether two checks came out in the same way, whatever their words and figures are.
// The status counts for what failed, unless the service gives both the same response code; the host
// counts where the check is about the host alone.
func (c Check) isLike(other Check) bool {
	code := c.Detail.Text(factResponseCode)
	hasSameCode := code != "" && code == other.Detail.Text(factResponseCode)
	hasSameStatus := c.Status == other.Status || hasSameCode || !c.State.Failed()
	hasSameHost := c.Host == other.Host || !isHost(c.ID)
	return c.State == other.State && c.Because == other.Because && hasSameStatus && hasSameHost
}

// changeOf returns how a check that was made both times came out differently. Where it failed both
// times in the same way, the hosts are the difference.
func changeOf(was, now Check) Change {
	change := Change{now.Name(), was.Outcome(), now.Outcome(), now.State}
	if now.State == was.State && now.State.Failed() && now.Status == was.Status {
		change.Before += " at " + was.Host
		change.After += " at " + now.Host
	}
	return change
}

// Outcome says in a few words how a check came out: "fail, no answer in 5 s". It may contain text
// from outside.
func (c Check) Outcome() string {
	if c.ID == "" {
		return "not checked"
	}
	if len(c.Summary) == 0 {
		return string(c.State)
	}
	return string(c.State) + ", " + c.Summary.String()
}

// SentenceAbout is the sentence with other words for the address that was checked, such as "the
// person". A verdict that was read from JSON keeps its sentence.
func (v Verdict) SentenceAbout(person string) string {
	if v.Parts == nil {
		return v.Sentence
	}
	sentence := slices.Clone(v.Parts)
	for i := range sentence {
		if sentence[i].IsPerson {
			sentence[i].Text = person
		}
	}
	return phrase(sentence).String()
}

func (v Verdict) outcome() string { return string(v.State) + ", " + v.Code.Title() }

// checkName is what a check is called in the middle of a sentence.
func checkName(id string) string { return cmp.Or(KindOf(id).name, nameOf(id)) }

// nameOf returns the name of a check by its id, with the domain as people read it.
func nameOf(id string) string {
	if domain, ok := DomainOf(id); ok {
		return hostname.Readable(domain)
	}
	return id
}

// find returns the check with an id, or the zero Check if it was not made.
func find(checks []Check, id string) Check {
	if i := slices.IndexFunc(checks, func(c Check) bool { return c.ID == id }); i >= 0 {
		return checks[i]
	}
	return Check{}
}

// works reports whether a check was made and came out well.
func works(s State) bool { return s == OK || s == Info || s == Warn }
