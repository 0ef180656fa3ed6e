package browse

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/testkit"
	"gatehouse/internal/testkit/uitest"
	"gatehouse/styles"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

// owners are groups of shares, with names in many scripts.
func owners() valueCounts {
	g := valueCounts{Values: 977, Total: 100_000, Nulls: 8_000, Missing: 120}
	add := func(item valueCount) { g.Items = append(g.Items, item) }
	add(valueCount{Text: "Lars Jensen", Rows: 41_234, Term: `owner="Lars Jensen"`})
	add(valueCount{Text: "東京オフィス", Rows: 12_300, Term: "owner=東京オフィス"})
	add(valueCount{State: grid.Null, Rows: 8_000, Term: "owner=null"})
	add(valueCount{Text: "مرحبا \u202e\x1b[31m", Rows: 5_000})
	add(valueCount{State: grid.Empty, Rows: 900, Term: `owner=""`})
	add(valueCount{Text: "null", Rows: 500, Term: `owner="null"`})
	add(valueCount{State: grid.Missing, Rows: 120, Term: "owner=missing"})
	for i := range 90 {
		add(valueCount{Text: fmt.Sprintf("person.%d@harbor.example", i), Rows: 90 - i, Term: fmt.Sprintf("owner=person.%d@harbor.example", i)})
	}
	return g
}

// valuesStage is a list of values that writes down what it asks of its list.
type valuesStage struct {
	*valueList
	t     *testing.T
	asked []string
}

func newValuesStage(t *testing.T, o styles.Options) *valuesStage {
	p := &valuesStage{t: t}
	ask := func(what string) tea.Cmd {
		p.asked = append(p.asked, what)
		return nil
	}
	p.valueList = newValueList(styles.New(o), "owner", ask)
	return p
}

func ownersStage(t *testing.T, o styles.Options) *valuesStage {
	p := newValuesStage(t, o)
	p.show(owners())
	return p
}

// press deals keys out as the root of the UI does.
func (p *valuesStage) press(keys ...string) {
	p.t.Helper()
	for _, key := range keys {
		a, ok := screen.FindAction(screen.DefaultKeys().Fill(p.Actions()), key, p.Typing())
		switch {
		case ok && a.Enabled():
			a.Run()
		case ok:
			p.asked = append(p.asked, "not now: "+a.Reason)
		case p.Typing():
			p.Update(tea.KeyPressMsg{Code: []rune(key)[0], Text: key})
		default:
			p.t.Fatalf("nothing is bound to %q", key)
		}
	}
}

func TestTheValuesLookAsRecorded(t *testing.T) {
	for _, size := range []struct{ width, height int }{{80, 24}, {120, 40}, {40, 10}} {
		p := ownersStage(t, styles.Options{})
		p.press("down")
		name := fmt.Sprintf("groups-%dx%d", size.width, size.height)
		testkit.Golden(t, name, ansi.Strip(uitest.Draw(p, size.width, size.height))+"\n")
	}
}

func TestTheValuesHaveTheSizeThatWasAskedFor(t *testing.T) {
	waiting, failed, empty, found := newValuesStage(t, styles.Options{}), newValuesStage(t, styles.Options{}), newValuesStage(t, styles.Options{}), ownersStage(t, styles.Options{NoColor: true})
	failed.fail("The list was loaded anew meanwhile.")
	empty.show(valueCounts{})
	found.press("/", "o", "n")
	for _, p := range []*valuesStage{waiting, failed, empty, found, ownersStage(t, styles.Options{NoColor: true})} {
		for width := 1; width <= 140; width += 1 + width/10 {
			for _, height := range []int{1, 2, 5, 6, 10, 40} {
				lines := strings.Split(uitest.Draw(p, width, height), "\n")
				if len(lines) != height {
					t.Fatalf("%dx%d: %d lines", width, height, len(lines))
				}
				for _, line := range lines {
					if ansi.StringWidth(line) > width {
						t.Fatalf("%dx%d: %q is too wide", width, height, line)
					}
				}
			}
		}
	}
}

