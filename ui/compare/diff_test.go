package compare

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/text/secret"
)

func TestDiffAlignsByPath(t *testing.T) {
	for _, tt := range []struct {
		name, first, second string
		want                []Pair
	}{
		{"changed", `{"a":1,"b":"x"}`, `{"a":1,"b":"y"}`, []Pair{{"a", "1", "1", same}, {"b", `"x"`, `"y"`, changed}}},
		{"a number and a text", `{"a":1}`, `{"a":"1"}`, []Pair{{"a", "1", `"1"`, changed}}},
		{"in another order", `{"a":1,"b":2}`, `{"b":2,"a":1}`, []Pair{{"a", "1", "1", same}, {"b", "2", "2", same}}},
		{"only in one", `{"a":1,"b":2,"c":3}`, `{"a":1,"x":9,"c":3}`, []Pair{{"a", "1", "1", same}, {"b", "2", "", onlyFirst}, {"x", "", "9", onlySecond}, {"c", "3", "3", same}}},
		{"nested", `{"d":[{"u":1},{"u":2}]}`, `{"d":[{"u":1}]}`, []Pair{{"d[0].u", "1", "1", same}, {"d[1].u", "2", "", onlyFirst}}},
		{"empty and null", `{"d":[],"o":{}}`, `{"d":null,"o":{}}`, []Pair{{"d", "[]", "null", changed}, {"o", "{}", "{}", same}}},
		{"a value for an object", `{"d":{"u":1}}`, `{"d":5}`, []Pair{{"d.u", "1", "", onlyFirst}, {"d", "", "5", onlySecond}}},
		{"twice the same name", `{"a":1,"a":2}`, `{"a":1,"a":3}`, []Pair{{"a", "1", "1", same}, {"a (2)", "2", "3", changed}}},
		{"masked", `{"ConfirmKey":"•••"}`, `{"ConfirmKey":"•••"}`, []Pair{{"ConfirmKey", secret.QuotedMask, secret.QuotedMask, masked}}},
		{"masked and null", `{"ConfirmKey":"•••"}`, `{"ConfirmKey":null}`, []Pair{{"ConfirmKey", secret.QuotedMask, "null", changed}}},
	} {
		got, cut := diff([]byte(tt.first), []byte(tt.second))
		if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(Pair{})); diff != "" || cut {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestDiffOfWhatIsTooMuchSaysSo(t *testing.T) {
	wide := "[" + strings.Repeat("1,", maxMembers) + "1]"
	deep := strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000)
	if pairs, cut := diff([]byte(wide), []byte(deep)); !cut || len(pairs) > maxMembers+1 {
		t.Errorf("%d pairs, cut is %v", len(pairs), cut)
	}
}

func FuzzDiff(f *testing.F) {
	f.Add(`{"a":[1,{"b":null}]}`, `{"a":[1,{"b":2},3]}`)
	f.Add(`{"a":1,"b":2}`, `{"b":2,"a":1,"a":3}`)
	f.Fuzz(func(t *testing.T, first, second string) {
		pairs, _ := diff([]byte(first), []byte(second))
		ones, _ := members([]byte(first))
		twos, _ := members([]byte(second))
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
