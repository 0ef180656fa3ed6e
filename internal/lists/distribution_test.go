package lists_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/lists"
)

// distribution returns that of the only column, or of the one with a label, after each
// bucket was looked for with its term.
func distribution(t *testing.T, table *lists.Table, label string) lists.Distribution {
	t.Helper()
	column := table.DisplayColumns()[0]
	for _, other := range table.DisplayColumns() {
		if other.Label == label {
			column = other
		}
	}
	d, err := table.Distribution(t.Context(), nil, column, lists.Format{}, 50)
	if err != nil {
		t.Fatal(err)
	}
	all := d.OtherRows + d.Nulls.Rows + d.Missing.Rows
	for _, bucket := range d.Buckets {
		all += bucket.Rows
		if found := len(filter(t, table, bucket.Term, nil)); found != bucket.Rows {
			t.Errorf("%s: %d rows are counted, %s finds %d", bucket.Label, bucket.Rows, bucket.Term, found)
		}
		others, want := len(filter(t, table, "!"+bucket.Term, nil)), table.Len()-bucket.Rows
		if !bucket.HasTwoEnds && others != want {
			t.Errorf("%s: !%s finds %d rows, want the %d others", bucket.Label, bucket.Term, others, want)
		}
	}
	if all != table.Len() {
		t.Errorf("%d rows are counted of %d: %+v", all, table.Len(), d)
	}
	return d
}

func counts(d lists.Distribution) (all []string) {
	for _, bucket := range d.Buckets {
		all = append(all, fmt.Sprintf("%s: %d", bucket.Label, bucket.Rows))
	}
	return all
}

// rowsOf makes a record with a member of each value.
func rowsOf(name string, values ...string) string {
	var body strings.Builder
	for _, value := range values {
		fmt.Fprintf(&body, "{%q:%s}\n", name, value)
	}
	return body.String()
}