func TestAValueBecomesATermOfTheFilter(t *testing.T) {
	p := ownersStage(t, styles.Options{})
	p.press("enter", "j", "x", "j", "enter", "j", "x")
	want := []string{`owner="Lars Jensen"`, "!owner=東京オフィス", "owner=null", "not now: this value cannot be written as a filter"}
	if diff := cmp.Diff(want, p.asked); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestFindingAmongTheValues(t *testing.T) {
	p := ownersStage(t, styles.Options{})
	p.press("/", "n", "u", "l", "l", "enter")
	if got := p.grid.Len(); got != 2 {
		t.Errorf("%d values are found, want the null and the text", got)
	}
	p.press("down", "enter", "esc")
	if diff := cmp.Diff([]string{`owner="null"`}, p.asked); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got := p.grid.Len(); got != 97 {
		t.Errorf("esc leaves %d values", got)
	}
	p.press("/", "z", "z", "enter", "enter")
	if got := p.asked[len(p.asked)-1]; got != "not now: there is no value here to filter by" {
		t.Errorf("where nothing is found: %q", got)
	}
}

func TestClicksAndTheWheel(t *testing.T) {
	p := ownersStage(t, styles.Options{})
	uitest.Draw(p, 80, 24)
	p.Click(3, 3)
	uitest.Draw(p, 80, 24)
	if item, _ := p.selected(); item.Text != "東京オフィス" || len(p.asked) > 0 {
		t.Errorf("the first click is on %q and asks for %q", item.Text, p.asked)
	}
	p.Click(3, 3)
	p.Click(3, 0)
	if diff := cmp.Diff([]string{"owner=東京オフィス"}, p.asked); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	p.Wheel(0, 0, 5)
	uitest.Draw(p, 80, 24)
	if item, _ := p.selected(); item.Text != "null" {
		t.Errorf("the wheel leaves the cursor on %q", item.Text)
	}
	waiting := newValuesStage(t, styles.Options{})
	uitest.Draw(waiting, 80, 24)
	waiting.Wheel(0, 0, 3)
	if waiting.Click(1, 1); len(waiting.asked) > 0 {
		t.Errorf("a click while counting asks for %q", waiting.asked)
	}
}

func TestCountingLastsAndFails(t *testing.T) {
	p := newValuesStage(t, styles.Options{})
	if got := ansi.Strip(uitest.Draw(p, 60, 3)); !strings.HasPrefix(got, "counting the values of owner…") {
		t.Errorf("%q", got)
	}
	p.fail("Try again.")
	if got := ansi.Strip(uitest.Draw(p, 80, 3)); !strings.HasPrefix(got, "✗ The values of owner could not be counted. Try again.") {
		t.Errorf("%q", got)
	}
}

func TestNoValueLooksLikeAnother(t *testing.T) {
	p := newValuesStage(t, styles.Options{NoColor: true})
	p.show(valueCounts{Total: 4, Values: 2, Items: []valueCount{{Text: "null", Rows: 1}, {State: grid.Null, Rows: 1}, {State: grid.Empty, Rows: 1}, {State: grid.Missing, Rows: 1}, {Text: "x", Rows: 1}}})
	p.press("G")
	lines := strings.Split(uitest.Draw(p, 60, 8), "\n")[2:6]
	slices.Sort(lines)
	if len(slices.Compact(lines)) != 4 {
		t.Errorf("two of these look the same:\n%s", strings.Join(lines, "\n"))
	}
}

func TestSharesAndCounts(t *testing.T) {
	for _, tt := range []struct {
		part, whole int
		want        string
	}{{1, 2, "50.0"}, {1, 3, "33.3"}, {2, 3, "66.7"}, {1, 100_000, "<0.1"}, {0, 5, "0.0"}, {5, 5, "100.0"}, {1, 0, ""}} {
		if got := percent(tt.part, tt.whole); got != tt.want {
			t.Errorf("%d of %d is %q, want %q", tt.part, tt.whole, got, tt.want)
		}
	}
	for want, g := range map[string]valueCounts{
		"1 value":        {Values: 1},
		"100,000 values": {Values: 100_000},
		"0 values":       {},
	} {
		p := newValuesStage(t, styles.Options{})
		p.show(g)
		if pane, _, _ := p.Boxed(60, 20); pane.Title != "owner · "+want {
			t.Errorf("%q, want %q", pane.Title, want)
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
		d := openShares(t, s, uitest.NewDrip(uitest.Library(831), uitest.Whole), 80, 24)
		d.Press("b")
		d.Expect("Name · 831 values", "Each value occurs once", "Filter the list with /")
		d.Gone("There are no rows").Gone("no rows").Gone("other values")
		d.Golden("browse/values-each-once")
		d.Press("/", "7", "7", "7")
		d.Expect("/ 777", "2 of 831 shares")
		d.Gone("831 values")
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

func TestTheValuesTakeTheMouse(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := openShares(t, s, uitest.NewDrip(uitest.Library(60), uitest.Whole), 100, 24)
		d.Press("right", "b")
		d.Expect("3 values")
		d.Click("cho@harbor.example")
		d.Expect("▌ cho@harbor.example")
		d.Click("cho@harbor.example")
		d.Expect("/ Owner=cho@harbor.example")
	})
}

func TestValuesThatLookAlikeAreToldApart(t *testing.T) {
	body := `[{"Name":"a","Size":3538,"Created":"2024-05-01T03:40:56Z","Tags":["x","y"],"Owner":"ann","Code":1},
		{"Name":"b","Size":3512,"Created":"2024-05-01T03:40:57Z","Tags":["x","z"],"Owner":"ben","Code":"1"},
		{"Name":"c","Size":null,"Created":"2024-05-02T03:40:57Z","Tags":[],"Owner":"ben","Code":2}]`
	for _, test := range []struct {
		column string
		values []string
	}{
		{"Owner", []string{"▌ ben   ", " ann   "}},
		{"Size", []string{"3.5 kB  3538 ", "3.5 kB  3512 ", "null"}},
		{"Created", []string{`03:40  "2024-05-01T03:40:56Z"`, `03:40  "2024-05-01T03:40:57Z"`}},
	} {
		t.Run(test.column, uitest.InBubble(func(t *testing.T, s *uitest.Service) {
			d := openShares(t, s, uitest.NewDrip([]byte(body), uitest.Whole), 120, 24)
			for d.Settle(); marked(d) != test.column; {
				d.Press("right")
			}
			d.Press("b")
			d.Expect(test.values...)
		}))
	}
}
