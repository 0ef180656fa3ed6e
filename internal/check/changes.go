package check

import "strings"

// Change is something that came out in another way in a later report of the same person.
type Change struct {
	// Name is that of the check, "verdict" for the verdict. It may come from outside.
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
		if was := find(before.Checks, now.ID); now.differs(was) && now.outcome() != was.outcome() {
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

// differs reports whether a check came out in another way than before.
func (c Check) differs(before Check) bool {
	return c.State != before.State || c.Code != before.Code || c.Status != before.Status || c.Host != before.Host || c.Because != before.Because
}

// outcome is how a check came out in a few words.
func (c Check) outcome() string {
	if c.ID == "" {
		return "not checked"
	}
	return strings.TrimSuffix(c.State.Word()+", "+c.Found(), ", ")
}

func (v Verdict) outcome() string { return v.State.Word() + ", " + v.Code.Title() }
