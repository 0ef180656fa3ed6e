package records

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/jsonscan"
)

func TestParseFindsWhatAPlainScanFinds(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	refused := 0
	for range 1500 {
		body := randomBody(random)
		checkParse(t, body)
		spoilt := spoil(random, body)
		checkParse(t, spoilt)
		if _, err := Parse(spoilt); err != nil {
			refused++
		}
	}
	if refused < 500 || refused > 1450 {
		t.Errorf("%d of 1500 spoilt bodies are refused: too few or too many for a test", refused)
	}
}

func TestARecordLongerThanItsLocationCanSay(t *testing.T) {
	long := `{"a":"` + strings.Repeat("x", longRecord) + `"}`
	body := `[{"a":1},` + long + `,` + long[:longRecord-2] + `"},{"a":2}]`
	table, err := Parse([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	for row, want := range []int{7, longRecord + 8, longRecord, 7} {
		if got := len(table.Record(row)); got != want {
			t.Errorf("record %d has %d bytes, want %d", row, got, want)
		}
	}
}

func FuzzFoundRecords(f *testing.F) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		f.Add(randomBody(random))
	}
	f.Fuzz(checkParse)
}

// checkParse fails if the plain scan and Parse differ in anything.
func checkParse(t *testing.T, body []byte) {
	t.Helper()
	records, columns, message, wantErr := plainParse(body)
	table, err := Parse(body)
	if diff := cmp.Diff(fmt.Sprint(wantErr), fmt.Sprint(err)); diff != "" {
		t.Fatalf("error of %q (-want +got):\n%s", body, diff)
	}
	if err != nil {
		return
	}
	var places []jsonscan.Span
	for _, place := range table.records {
		places = append(places, place.span(body))
	}
	if diff := cmp.Diff(records, places, cmp.AllowUnexported(jsonscan.Span{})); diff != "" {
		t.Fatalf("records of %q (-want +got):\n%s", body, diff)
	}
	if diff := cmp.Diff(columns.paths, table.columns.paths); diff != "" || columns.truncated != table.columns.truncated {
		t.Fatalf("columns of %q (-want +got), truncated %t:\n%s", body, table.columns.truncated, diff)
	}
	if diff := cmp.Diff(message, table.Message()); diff != "" {
		t.Fatalf("message of %q (-want +got):\n%s", body, diff)
	}
}

// randomBody returns valid JSON of a shape that the interface might send.
func randomBody(random *rand.Rand) []byte {
	w := jsonWriter{random: random}
	records := func() { w.list(random.IntN(30), func() { w.value(3) }) }
	switch random.IntN(4) {
	case 0:
		records()
	case 1:
		for range 1 + random.IntN(10) {
			w.value(3)
			w.out.WriteByte('\n')
		}
	default:
		w.out.WriteString(`{"Message":"","Mess\u0061ge":"N\u006f.","Message":"Ok.","Data":`)
		records()
		if random.IntN(4) == 0 {
			w.out.WriteString(`,"tags":`)
			records()
		}
		w.out.WriteString(`,"Next":null}`)
	}
	return w.out.Bytes()
}

type jsonWriter struct {
	out    bytes.Buffer
	random *rand.Rand
}

func (w *jsonWriter) pick(texts ...string) { w.out.WriteString(texts[w.random.IntN(len(texts))]) }

func (w *jsonWriter) space() { w.pick("", "", "", "", " ", "\n  ") }

func (w *jsonWriter) value(depth int) {
	w.space()
	switch kind := w.random.IntN(10); {
	case depth > 0 && kind < 5:
		w.object(depth - 1)
	case depth > 0 && kind == 5:
		w.list(w.random.IntN(4), func() { w.value(depth - 1) })
	case kind < 8:
		w.pick(`"},{"`, `"Ann"`, `"\u0061nn \\ \"},{\""`, `"東京 Kelvin"`, `"ſharp İ K"`, `""`, `"a somewhat longer text"`)
	default:
		w.pick("0", "-1.5e+30", "12345678901234567890", "true", "false", "null", "{}", "[]", "{ }", "1e2")
	}
	w.space()
}

func (w *jsonWriter) object(depth int) {
	w.out.WriteByte('{')
	for i := range w.random.IntN(5) {
		if i > 0 {
			w.out.WriteByte(',')
		}
		w.space()
		w.pick(`"Id"`, `"Name"`, `"Size"`, `"\u0041"`, `"A"`, `""`, `"},{"`)
		w.space()
		w.out.WriteByte(':')
		w.value(depth)
	}
	w.out.WriteByte('}')
}

func (w *jsonWriter) list(length int, element func()) {
	w.out.WriteByte('[')
	for i := range length {
		if i > 0 {
			w.out.WriteByte(',')
		}
		element()
	}
	w.out.WriteByte(']')
}

// spoil changes, cuts out or doubles a few bytes, or cuts the body off.
func spoil(random *rand.Rand, body []byte) []byte {
	at := random.IntN(len(body))
	end := min(len(body), at+random.IntN(4))
	switch random.IntN(4) {
	case 0:
		return body[:at]
	case 1:
		return append(bytes.Clone(body[:at]), body[end:]...)
	case 2:
		return append(bytes.Clone(body[:end]), body[at:]...)
	default:
		spoilt := bytes.Clone(body)
		spoilt[at] = `{}[],:"\0a `[random.IntN(11)]
		return spoilt
	}
}

func TestThereAreBoundsToWhatIsRemembered(t *testing.T) {
	const most = 1000
	ofRecords := "more than 1,000 records"
	repeat := func(head, unit string, times int, tail string) string {
		return head + strings.Repeat(unit, times) + tail
	}
	for name, test := range map[string]struct{ body, reason string }{
		"as many numbers as may be": {repeat("[", "1,", most-1, "1]"), ""},
		"one number more":           {repeat("[", "1,", most, "1]"), ofRecords},
		"as many objects as may be": {repeat("[", "{},", most-1, "{}]"), ""},
		"one object more":           {repeat("[", "{},", most, "{}]"), ofRecords},
		"two lists":                 {repeat(`{"a":[`, "{},", most/2, "{}],") + repeat(`"b":[`, "{},", most/2, "{}]}"), ofRecords},
		"values one after another":  {repeat("", "{}\n", most+1, ""), ofRecords},
		"many members":              {repeat("{", `"a":1,`, maxMembers, `"b":2}`), "an object of more than 250,000 members"},
	} {
		_, err := parseMost([]byte(test.body), most)
		wrong, ok := errors.AsType[*jsonscan.SyntaxError](err)
		if ok != (test.reason != "") || ok && wrong.Reason != test.reason {
			t.Errorf("%s: %v", name, err)
		}
	}
}
