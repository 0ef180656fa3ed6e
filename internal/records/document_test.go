package records

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
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
	var found []jsonscan.Span
	for _, record := range table.records {
		found = append(found, record.span(body))
	}
	if diff := cmp.Diff(records, found); diff != "" {
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
	} {
		_, err := parseMost([]byte(test.body), most)
		wrong, ok := errors.AsType[*jsonscan.SyntaxError](err)
		if ok != (test.reason != "") || ok && wrong.Reason != test.reason {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// This file finds the records of a body in the plain way: after the whole body, and
// without a memory of how earlier records went. [Parse] must find the same.

func plainParse(body []byte) (records []jsonscan.Span, columns schema, message string, err error) {
	values, err := plainScan(body)
	if err != nil {
		return nil, schema{}, "", err
	}
	records, message = plainRecords(body, values)
	columns = newSchema()
	for _, record := range records {
		columns.learn(record.Of(body))
	}
	return records, columns, message, nil
}

// plainScan returns the values, one or several, that the body is.
func plainScan(body []byte) (values []jsonscan.Span, err error) {
	s := jsonscan.Scanner{Text: body, MaxDepth: maxNesting}
	if bytes.HasPrefix(body, []byte(jsonscan.ByteOrderMark)) {
		s.At = len(jsonscan.ByteOrderMark)
	}
	for !s.AtEnd() {
		start := s.At
		if err := s.Value(); err != nil {
			return nil, err
		}
		values = append(values, jsonscan.Span{Start: start, End: s.At})
	}
	if len(values) == 0 {
		return nil, jsonscan.NewSyntaxError(nil, 0, "the body is empty")
	}
	return values, nil
}

// plainRecords finds the records among the top-level values of the body, and
// the message beside them if they stand in an envelope.
func plainRecords(body []byte, values []jsonscan.Span) ([]jsonscan.Span, string) {
	if len(values) != 1 {
		return values, ""
	}
	top := values[0].Start
	switch body[top] {
	case 'n':
		return nil, ""
	case '[':
		return plainElements(body, top), ""
	case '{':
		if list, ok := plainList(body, top); ok {
			return plainElements(body, list), plainMessage(body, top)
		}
	}
	return values, ""
}

// plainList returns where the list of records of the object begins.
func plainList(body []byte, object int) (list int, ok bool) {
	var arrays, named int
	var only, preferred int
	for member := range jsonscan.Items(body, object) {
		if body[member.Value.Start] != '[' {
			continue
		}
		arrays, only = arrays+1, member.Value.Start
		if slices.Contains(listNames[:], strings.ToLower(string(jsonscan.Unquote(member.Name.Of(body))))) {
			named, preferred = named+1, member.Value.Start
		}
	}
	if arrays == 1 {
		return only, true
	}
	return preferred, named == 1
}

func plainMessage(body []byte, object int) string {
	for member := range jsonscan.Items(body, object) {
		var message string
		if string(jsonscan.Unquote(member.Name.Of(body))) == "Message" && json.Unmarshal(member.Value.Of(body), &message) == nil && message != "" {
			return message
		}
	}
	return ""
}

func plainElements(body []byte, array int) (elements []jsonscan.Span) {
	for element := range jsonscan.Items(body, array) {
		elements = append(elements, element.Value)
	}
	return elements
}

func TestCellsAreTheSameOnceTheKindsAreKnown(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	unique := 0
	for range 300 {
		table := mustParse(t, randomBody(random))
		before := make([][]Cell, table.Len())
		for row := range before {
			before[row] = table.Cells(row, nil)
		}
		if _, err := table.Kinds(t.Context()); err != nil {
			t.Fatal(err)
		}
		if table.kinds.unique.Load() {
			unique++
		}
		for row, cells := range before {
			for col, want := range cells {
				if got := table.Cell(row, col); !bytes.Equal(got.raw, want.raw) {
					t.Fatalf("row %d, column %d of %q is %q, want %q", row, col, table.body, got.raw, want.raw)
				}
			}
		}
	}
	if unique < 20 || unique > 280 {
		t.Errorf("%d of 300 bodies have no path twice, want some", unique)
	}
}

func TestAKeyIsToldFromANameBeforeItIsDecoded(t *testing.T) {
	names := []string{"", "a", "ab", "b", `\`, `\u0061`, `a\`, "é", "\uFFFD", "ü"}
	for _, quoted := range []string{`""`, `"a"`, `"ab"`, `"\u0061"`, `"\u0061b"`, `"\\"`, `"\\u0061"`, `"a\\"`, `"\u00e9"`, `"é"`, "\"\xff\"", `"\ud83d"`} {
		for _, name := range names {
			want := string(jsonscan.Unquote([]byte(quoted))) == name
			if end, got := jsonscan.MatchName([]byte(`{`+quoted+`:1}`), 1, name); got != want || end != 1+len(quoted) {
				t.Errorf("%s is %q: %t, up to %d; want %t, up to %d", quoted, name, got, end, want, 1+len(quoted))
			}
		}
	}
}
