package records

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"gatehouse/internal/jsonscan"
)

// plainSort compares decoded cells. [Table.Sort] must give the same order.
func plainSort(t *Table, rows []int32, col int, descending bool) {
	keys := make([]plainKey, len(rows))
	times := !slices.ContainsFunc(rows, func(row int32) bool {
		cell := t.Cell(int(row), col)
		_, ok := plainCellTime(cell)
		return !ok && cell.Kind() > Null
	})
	for i, row := range rows {
		keys[i] = newPlainKey(t.Cell(int(row), col), times)
		keys[i].row, keys[i].position = row, int32(i)
	}
	slices.SortFunc(keys, func(a, b plainKey) int { return a.compare(b, descending) })
	for i, key := range keys {
		rows[i] = key.row
	}
}

// rank orders cells that cannot be compared by value.
type rank uint8

const (
	rankNumber rank = iota
	rankTime
	rankText
	rankNull
	rankMissing
)

// plainKey is what the sort has to know of one row.
type plainKey struct {
	row      int32
	position int32 // before the sort
	rank     rank
	number   decimal
	instant  time.Time
	text     []byte // folded
}

func plainCellTime(c Cell) (time.Time, bool) {
	instant, _, ok := plainSpan(c.Text(), time.Time{})
	return instant, ok && c.Kind() == String && len(c.Text()) >= len("2020-01-01")
}

func newPlainKey(c Cell, times bool) plainKey {
	switch c.Kind() {
	case Missing:
		return plainKey{rank: rankMissing}
	case Null:
		return plainKey{rank: rankNull}
	case Number:
		return plainKey{rank: rankNumber, number: newDecimal(c.raw)}
	default:
		if times {
			instant, _ := plainCellTime(c)
			return plainKey{rank: rankTime, instant: instant}
		}
		return plainKey{rank: rankText, text: appendFolded(nil, []byte(c.Text()))}
	}
}

func (k plainKey) compare(other plainKey, descending bool) int {
	byValue := k.compareValue(other)
	if descending && k.hasValue() && other.hasValue() {
		byValue = -byValue
	}
	return cmp.Or(byValue, cmp.Compare(k.position, other.position))
}

func (k plainKey) hasValue() bool { return k.rank < rankNull }

func (k plainKey) compareValue(other plainKey) int {
	switch {
	case k.rank != other.rank:
		return cmp.Compare(k.rank, other.rank)
	case k.rank == rankNumber:
		return k.number.compare(other.number)
	case k.rank == rankTime:
		return k.instant.Compare(other.instant)
	default:
		return compareNatural(k.text, other.text)
	}
}

// compareNatural compares runs of digits by their value and all else by bytes.
func compareNatural(a, b []byte) int {
	for len(a) > 0 && len(b) > 0 {
		if jsonscan.IsDigit(a[0]) && jsonscan.IsDigit(b[0]) {
			var runA, runB []byte
			runA, a = cutDigits(a)
			runB, b = cutDigits(b)
			if c := cmp.Or(cmp.Compare(len(runA), len(runB)), bytes.Compare(runA, runB)); c != 0 {
				return c
			}
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

func TestSortOrdersAsAPlainSortDoes(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	number := func() string {
		return []string{
			fmt.Sprint(random.IntN(20) - 10),
			fmt.Sprint(635584236915068204 + random.Int64N(50)),
			fmt.Sprintf("%d.%d", random.IntN(3), random.IntN(100)),
			fmt.Sprintf("-%d%d", random.Uint64(), random.Uint64()),
			fmt.Sprintf("%de%d", random.IntN(100), random.IntN(700)-350),
			"-0", "0.0", "999999999999999999", "-99999999999999999", "-999999999999999999",
		}[random.IntN(10)]
	}
	text := func() string {
		pieces := []string{"a", "A", "0", "00", "7", "10", "é", "É", "/", ":", "\\u0000", "東", " ", "\\u00e9", strings.Repeat("9", 250+random.IntN(10))}
		var text strings.Builder
		for range random.IntN(6) {
			text.WriteString(pieces[random.IntN(len(pieces))])
		}
		return `"` + text.String() + `"`
	}
	integer := func() string { return fmt.Sprint(random.IntN(1000)) }
	mixed := func() string {
		return []func() string{number, text, func() string { return []string{"null", "true", "[1,2]", `{"b":1}`, "{}"}[random.IntN(5)] }}[random.IntN(3)]()
	}
	instant := func() string {
		day := fmt.Sprintf("20%02d-%02d-%02d", random.IntN(3), 1+random.IntN(12), 1+random.IntN(28))
		return []string{
			"null", `"` + day + `"`, `"` + day + `T10:00:00.1234567\u002B02:00"`, `"` + day + `T08:00:00.1234567Z"`,
			`"` + day + fmt.Sprintf(` 23:59:59.%d"`, random.IntN(1e10)),
		}[random.IntN(5)]
	}
	almostTime := func() string {
		if random.IntN(200) == 0 {
			return mixed()
		}
		return instant()
	}
	for name, value := range map[string]func() string{"times": instant, "almost times": almostTime, "numbers": number, "integers": integer, "texts": text, "mixed": mixed} {
		t.Run(name, func(t *testing.T) {
			for _, n := range []int{0, 1, 50, 300, 3*chunkSize + 100} {
				var body strings.Builder
				for range n {
					fmt.Fprintf(&body, "{\"a\":%s}\n", value())
				}
				if n == 0 {
					body.WriteString("[]")
				}
				checkSort(t, body.String(), random)
			}
		})
	}
}

func checkSort(t *testing.T, body string, random *rand.Rand) {
	t.Helper()
	table, err := Parse([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	for col := range table.columns.columns {
		for _, descending := range []bool{false, true} {
			rows := table.allRows()
			random.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
			want := slices.Clone(rows)
			plainSort(table, want, col, descending)
			if err := table.Sort(t.Context(), rows, col, descending); err != nil {
				t.Fatal(err)
			}
			for i := range rows {
				if rows[i] != want[i] {
					t.Fatalf("%d rows, descending %t: place %d has %s, want %s", len(rows), descending, i, table.Record(int(rows[i])), table.Record(int(want[i])))
				}
			}
		}
	}
}

func FuzzSort(f *testing.F) {
	for _, values := range []string{`1 1.0 -1e400 12345678901234567890`, `"a2" "a10" "A02" "a"`, `null true [1] {"a":1} "x"`} {
		f.Add([]byte(values), false)
	}
	f.Fuzz(func(t *testing.T, body []byte, descending bool) {
		table, err := Parse(body)
		if err != nil {
			return
		}
		for col := range table.columns.columns {
			rows := table.allRows()
			want := slices.Clone(rows)
			plainSort(table, want, col, descending)
			if err := table.Sort(t.Context(), rows, col, descending); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(rows, want) {
				t.Fatalf("column %d of %q, descending %t: %v, want %v", col, body, descending, rows, want)
			}
		}
	})
}
