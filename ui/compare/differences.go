package compare

import (
	"fmt"
	"time"

	"gatehouse/internal/human"
)

// Difference is a member that two results differ in, as people read it. The texts come
// from outside; a value is "" where the result has no such member.
type Difference struct{ Path, First, Second string }

// Differences are what [Compare] finds.
type Differences struct {
	// Matter are those that may tell why one went another way, in the order of
	// the results.
	Matter []Difference
	// Identity is how many there are that any two results have.
	Identity int
	// kinds are those of identity in words.
	kinds string
	// Note says what was not compared, "" if all of it was.
	Note string
}

// Find finds the differences between two results, as JSON without secrets. It takes up to
// a second for long ones.
func Find(first, second []byte, identity Identity, now time.Time) Differences {
	pairs, cut := diff(first, second)
	found := Differences{kinds: identity.Kinds}
	if cut {
		found.Note = onlyBeginning
	}
	for _, r := range asRows(pairs, identity, now) {
		switch {
		case r.identity:
			found.Identity++
		case r.differs():
			found.Matter = append(found.Matter, Difference{r.Path, r.left, r.right})
		}
	}
	return found
}

// String says how many differences there are.
func (d Differences) String() string {
	return mattering(len(d.Matter)) + ofIdentity(d.Identity, d.kinds)
}

// mattering says how many differences matter.
func mattering(count int) string {
	return human.Count(count, "difference that matters", "differences that matter")
}

// ofIdentity says behind that how many any two results have, "" for none.
func ofIdentity(count int, kinds string) string {
	if count == 0 {
		return ""
	}
	return fmt.Sprintf(", %s of identity: %s", human.Number(count), kinds)
}

// onlyBeginning is said where a result is longer than what is compared.
const onlyBeginning = "only the beginning is compared"
