package check

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"gatehouse/internal/human"
)

// titles are what people call the codes as a heading.
var titles = map[Code]string{
	LooksFine: "Looks fine", UnknownAddress: "Unknown address", NoPrimaryDomain: "No primary domain", OtherPrimaryDomain: "Wrong domain",
	WrongPassword: "Sign-in rejected", ClientRefused: "Client refused", DeviceNotValidated: "Device not validated", WipeOrdered: "Wipe ordered",
	UndocumentedCode: "Undocumented code", NoAccess: "No access", OtherDomains: "Other domains", AuthorityUnreachable: "Authority unreachable",
	GatewayUnreachable: "Gateway unreachable", GlobalUnreachable: "Global service unreachable", Certificate: "Certificate not valid",
	Clock: "Clock wrong", BadProfile: "Profile unusable", Undecided: "Inconclusive",
}

// Title is a code in a few words, as a heading: "Wrong password".
func (c Code) Title() string { return cmp.Or(titles[c], string(c)) }

// Title is the verdict in a few words, as a heading.
func (r Report) Title() string { return cmp.Or(r.Verdict.Title, r.Verdict.Code.Title()) }

// Cause is the title of the verdict in the middle of a sentence, with the host where that is at fault, the
// same for all addresses with the same cause: "no access", "certificate not valid at
// gateway.cw.example". The host may come from outside.
func (r Report) Cause() string {
	cause := strings.ToLower(r.Title())
	switch r.Verdict.Code {
	case Certificate, Clock, GlobalUnreachable, AuthorityUnreachable, GatewayUnreachable:
		if host := r.CauseHost(); host != "" && r.Verdict.Scope != ScopeHere {
			cause += " at " + host
		}
	}
	return cause
}

// Fault is a cause without its host, for a table: "certificate not valid".
func Fault(cause string) string {
	fault, _, _ := strings.Cut(cause, " at ")
	return fault
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
	shown := find(r.Checks, v.Check)
	user, state := controlOutcome(r.Checks, v.Check)
	switch {
	case v.Code == ClientRefused, v.Code == BadProfile:
		return "This may affect everybody who uses this profile."
	case v.Scope != ScopePerson || shown.State != Fail:
	case works(state):
		return "This affects this person, not " + user + "."
	case state == Fail:
		return "This affects this person and " + user + "."
	}
	return reaches[v.Scope]
}

// Word is a state as people read it.
func (s State) Word() string {
	switch s {
	case Warn:
		return "warning"
	case Fail:
		return "failed"
	}
	return string(s)
}

// Counted is a number of checks in this state: "6 ok", "2 warnings".
func (s State) Counted(n int) string {
	if s == Warn {
		return human.Count(n, "warning", "warnings")
	}
	return human.Number(n) + " " + s.Word()
}

// Name is the check as people call it: its id, and of a domain's check the domain.
func (c Check) Name() string { return strings.TrimPrefix(c.ID, DomainPrefix) }

// Took is how long the check took; it is "" for one that asked nothing, or whose summary says it.
func (c Check) Took() string {
	took := human.Took(time.Duration(c.MS) * time.Millisecond)
	if c.State == Skipped || c.Host == "" || strings.HasSuffix(c.Summary, slowFor+took) {
		return ""
	}
	return took
}

// Sentence is the step as a sentence of its own. The text of one that the program can take is what a
// key does, as keys say it.
func (s Step) Sentence() string {
	if s.Kind == StepOther {
		return s.Text
	}
	text := strings.ToUpper(s.Text[:1]) + s.Text[1:]
	if s.Command != "" {
		text += ": `" + s.Command + "`"
	}
	return text + "."
}

// Change is something that came out in another way in a later report of the same person.
type Change struct {
	// Name is the check's, "verdict" for the verdict. It may come from outside.
	Name string
	// Before and After say how it came out: "failed, no answer in 5 s". They may have parts
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
		changes = append(changes, Change{"verdict", before.Verdict.outcome(), after.Verdict.outcome(), after.Verdict.State})
	}
	for _, now := range after.Checks {
		was := find(before.Checks, now.ID)
		isSame := now.State == was.State && now.Code == was.Code && now.Status == was.Status && now.Host == was.Host && now.Because == was.Because
		if !isSame && now.outcome() != was.outcome() {
			changes = append(changes, Change{now.Name(), was.outcome(), now.outcome(), now.State})
		}
	}
	for _, was := range before.Checks {
		if now := find(after.Checks, was.ID); now.ID == "" {
			changes = append(changes, Change{was.Name(), was.outcome(), now.outcome(), ""})
		}
	}
	return changes
}

// outcome is how a check came out in a few words.
func (c Check) outcome() string {
	if c.ID == "" {
		return "not checked"
	}
	return strings.TrimSuffix(c.State.Word()+", "+c.Summary, ", ")
}

func (v Verdict) outcome() string { return v.State.Word() + ", " + v.Code.Title() }
