package browse

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"gatehouse/internal/records"
	"gatehouse/styles"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

var noon = time.Date(2026, time.March, 2, 12, 0, 0, 0, time.UTC)

func testEnv(t testing.TB) *screen.Env {
	return &screen.Env{Context: t.Context(), Theme: styles.New(styles.Options{}), Keys: screen.DefaultKeys(), Now: func() time.Time { return noon }}
}

// tableOf is records with names of a few letters.
func tableOf(t testing.TB, rows int) *records.Table {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	for range rows {
		fmt.Fprintf(&b, "{\"Name\":\"%c%c%c\",\"N\":%d}\n", 'a'+random.IntN(4), 'a'+random.IntN(4), 'a'+random.IntN(4), random.IntN(1000))
	}
	table, err := records.Parse(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// findAll goes through all stretches.
func findAll(t testing.TB, f *finder) []int32 {
	t.Helper()
	for more := true; more; {
		var err error
		if more, err = f.next(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return f.found.rows
}

func TestAFilterThatIsTypedFindsWhatItFindsAtOnce(t *testing.T) {
	env := testEnv(t)
	s := newSource(newJob(env, nil, nil), tableOf(t, 100_000))
	var before *filtered
	for _, text := range []string{"a", "ab", "ab n>5", "ab n>500", "ab", "!ab", "!ab c", "zz", "zz a", ""} {
		f := &finder{source: s, text: text, now: noon, before: before}
		got := findAll(t, f)
		want, err := s.table.Filter(t.Context(), text, nil)
		if err != nil {
			t.Fatal(err)
		}
		if text == "" {
			want = nil
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q finds %d rows, want %d", text, len(got), len(want))
		}
		before = &f.found
	}
}

func TestAFilterLooksAtNewRowsAlone(t *testing.T) {
	env := testEnv(t)
	body := []byte(`[{"Name":"ab"},{"Name":"b"},{"Name":"ab"},{"Name":"ab"}]`)
	stream := records.NewStream(-1)
	j := newJob(env, nil, nil)
	reader := &pieces{body: body, cut: bytes.LastIndexByte(body, '{')}
	var growing *source
	reader.between = func() { growing = newSource(j, stream.Table()) }
	if _, err := stream.ReadFrom(reader); err != nil {
		t.Fatal(err)
	}
	first := &finder{source: growing, text: "ab", now: noon}
	if got := findAll(t, first); !slices.Equal(got, []int32{0, 2}) {
		t.Fatalf("found %v of %d rows", got, growing.Len())
	}
	then := &finder{source: newSource(j, stream.Table()), text: "ab", now: noon, before: &first.found}
	if got := findAll(t, then); !slices.Equal(got, []int32{0, 2, 3}) || !slices.Equal(then.known, []int32{0, 2}) {
		t.Fatalf("found %v, of which %v were known", got, then.known)
	}
}

// pieces is a body in two parts.
type pieces struct {
	body    []byte
	cut     int
	between func()
}

func (p *pieces) Read(dst []byte) (int, error) {
	if p.cut == 0 && p.between != nil {
		p.between()
		p.between = nil
	}
	n := p.cut
	if n == 0 {
		n = len(p.body)
	}
	n = copy(dst, p.body[:n])
	p.body, p.cut = p.body[n:], max(p.cut-n, 0)
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

func TestWhatIsPickedFromAllIsInTheOrderOfASort(t *testing.T) {
	env := testEnv(t)
	table := tableOf(t, 3*sortedAtOnce)
	s := newSource(newJob(env, nil, nil), table)
	for _, text := range []string{"", "a", "abc"} {
		rows, err := table.Filter(t.Context(), text, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, descending := range []bool{false, true} {
			order := &sorter{source: s, column: s.index("N"), descending: descending}
			got, err := order.ordered(t.Context(), rows)
			if err != nil {
				t.Fatal(err)
			}
			want := slices.Clone(rows)
			if err := table.Sort(t.Context(), want, s.from[order.column], descending); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%q, descending %v: another order", text, descending)
			}
			if picked := order.all != nil; picked != (len(rows) > sortedAtOnce) {
				t.Errorf("%q: %d rows were picked: %v", text, len(rows), picked)
			}
		}
	}
}

func TestValuesAreShownInTheWayOfTheirColumn(t *testing.T) {
	env := testEnv(t)
	body := `[{"Created":"2024-05-01T14:03:59Z","Tick":637227868322137560,"TickTime":637227868322137560,"Size":1234567890,"Open":true,"Tags":[1,[2,3]],"Mail":"a@b.example","Id":"9007199254740993000","Text":"","Big":123456789012345678901}]`
	table, err := records.Parse([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	s := newSource(newJob(env, nil, nil), table)
	got := map[string]string{}
	for i, cell := range s.Cells(0, nil) {
		got[s.title(i)] = cell.Text
		if cell.State == grid.Empty {
			got[s.title(i)] = "empty"
		}
	}
	for title, want := range map[string]string{
		"Created": "2024-05-01 14:03", "Tick": "2020-04-18 06:07", "Size": "1.2 GB", "Open": "✓", "Tags": "2",
		"Mail": "a@b.example", "Id": "9007199254740993000", "Text": "empty", "Big": "123456789012345678901",
	} {
		if got[title] != want {
			t.Errorf("%s is shown as %q, want %q", title, got[title], want)
		}
	}
}

func TestTimesThatNeverCameAreADash(t *testing.T) {
	env := testEnv(t)
	table, err := records.Parse([]byte(`[{"LastLogin":"0001-01-01T00:00:00","Tick":0},{"LastLogin":"2024-05-01","Tick":637227868322137560}]`))
	if err != nil {
		t.Fatal(err)
	}
	for i, cell := range newSource(newJob(env, nil, nil), table).Cells(0, nil) {
		if cell.Text != unset {
			t.Errorf("column %d is shown as %q", i, cell.Text)
		}
	}
}

func TestASumOfSizesIsRoundedAsASizeIs(t *testing.T) {
	for total, want := range map[string]string{
		"1500":                      "1.5 kB",
		"1500.5":                    "1.5 kB",
		"12345678901234567.5":       "12.3 PB",
		"292392550999868570123":     "292.4 EB",
		"1234567890123456789012345": "1,234,567.9 EB",
	} {
		if got := totalSize(total); got != want {
			t.Errorf("totalSize(%s) = %q, want %q", total, got, want)
		}
	}
}
