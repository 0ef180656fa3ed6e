package lists

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"gatehouse/internal/text/jsonscan"
)

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

func TestACellIsTheFirstOfItsPath(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	for range 300 {
		table := mustParse(t, randomBody(random))
		for row := range table.Len() {
			for col, want := range table.Cells(row, nil) {
				if got := table.Cell(row, col); !bytes.Equal(got.raw, want.raw) {
					t.Fatalf("row %d, column %d of %q is %q, want %q", row, col, table.body, got.raw, want.raw)
				}
			}
		}
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

func TestAnEnvelopeWithoutAListHasNoRecords(t *testing.T) {
	for body, want := range map[string]int{
		`{"Data":null,"Message":"Ok.","ResponseInfo":{"ResponseCode":1}}`: 0,
		`{"message":"","data":null}`:                                      0,
		`{"Data":null,"Id":1}`:                                            1, // a record that has no data
		`{"Message":"Denied access."}`:                                    1,
		`{"Data":[],"Message":"Ok."}`:                                     0,
		`{"Data":[null],"Message":"Ok."}`:                                 1,
		`{"Data":null,"Message":"x","T":[1]}`:                             1, // the list is elsewhere
	} {
		stream := NewStream(-1)
		if _, err := stream.ReadFrom(bytes.NewReader([]byte(body))); err != nil || stream.Table().Len() != want {
			t.Errorf("%s: %d records, %v, want %d", body, stream.Table().Len(), err, want)
		}
	}
}
