package check

import (
	"fmt"
	"slices"
)

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

// String is the change in a sentence without a full stop.
func (c Change) String() string {
	return fmt.Sprintf("%s: %s; before: %s", c.Name, c.After, c.Before)
}

// Changes are what is different in the report that came after, the verdict first and the
// checks in causal order. Figures that differ each time, such as how long a check took, are
// no change.
func Changes(before, after Report) []Change {
	var changes []Change
	if before.Verdict.State != after.Verdict.State || before.Verdict.Code != after.Verdict.Code {
		changes = append(changes, Change{"verdict", before.Verdict.outcome(), after.Verdict.outcome(), after.Verdict.State})
	}
	find := func(r Report, id string) *Check {
		if at := slices.IndexFunc(r.Checks, func(c Check) bool { return c.ID == id }); at >= 0 {
			return &r.Checks[at]
		}
		return nil
	}
	for i := range after.Checks {
		now := &after.Checks[i]
		was := find(before, now.ID)
		if was == nil || now.differs(was) && now.outcome() != was.outcome() {
			changes = append(changes, Change{now.Name(), was.outcome(), now.outcome(), now.State})
		}
	}
	for i := range before.Checks {
		if was := &before.Checks[i]; find(after, was.ID) == nil {
			changes = append(changes, Change{was.Name(), was.outcome(), (*Check)(nil).outcome(), ""})
		}
	}
	return changes
}

// differs reports whether a check came out in another way than before.
func (c *Check) differs(before *Check) bool {
	return c.State != before.State || c.Code != before.Code || c.Status != before.Status || c.Host != before.Host || c.Because != before.Because
}

// outcome is how a check came out in a few words; nil is a check that was not made.
func (c *Check) outcome() string {
	if c == nil {
		return "not checked"
	}
	if found := c.Found(); found != "" {
		return c.State.Word() + ", " + found
	}
	return c.State.Word()
}

func (v Verdict) outcome() string { return v.State.Word() + ", " + v.Code.Title() }
