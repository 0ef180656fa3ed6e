package browse

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/lists"
)

// sourceOf is a source of records.
func sourceOf(t testing.TB, body string) *source {
	t.Helper()
	table, err := lists.Parse([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return newSource(&origin{format: newCellFormat(testEnv(t))}, table)
}

func TestArrangementsAreEqualThatShowTheSame(t *testing.T) {
	a := arrangement{"ann", order{{"Name", true}}, chosenColumns{Shown: []string{"Name"}, Hidden: []string{"Id"}}}
	for name, tt := range map[string]struct {
		change func(*arrangement)
		want   bool
	}{
		"a copy":           {func(*arrangement) {}, true},
		"no columns":       {func(a *arrangement) { a.columns.Hidden = slices.Clone(a.columns.Hidden) }, true},
		"another filter":   {func(a *arrangement) { a.filter = "ben" }, false},
		"the other way":    {func(a *arrangement) { a.order = a.order.sortedAlsoBy("Disk") }, false},
		"a shown column":   {func(a *arrangement) { a.columns.Shown = []string{"Name", "Disk"} }, false},
		"a hidden column":  {func(a *arrangement) { a.columns.Hidden = nil }, false},
		"sorted no longer": {func(a *arrangement) { a.order = a.order.sortedAlsoBy("Name") }, false},
	} {
		b := a
		if tt.change(&b); a.equal(b) != tt.want || b.equal(a) != tt.want {
			t.Errorf("%s: %+v and %+v", name, a, b)
		}
	}
}

func TestAnOrderGoesUpDownAndAway(t *testing.T) {
	var o order
	for i, want := range []order{{{"A", false}}, {{"A", true}}, {}} {
		if o = o.sortedOnlyBy("A"); !slices.Equal(o, want) {
			t.Errorf("pressed %d times it is %v, want %v", i+1, o, want)
		}
	}
	o = order{}.sortedOnlyBy("A").sortedAlsoBy("B").sortedAlsoBy("B")
	if want := (order{{"A", false}, {"B", true}}); !slices.Equal(o, want) {
		t.Errorf("by two columns it is %v, want %v", o, want)
	}
	if got := o.sortedOnlyBy("B"); !slices.Equal(got, order{{"B", false}}) {
		t.Errorf("then by one it is %v", got)
	}
}

func TestAnOrderAppliesToTheColumnsThatThereAre(t *testing.T) {
	s := sourceOf(t, `[{"A":1,"B":2}]`)
	got := order{{"Gone", true}, {"B", true}}.keys(s)
	if diff := cmp.Diff([]lists.SortKey{{Column: s.index("B"), Descending: true}}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestColumnsAreChosenByName(t *testing.T) {
	s := sourceOf(t, `[{"A":1,"B":2,"C":3,"N":null}]`)
	titles := func(columns []int) (list []string) {
		for _, column := range columns {
			list = append(list, s.key(column))
		}
		return list
	}
	all := titles(chosenColumns{}.indexesIn(s))
	if slices.Contains(all, "N") || len(all) != 3 {
		t.Errorf("without a choice %v are shown", all)
	}
	chosen := chosenColumns{Shown: []string{"Gone", "C", "A"}, Hidden: []string{"B", "Away"}}
	if got := titles(chosen.indexesIn(s)); !slices.Equal(got, []string{"C", "A"}) {
		t.Errorf("%v are shown", got)
	}
	next := chosen.choose(s, []int{s.index("B")})
	want := chosenColumns{Shown: []string{"B", "Gone"}, Hidden: []string{"Away", "A", "C", "N"}}
	slices.Sort(next.Hidden)
	slices.Sort(want.Hidden)
	if !next.equal(want) {
		t.Errorf("chosen is %+v, want %+v", next, want)
	}
	if got := chosen.choose(s, s.usualColumns()); !got.equal(chosenColumns{Shown: []string{"Gone"}, Hidden: []string{"Away"}}) {
		t.Errorf("the usual columns are kept as %+v", got)
	}
}
