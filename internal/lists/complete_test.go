package lists_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTheNameOfAColumnIsWrittenOut(t *testing.T) {
	table := parse(t, sharesOfMany(30)+`{"display name":"x"}`)
	for query, want := range map[string][]string{
		"us":              {"Disk:", "History:"},
		"board !usage>1k": {"board !Disk>1k", "board !History>1k"},
		"usage!=1":        {"Disk!=1", "History!=1"},
		"OWN":             {"Owner:"},
		"x | cat":         {"x | Category:"},
		`"display na`:     {`"display name":`},
		`"display na"=x`:  {`"display name"=x`},
		"deleted>2020":    {"DeleteTime>2020"},
		"nosuch":          nil,
		"ann | ":          {"ann | Name:"},
		"ann |":           {"ann | Name:"},
	} {
		got := table.Complete(query, noon)
		if len(want) == 1 && len(got) > 1 {
			got = got[:1]
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", query, diff)
		}
	}
}
