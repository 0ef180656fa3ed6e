package lists_test

import (
	"testing"

	"gatehouse/internal/lists"
)

// What finds nothing is offered as the nearest that finds something, and what leaves out nothing as
// what does.
func TestTheNearestIsOffered(t *testing.T) {
	table := spelled(t)
	for typed, want := range map[string]string{
		"disk＞1.9GB":                 "disk>1.9GB",
		"ｂｏａｒｄ":                      "board",
		"\u200bboard":                "board",
		"frühjahr ’plan’":            "frühjahr 'plan'",
		"(board":                     "board",
		"board)":                     "board",
		"name::board":                "name:board",
		"owner:@ben":                 "owner:ben",
		"name=Annual report":         `name="Annual report"`,
		"bord minutes":               "~bord minutes",
		"arsregnskab":                "~arsregnskab",
		"aarsregnskab":               "årsregnskab",
		"disk>1.9GB # the big ones":  "disk>1.9GB",
		"disk > 1.9 GB please":       "disk > 1.9 GB",
		"category:corporate nowhere": "category:corporate",
	} {
		if rows := search(t, table, table.Query(typed, thursday)); len(rows) > 0 {
			t.Errorf("%q finds something by itself: %v", typed, rows)
		}
		offer, ok := table.Offer(t.Context(), typed, thursday, 0)
		if !ok || offer.Kind != lists.MayMean || len(offer.Fixes) != 1 || offer.Fixes[0] != want {
			t.Errorf("for %q is offered %q, want %q", typed, offer.Fixes, want)
		}
	}
	for typed, want := range map[string]string{"!active": "active=no", "-active": "active=no", "-owner:*": "owner=null|missing", "!owner:null": "!owner=null|missing"} {
		rows := search(t, table, table.Query(typed, thursday))
		offer, ok := table.Offer(t.Context(), typed, thursday, len(rows))
		if len(rows) != table.Len() || !ok || offer.Kind != lists.LeavesNoneOut || offer.Fixes[0] != want {
			t.Errorf("%q finds %d rows, and is offered %q; want all, and %q", typed, len(rows), offer.Fixes, want)
		}
	}
	for _, plain := range []string{"zebra", "two words", "board", "!zebra", `"bord"`, "", "bord | zebra"} {
		rows := search(t, table, table.Query(plain, thursday))
		if offer, ok := table.Offer(t.Context(), plain, thursday, len(rows)); ok {
			t.Errorf("for %q is offered %q", plain, offer.Fixes)
		}
	}
}
