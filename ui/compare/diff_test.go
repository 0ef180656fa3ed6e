package compare

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/text/secret"
)

// valuesOf are the members of a document, without what people read of them.
func valuesOf(document string) (list []Member, cut bool) {
	return members([]byte(document))
}

// compared are the pairs of two documents, with their paths and values alone.
func compared(first, second string) (pairs []Pair, cut bool) {
	ones, cutFirst := valuesOf(first)
	twos, cutSecond := valuesOf(second)
	for _, p := range diff(ones, twos) {
		p.left, p.right = "", ""
		pairs = append(pairs, p)
	}
	return pairs, cutFirst || cutSecond
}

// A list says what was added and what was removed, times are times, and labels are those of the
// record.
func TestADocumentIsReadAsPeopleReadIt(t *testing.T) {
	now := time.Date(2026, time.March, 2, 12, 0, 0, 0, time.UTC)
	read := func(document string) []Member {
		list, cut := Document([]byte(document), now)
		if cut {
			t.Errorf("%s is cut", document)
		}
		return list
	}
	first := read(`{"Name":"Board","SpaceUsage":{"DiskUsage":1500000},"CreateTime":"2026-03-01T12:00:00Z","Members":["ann","ben","ben"],"Tags":[]}`)
	second := read(`{"Name":"Board","SpaceUsage":{"DiskUsage":2500000},"CreateTime":"2026-03-02T11:00:00Z","Members":["cho","ben"],"Tags":[{"Id":7,"Name":"x"}]}`)
	var got []string
	for _, p := range diff(first, second) {
		got = append(got, p.change.sign()+" "+p.label+": "+p.left+" | "+p.right)
	}
	want := []string{
		"= Name: Board | Board",
		"~ Disk: 1.5 MB | 2.5 MB",
		"~ Created: 2026-03-01 12:00, 1 d ago | 2026-03-02 11:00, 1 h ago",
		"~ Members: 3 entries, - ann, - ben | 2 entries, + cho",
		"~ Tags: 0 entries | 1 entry, + 7 x",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDiffAlignsByPath(t *testing.T) {
	for _, tt := range []struct {
		name, first, second string
		want                []Pair
	}{
		{"changed", `{"a":1,"b":"x"}`, `{"a":1,"b":"y"}`, []Pair{{Path: "a", First: "1", Second: "1", change: same}, {Path: "b", First: `"x"`, Second: `"y"`, change: changed}}},
		{"a number and a text", `{"a":1}`, `{"a":"1"}`, []Pair{{Path: "a", First: "1", Second: `"1"`, change: changed}}},
		{"in another order", `{"a":1,"b":2}`, `{"b":2,"a":1}`, []Pair{{Path: "a", First: "1", Second: "1", change: same}, {Path: "b", First: "2", Second: "2", change: same}}},
		{"only in one", `{"a":1,"b":2,"c":3}`, `{"a":1,"x":9,"c":3}`, []Pair{{Path: "a", First: "1", Second: "1", change: same}, {Path: "b", First: "2", Second: "", change: onlyFirst}, {Path: "x", First: "", Second: "9", change: onlySecond}, {Path: "c", First: "3", Second: "3", change: same}}},
		{"nested", `{"d":{"u":{"v":1}}}`, `{"d":{"u":{"v":1},"w":2}}`, []Pair{{Path: "d.u.v", First: "1", Second: "1", change: same}, {Path: "d.w", First: "", Second: "2", change: onlySecond}}},
		{"a list is one value", `{"d":[{"u":1},{"u":2}]}`, `{"d":[{"u":1}]}`, []Pair{{Path: "d", First: `[{"u":1},{"u":2}]`, Second: `[{"u":1}]`, change: changed}}},
		{"empty and null", `{"d":[],"o":{}}`, `{"d":null,"o":{}}`, []Pair{{Path: "d", First: "[]", Second: "null", change: changed}, {Path: "o", First: "{}", Second: "{}", change: same}}},
		{"a value for an object", `{"d":{"u":1}}`, `{"d":5}`, []Pair{{Path: "d.u", First: "1", Second: "", change: onlyFirst}, {Path: "d", First: "", Second: "5", change: onlySecond}}},
		{"twice the same name", `{"a":1,"a":2}`, `{"a":1,"a":3}`, []Pair{{Path: "a", First: "1", Second: "1", change: same}, {Path: "a (2)", First: "2", Second: "3", change: changed}}},
		{"masked", `{"ConfirmKey":"•••"}`, `{"ConfirmKey":"•••"}`, []Pair{{Path: "ConfirmKey", First: secret.QuotedMask, Second: secret.QuotedMask, change: masked}}},
		{"masked and null", `{"ConfirmKey":"•••"}`, `{"ConfirmKey":null}`, []Pair{{Path: "ConfirmKey", First: secret.QuotedMask, Second: "null", change: changed}}},
	} {
		got, cut := compared(tt.first, tt.second)
		if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(Pair{})); diff != "" || cut {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// The parts of an element that only one result has are told from the element itself, whatever
// characters the names of members have.
func TestPartsSayWhetherTheyAreInAnElement(t *testing.T) {
	for _, tt := range []struct {
		name, first, second string
		want                map[string]bool
	}{
		{"values", `["a"]`, `["a","b"]`, map[string]bool{"d[1]": false}},
		{"objects", `[{"u":1}]`, `[{"u":1},{"u":2,"v":[3]}]`, map[string]bool{"d[1].u": true, "d[1].v[0]": true}},
		{"lists of lists", `[[1]]`, `[[1,2]]`, map[string]bool{"d[0][1]": false}},
	} {
		got := map[string]bool{}
		for _, part := range (Pair{Path: "d", First: tt.first, Second: tt.second}).parts() {
			got[part.Path] = part.InElement
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
	pairs, _ := compared(`{"x":1}`, `{"x":1,"a].b":1}`)
	if len(pairs) != 2 || pairs[1].InElement {
		t.Errorf("a member with an odd name: %+v", pairs)
	}
}

func TestDiffOfWhatIsTooMuchSaysSo(t *testing.T) {
	var wide strings.Builder
	for i := range maxMembers + 1 {
		fmt.Fprintf(&wide, `,"m%d":1`, i)
	}
	deep := strings.Repeat(`{"a":`, 10_000) + "1" + strings.Repeat("}", 10_000)
	if pairs, cut := compared("{"+wide.String()[1:]+"}", deep); !cut || len(pairs) > maxMembers+1 {
		t.Errorf("%d pairs, cut is %v", len(pairs), cut)
	}
}

func FuzzDiff(f *testing.F) {
	f.Add(`{"a":[1,{"b":null}]}`, `{"a":[1,{"b":2},3]}`)
	f.Add(`{"a":1,"b":2}`, `{"b":2,"a":1,"a":3}`)
	f.Fuzz(func(t *testing.T, first, second string) {
		pairs, _ := compared(first, second)
		ones, _ := valuesOf(first)
		twos, _ := valuesOf(second)
		inFirst, inSecond := 0, 0
		for _, p := range pairs {
			if p.change != onlySecond {
				inFirst++
			}
			if p.change != onlyFirst {
				inSecond++
			}
		}
		if distinct := len(byPath(ones)); distinct == len(ones) && inFirst != len(ones) {
			t.Errorf("%d of %d members of the first", inFirst, len(ones))
		}
		if distinct := len(byPath(twos)); distinct == len(twos) && len(byPath(ones)) == len(ones) && inSecond != len(twos) {
			t.Errorf("%d of %d members of the second: %s", inSecond, len(twos), fmt.Sprint(pairs))
		}
	})
}
