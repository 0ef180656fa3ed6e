package browse

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/lists"
	"gatehouse/internal/testkit"
	"gatehouse/internal/testkit/uitest"
	"gatehouse/ui/screen"
)

// valuesOf opens the values of the first column of records.
func valuesOf(t *testing.T, body string) *values {
	v := listOf(t, body).newValues(0)
	v.Init()().(screen.Addressed).Take()
	return v
}

// owners are people, with names in many scripts.
func owners(t *testing.T) *values {
	v := listOf(t, `[{"Owner":"x"}]`).newValues(0)
	counts := lists.Distribution{Nulls: lists.Bucket{Rows: 8_000}, Missing: lists.Bucket{Rows: 120}, OtherValues: 880, OtherRows: 900}
	for i, name := range []string{"Lars Jensen", "東京オフィス", "مرحبا \u202e\x1b[31m", "", "null"} {
		counts.Buckets = append(counts.Buckets, lists.Bucket{Label: name, Rows: 40_000 / (i + 1), Term: "owner=" + name})
	}
	v.among = make([]int32, 100_000)
	v.counted(counted{Distribution: counts})
	return v
}

func TestTheValuesLookAsRecorded(t *testing.T) {
	v := owners(t)
	pressOn(t, v, "down")
	for _, size := range []struct{ width, height int }{{80, 24}, {120, 40}, {40, 10}} {
		testkit.Golden(t, fmt.Sprintf("groups-%dx%d", size.width, size.height), ansi.Strip(uitest.Drawn(v, size.width, size.height))+"\n")
	}
}

func TestTheValuesHaveTheSizeThatWasAskedFor(t *testing.T) {
	waiting, failed := listOf(t, `[{"Owner":"x"}]`).newValues(0), owners(t)
	failed.failure = "The list was loaded anew meanwhile."
	for _, v := range []*values{waiting, failed, valuesOf(t, `[{"Owner":"x"}]`)} {
		requireSizes(t, v)
	}
	if got := uitest.Drawn(waiting, 60, 3); !strings.Contains(got, "Counting the values of Owner…") {
		t.Errorf("%q", got)
	}
	if got := uitest.Drawn(failed, 80, 3); !strings.Contains(got, "✗ The values of Owner could not be counted.") {
		t.Errorf("%q", got)
	}
	if got := uitest.Drawn(owners(t), 60, 9); strings.Contains(got, "…") {
		t.Errorf("bars are cut:\n%s", got)
	}
	waiting.View().Wheel(3)
	uitest.ClickOn(waiting, 60, 3, 1, 1)
}

func TestNoValueLooksLikeAnother(t *testing.T) {
	v := valuesOf(t, `[{"Owner":"null"},{"Owner":null},{"Owner":""},{"Away":1},{"Owner":"x"}]`)
	lines := strings.Split(ansi.Strip(uitest.Drawn(v, 60, 8)), "\n")[1:6]
	for i, line := range lines {
		lines[i] = strings.Trim(line, " ▌")
	}
	slices.Sort(lines)
	if len(slices.Compact(lines)) != 5 {
		t.Errorf("two of these look the same:\n%s", strings.Join(lines, "\n"))
	}
}

// A bar that does not fit the figure beside it misleads.
func TestTheBarsShowWhatTheValuesAreSortedBy(t *testing.T) {
	v := valuesOf(t, `[{"Owner":"ada","DiskUsage":1000},{"Owner":"ada","DiskUsage":1000},{"Owner":"ben","DiskUsage":123456789012345678901234},{"Owner":"cy","DiskUsage":0}]`)
	bars := func() map[string]int {
		cells := map[string]int{}
		for line := range strings.Lines(ansi.Strip(uitest.Drawn(v, 80, 8))) {
			for _, owner := range []string{"ada", "ben", "cy"} {
				if strings.Contains(line, owner) {
					cells[owner] = strings.Count(line, v.theme.Glyphs.BarFull)
				}
			}
		}
		return cells
	}
	if got := bars(); got["ben"] == 0 || got["ada"] != 2*got["ben"] || got["cy"] != got["ben"] {
		t.Errorf("by rows the bars have %v cells", got)
	}
	longest := bars()["ada"]
	pressOn(t, v, "s")
	if got, want := bars(), (map[string]int{"ben": longest, "ada": 1, "cy": 0}); !maps.Equal(got, want) {
		t.Errorf("by size the bars have %v cells, want %v", got, want)
	}
}

func TestTheSizesAreMarkedAsSortedWhateverTheirColumnIsCalled(t *testing.T) {
	for _, name := range []string{headRows, headValue, "Disk"} {
		v := valuesOf(t, `[{"Owner":"ada","DiskUsage":1000},{"Owner":"ada","DiskUsage":1000},{"Owner":"ben","DiskUsage":5000}]`)
		v.counts.Sizes.Label = name
		pressOn(t, v, "s")
		headings, _, _ := strings.Cut(ansi.Strip(uitest.Drawn(v, 80, 8)), "\n")
		if got := strings.TrimSpace(headings); !strings.HasSuffix(got, "%  "+name+" ▼") {
			t.Errorf("by the sizes %q, the headings are %q", name, got)
		}
	}
}

