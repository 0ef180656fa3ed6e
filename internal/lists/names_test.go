package lists_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNamesOfOtherProgramsMeanTheColumnThatIsAboutTheSame(t *testing.T) {
	for _, test := range []struct{ name, body, query string }{
		{"a user is the owner", `[{"CreatedBy":"ben","Owner":"ann"},{"CreatedBy":"ann","Owner":"ben"}]`, "user=ann"},
		{"a user is the owner by id", `[{"a":{"by":"ben@a.example"},"owner id":"ann@a.example"},{"a":{"by":"ann@a.example"},"owner id":"ben@a.example"}]`, "from:ann"},
		{"a user is an owner that is called by its path", `[{"By":"ben","a":{"Owner":"ann"},"b":{"Owner":"ben"}},{"By":"ann","a":{"Owner":"ben"},"b":{"Owner":"ann"}}]`, "user=ann"},
		{"a user is a person", `[{"Size":1,"CreatedBy":"ann"},{"Size":2,"CreatedBy":"ben"}]`, "user=ann"},
		{"a change is a tick", `[{"UpdateTime":"2020-01-02","ShareTick":637134336000000000},{"UpdateTime":"2021-01-02","ShareTick":638081280000000000}]`, "edited<2021"},
		{"a change is an update", `[{"made":"2021-01-02","UpdateTime":"2020-01-02"},{"made":"2020-01-02","UpdateTime":"2021-01-02"}]`, "mtime<2021"},
		{"a birth is a creation", `[{"updated":"2021-01-02","creation_date":"2020-01-02"},{"updated":"2020-01-02","creation_date":"2021-01-02"}]`, "birth<2021"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := filter(t, parse(t, test.body), test.query, nil)
			if diff := cmp.Diff([]int32{0}, got); diff != "" {
				t.Errorf("%s finds other rows (-want +got):\n%s", test.query, diff)
			}
		})
	}
}