func TestSizesAreCountedByTheirMagnitude(t *testing.T) {
	sizes := []string{"0", "1", "12", "999", "1000", "50000", "5", "7", "123456789", "999999999", "1000000000", "142838469126874026", "25000000000000000000", "2500000000000000000000", "null"}
	want := []string{
		"0: 1", "1 B – 10 B: 3", "10 B – 100 B: 1", "100 B – 1 kB: 1", "1 kB – 10 kB: 1", "10 kB – 100 kB: 1",
		"100 MB – 1 GB: 2", "1 GB – 10 GB: 1", "100 PB – 1 EB: 1", "10 EB – 100 EB: 1", "1,000 EB – 10,000 EB: 1",
	}
	d := distribution(t, parse(t, rowsOf("DiskUsage", sizes...)), "DiskUsage")
	if diff := cmp.Diff(want, counts(d)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if term := d.Buckets[5].Term; term != "Disk>=10kB Disk<100kB" || !d.Buckets[5].HasTwoEnds {
		t.Errorf("what finds sizes above 10 kB is %q", term)
	}
}

func TestNumbersAreCountedOnBothSidesOfZero(t *testing.T) {
	numbers := []string{"0", "-0.0", "-1", "-15000", "-10000", "1.5", "0.25", "2e20", "-3e-9", "99999", "10000", "1e400", "7", "null"}
	want := []string{"below 0: 4", "0: 2", "0 – 1: 1", "1 – 10: 2", "10,000 – 100,000: 2", "1e20 – 1e21: 1"}
	body := strings.Replace(rowsOf("n", numbers...), `{"n":-15000}`, `{"n":-15000.75}`, 1)
	d := distribution(t, parse(t, body), "n")
	if diff := cmp.Diff(want, counts(d)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if d.OtherRows != 1 || d.Nulls.Rows != 1 {
		t.Errorf("%d other rows, %d nulls; want one each", d.OtherRows, d.Nulls.Rows)
	}
}

func TestTimesAreCountedByWhatFitsThem(t *testing.T) {
	for _, test := range []struct {
		name   string
		step   time.Duration
		labels []string // the first and the last one
		count  int
	}{
		{"days", 7 * time.Hour, []string{"2020-01-01", "2020-01-06"}, 6},
		{"months", 20 * 24 * time.Hour, []string{"2020-01", "2021-01"}, 13},
		{"years", 300 * 24 * time.Hour, []string{"2020", "2035"}, 16},
		{"many years", 3000 * 24 * time.Hour, []string{"2020", "2176"}, 20},
	} {
		t.Run(test.name, func(t *testing.T) {
			var times, ticks []string
			for i := range 20 {
				at := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(i) * test.step)
				times = append(times, at.Format(`"2006-01-02T15:04:05Z"`))
				ticks = append(ticks, fmt.Sprint((at.Unix()+62_135_596_800)*10_000_000))
			}
			for name, values := range map[string][]string{"at": append(times, "null", `"0001-01-01T00:00:00Z"`), "tick": append(ticks, "0", "null")} {
				d := distribution(t, parse(t, rowsOf(name, values...)+"{}"), name)
				last := d.Buckets[len(d.Buckets)-1]
				if !d.Ranges || len(d.Buckets) != test.count+1 || d.Buckets[0].Label != "never" || d.Buckets[1].Label != test.labels[0] || last.Label != test.labels[1] {
					t.Errorf("the times of %s are counted as %q", name, counts(d))
				}
			}
		})
	}
}

func TestTheYearOneIsAYear(t *testing.T) {
	times := []string{`"0001-01-01"`, `"2020-05-05"`}
	for day := range 20 {
		times = append(times, fmt.Sprintf(`"0001-03-%02d"`, day+1))
	}
	want := []string{"never: 1", "0001: 20", "2020: 1"}
	if diff := cmp.Diff(want, counts(distribution(t, parse(t, rowsOf("at", times...)), "at"))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A time that is not set is shown as never, and found by that word.
func TestTimesThatAreNotSetAreFoundByWhatTheyAreShownAs(t *testing.T) {
	for name, values := range map[string][]string{
		"at":   {`"2020-01-01T00:00:00Z"`, `"0001-01-01T00:00:00Z"`, "null", `"0001-01-01T00:00:00"`},
		"tick": {"637134336000000000", "0", "null", "0"},
	} {
		table := parse(t, rowsOf(name, values...)+"{}")
		for spelling, want := range map[string][]int32{
			name + "=never":       {1, 3},
			name + ": Never":      {1, 3},
			name + "!=never":      {0, 2, 4},
			name + "=never|null":  {1, 2, 3},
			name + "=never|2020":  {0, 1, 3},
			"!" + name + "=never": {0, 2, 4},
		} {
			query := table.Query(spelling, thursday)
			if n, ok := query.Misunderstood(); ok {
				t.Errorf("%q is not understood: %v", spelling, n)
			}
			if got := search(t, table, query); !slices.Equal(got, want) {
				t.Errorf("%q finds %v, want %v", spelling, got, want)
			}
		}
	}
}

func TestValuesOfWhichEachIsOneAreNotListed(t *testing.T) {
	var names []string
	for i := range 200 {
		names = append(names, fmt.Sprintf(`"name %d"`, i))
	}
	d := distribution(t, parse(t, rowsOf("Name", append(names, `"again"`, `"again"`)...)), "Name")
	if len(d.Buckets) != 1 || d.OtherValues != 200 || d.OtherRows != 200 || d.Ranges {
		t.Errorf("the names are counted as %+v", d)
	}
	if d := distribution(t, parse(t, rowsOf("Name", names[:20]...)), "Name"); len(d.Buckets) != 20 || d.OtherRows != 0 {
		t.Errorf("few names are counted as %+v", d)
	}
}

func TestBucketsAreInTheOrderOfValues(t *testing.T) {
	d := distribution(t, parse(t, rowsOf("CompanyId", "10", "9", "9", `"b"`, `"A"`, "11", "11", "11")), "CompanyId")
	if diff := cmp.Diff([]string{"9: 2", "10: 1", "11: 3", "A: 1", "b: 1"}, counts(d)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestValuesAreCountedByWhatPeopleRead(t *testing.T) {
	const body = `[{"v":"b"},{"v":"a"},{"v":"\u0061"},{"v":null},{},{"v":"A"},{"v":1},{"v":1.0},{"v":"1"},{"v":1},` +
		`{"v":[1, "x y"]},{"v":[1]},{"v":[1,"xy"]},{"v":{}},{"v":{ }},{"v":true},{"v":""},{"v":"a"},{"v":null},{"v":"null"},{"v":"Missing"},` +
		`{"v":"=x"},{"v":"say \"\\\""},{"v":"\ud800"},{"v":"\u202e"}]`
	d := distribution(t, parse(t, body), "V")
	want := []string{
		"1  1: 3", "1.0: 1", ": 1", "=x: 1", "1  [1]: 1", "2: 2", "a: 4", "b: 1", "Missing: 1", "null: 1", `say "\": 1`, "yes: 1", "{}: 2", "\u202e: 1", "\uFFFD: 1",
	}
	if diff := cmp.Diff(want, counts(d)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if d.Nulls.Rows != 2 || d.Missing.Rows != 1 || d.OtherValues != 0 {
		t.Errorf("%d nulls, %d missing, %d other values", d.Nulls.Rows, d.Missing.Rows, d.OtherValues)
	}
	for _, bucket := range d.Buckets {
		if strings.ContainsFunc(bucket.Term, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Errorf("%q cannot be shown", bucket.Term)
		}
	}
}

func TestTheSizesOfEachValueAreAddedUp(t *testing.T) {
	table := parse(t, `[{"Owner":"ann","DiskUsage":5,"At":"2020-01-01T00:00:00Z"},{"Owner":"ben","DiskUsage":18446744073709551615,"At":"2021-01-01T00:00:00Z"},`+
		`{"Owner":"Ann","DiskUsage":7,"At":"2020-02-01T00:00:00Z"},{"Owner":"ben","DiskUsage":1,"At":"2023-07-01T00:00:00Z"},{"Owner":null,"DiskUsage":9,"At":null},{"DiskUsage":11},{"Owner":"cy","DiskUsage":null}]`)
	for label, want := range map[string][]string{
		"Owner": {"ann: 12", "ben: 18446744073709551616", "cy: 0", "null: 9", "missing: 11"},
		"At":    {"2020-01-01 00:00: 5", "2020-02-01 00:00: 7", "2021-01-01 00:00: 18446744073709551615", "2023-07-01 00:00: 1", "null: 9", "missing: 11"},
	} {
		d := distribution(t, table, label)
		var got []string
		for _, bucket := range d.Buckets {
			got = append(got, bucket.Label+": "+bucket.Size.String())
		}
		got = append(got, "null: "+d.Nulls.Size.String(), "missing: "+d.Missing.Size.String())
		if diff := cmp.Diff(want, got); diff != "" || d.Sizes == nil || d.Sizes.Label != "Disk" {
			t.Errorf("%s: the sizes of %v (-want +got):\n%s", label, d.Sizes, diff)
		}
	}
	var sizes []string
	for size := range 100 {
		sizes = append(sizes, fmt.Sprint(size))
	}
	ranges := distribution(t, parse(t, rowsOf("DiskUsage", sizes...)), "DiskUsage").Buckets
	if last := ranges[len(ranges)-1]; last.Label != "10 B – 100 B" || last.Size.String() != "4905" { // 10 + 11 + … + 99
		t.Errorf("the sizes of a range are %+v", last)
	}
	if d := distribution(t, parse(t, rowsOf("Name", `"a"`, `"a"`)), "Name"); d.Sizes != nil || d.Buckets[0].Size != nil {
		t.Errorf("records without sizes have %+v", d)
	}
}

func BenchmarkDistribution(b *testing.B) {
	for _, name := range []string{"ShareDefault.Owner", "SpaceUsage.DiskUsage", "ShareTick", "Id"} {
		b.Run(name, func(b *testing.B) {
			benchmark(b, func(b *testing.B, table *lists.Table) {
				var column lists.ColumnInfo
				for _, c := range table.DisplayColumns() {
					if c.Name == name {
						column = c
					}
				}
				for b.Loop() {
					if _, err := table.Distribution(b.Context(), nil, column, lists.Format{}, 100); err != nil {
						b.Fatal(err)
					}
				}
			})
		})
	}
}