func TestSumsBelowZeroComeAfterAllOthers(t *testing.T) {
	// A column of sizes has none below 0 in the rows that show what it is.
	body := strings.Repeat(`{"Owner":"cy","DiskUsage":1000}`+"\n", 2000) +
		`{"Owner":"ada","DiskUsage":-20}{"Owner":"ben","DiskUsage":-3}{"Owner":"dee","DiskUsage":0}{"Owner":"eve","DiskUsage":-100}`
	v := valuesOf(t, body)
	pressOn(t, v, "s")
	want := []string{"cy 2.0 MB", "dee 0 B", "ben -3", "ada -20", "eve -100"}
	var got []string
	for at := range v.grid.Len() {
		row, _ := v.grid.At(at)
		got = append(got, v.items[row].name()+" "+v.items[row].sum())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("by the sum of sizes (-want +got):\n%s", diff)
	}
	for _, i := range v.items {
		if hasBar := v.barCells(i) > 0; hasBar != (i.Text == "cy") {
			t.Errorf("%s has a bar of %d cells", i.Text, v.barCells(i))
		}
	}
}

func TestPartsAreWrittenAsPercent(t *testing.T) {
	for _, tt := range []struct {
		part, whole int
		want        string
	}{{1, 2, "50.0"}, {1, 3, "33.3"}, {2, 3, "66.7"}, {1, 100_000, "<0.1"}, {5, 5, "100.0"}} {
		if got := percent(tt.part, tt.whole); got != tt.want {
			t.Errorf("%d of %d is %q, want %q", tt.part, tt.whole, got, tt.want)
		}
	}
}

func TestAValueBecomesAFilter(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := openShares(t, s, uitest.NewDrip(uitest.Library(61), uitest.Whole), 100, 24)
		toColumn(d, "Owner")
		d.Press("b")
		d.Expect("3 values", "▌ ann@harbor.example")
		d.Press("down", "enter")
		d.Expect("/ Owner=ben@harbor.example", "20 of 61 shares")
		d.Press("esc", "b")
		d.Expect("3 values")
		d.Press("x")
		d.Expect("/ !Owner=ann@harbor.example", "40 of 61 shares")
	})
}

func TestAColumnInWhichEachValueOccursOnceSaysSo(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := openShares(t, s, uitest.NewDrip(uitest.Library(1831), uitest.Whole), 80, 24)
		d.Press("b").Expect("Owner · 3 values").Press("right").Expect("Created · ")
		d.Press("left", "left")
		d.Expect("Name · 1,831 values", "Each value occurs once", "Filter the list with /")
		d.Press("left")
		requireSaid(d, "this is the first column")
		d.Gone("There are no rows").Gone("no rows").Gone("other values")
		d.Golden("browse/values-each-once")
		d.Press("/", "7", "7", "7")
		d.Expect("/ 777", "4 of 1,831 shares")
		d.Gone("1,831 values")
	})
}

func TestAValueIsCopiedAsItWasSent(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		body := `[{"Name":"a","Size":3538},{"Name":"b","Size":3538},{"Name":"c","Size":null}]`
		d := openShares(t, s, uitest.NewDrip([]byte(body), uitest.Whole), 100, 24)
		for d.Settle(); marked(d) != "Size"; {
			d.Press("right")
		}
		d.Press("b").Expect("▌ 3.5 kB")
		d.Press("Y")
		requireTold(d, uitest.Copy{Text: "3538", What: "the value"})
		d.Press("down", "Y")
		requireTold(d, uitest.Say{Text: "Not copied: there is no value in these rows."})
	})
}

func TestValuesAreFiltered(t *testing.T) {
	var body strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&body, `,{"Name":"%d","Owner":"owner-%03d@harbor.example"}`, i, i%1000)
	}
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := openShares(t, s, uitest.NewDrip([]byte("["+body.String()[1:]+"]"), uitest.Whole), 80, 24)
		toColumn(d, "Owner")
		d.Press("b").Expect("Owner · 1,000 values")
		d.Press("/", "R", "-", "9", "9").Expect("/ R-99", "row 1 of 10", "owner-990@")
		d.Press("enter", "esc").Expect("row 1 of 1,000").Press("/", "z", "z").Expect("Nothing here matches the filter.")
		d.Press("ctrl+u", "-", "7", "4", "1", "enter", "enter").Expect("/ Owner=owner-741@harbor.example", "2 of 2,000 shares")
	})
}

func TestTheSizesOfValuesAreAddedUpAndSorted(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		body := `[{"Name":"a","Owner":"ann","DiskUsage":1000},{"Name":"b","Owner":"ann","DiskUsage":500},{"Name":"c","Owner":"ann","DiskUsage":1},` +
			`{"Name":"d","Owner":"ben","DiskUsage":90000},{"Name":"e","Owner":"ben","DiskUsage":10000},{"Name":"f","Owner":"cleo","DiskUsage":20000}]`
		d := openShares(t, s, uitest.NewDrip([]byte(body), uitest.Whole), 100, 24)
		toColumn(d, "Owner")
		d.Press("b").Expect("Rows", "Disk", "▌ ann", "1.5 kB", "100.0 kB", "20.0 kB", "Rows ▼")
		d.Press("s", "g").Expect("▌ ben", "Disk ▼")
		d.Press("s", "g").Expect("▌ ann", "Value ▲")
		d.Press("s", "esc", "/")
		d.Type("disk>=10000")
		d.Press("enter", "b").Expect("Owner · 2 values", "▌ ben", "100.0 kB", "20.0 kB").Gone("1.5 kB")
	})
}

func TestNullsAreValuesToo(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		body := `[{"Name":"a","Note":"x"},{"Name":"b","Note":null},{"Name":"c"},{"Name":"d","Note":null}]`
		d := openShares(t, s, uitest.NewDrip([]byte(body), uitest.Whole), 100, 24)
		d.Press("right", "b")
		d.Expect("1 value", "null")
		d.Press("g", "enter")
		d.Expect("/ Note=null", "2 of 4 shares")
	})
}
