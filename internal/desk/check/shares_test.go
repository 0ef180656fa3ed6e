package check

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSharesAreCountedUpToALimit(t *testing.T) {
	array := func(n int) string { return "[" + strings.TrimSuffix(strings.Repeat(`{"Id":[1,{}]},`, n), ",") + "]" }
	for _, tt := range []struct {
		name, body string
		limit      int64
		want       int
		more       bool
	}{
		{"an array", array(10), 1000, 10, false},
		{"an envelope", `{"Message":"Ok.","Data":` + array(10) + `}`, 1000, 10, false},
		{"none", `{"Data":[]}`, 1000, 0, false},
		{"exactly the limit", array(3), int64(len(array(3))), 3, false},
		{"one byte beyond", array(3), int64(len(array(3))) - 1, 3, true},
		{"in the middle of a record", array(10), 50, 3, true},
		{"in an envelope", `{"Info":{"a":[1,2]},"Data":` + array(10) + `}`, 60, 2, true},
		{"one large text", `"` + strings.Repeat("x", 100) + `"`, 50, 0, true},
	} {
		got, err := CountShares(strings.NewReader(tt.body), tt.limit)
		if err != nil || got.Shares != tt.want || got.More != tt.more {
			t.Errorf("%s: got %v, %v; want %d, %v", tt.name, got, err, tt.want, tt.more)
		}
	}
	for body, want := range map[string]string{
		`{"Data":[{"Id":1},{"Id":2},{"Id":3}],"TotalCount":3000}`: "3 of 3,000 shares",
		`{"value":[{"Id":1}],"@odata.nextLink":"x"}`:              "1+ shares",
		`{"Data":[{"Id":1}],"TotalCount":1}`:                      "1 share",
		`{"Id":1,"Name":"x","ShareRelations":[]}`:                 "1 share",
		`{"Data":{"Data":[{"Id":1},{"Id":2}]}}`:                   "2 shares",
	} {
		if got, err := CountShares(strings.NewReader(body), MaxCounted); err != nil || got.InWords() != want {
			t.Errorf("%s: %q, %v; want %q", body, got.InWords(), err, want)
		}
	}
	if _, err := CountShares(strings.NewReader("<html>"), 100); err == nil {
		t.Error("a page is counted")
	}
}

func TestTheSizesOfSharesAreAddedUp(t *testing.T) {
	share := func(name, disk string) string {
		return `{"Name":"` + name + `","SpaceUsage":{"DiskUsage":` + disk + `,"HistoryUsage":7}}`
	}
	huge := "9000000000000000000"
	body := "[" + strings.Join([]string{share("a", "5"), share("b", huge), share("c", "null"), share("d", "40"), `{"Name":"e"}`, share("f", huge), share("g", "41")}, ",") + "]"
	got, err := CountShares(strings.NewReader(body), MaxCounted)
	want := ShareCount{Shares: 7, Size: "18000000000000000086", Largest: []Share{{"b", huge}, {"f", huge}, {"g", "41"}}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if others, size := got.Others(); others != 4 || size != "45" {
		t.Errorf("%d others with %s bytes", others, size)
	}
	for _, body := range []string{`[{"Name":"a"}]`, `[{"DiskUsage":"many"}]`, `[{"DiskUsage":-5}]`, `[{"DiskUsage":1.5}]`} {
		if got, _ := CountShares(strings.NewReader(body), MaxCounted); got.Size != "" || got.Largest != nil {
			t.Errorf("%s: %+v", body, got)
		}
	}
}
