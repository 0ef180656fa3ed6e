package cli

import (
	"encoding/json"
	"strings"
	"testing"
)

// longestWrite keeps what is written, and how much of it at once.
type longestWrite struct {
	text    strings.Builder
	longest int
}

func (w *longestWrite) Write(p []byte) (int, error) {
	w.longest = max(w.longest, len(p))
	return w.text.Write(p)
}

func TestALongLineIsMadeSafeInParts(t *testing.T) {
	for name, unit := range map[string]string{
		"plain": "a plain name ", "controls": "\u009b31m\u202e ", "marks": "e\u0301o\u0308 ", "no ASCII": "日本語\u202e", "marks alone": "\u0301",
	} {
		value := strings.Repeat(unit, 8*longLine/len(unit))
		line := `["` + value + `"]`
		var out longestWrite
		safe := &terminalJSON{out: &out}
		if _, err := safe.Write([]byte(line)); err != nil {
			t.Fatal(err)
		}
		if len(safe.pending) > longLine || cap(safe.pending) > 4*longLine {
			t.Errorf("%s: %d bytes are pending", name, len(safe.pending))
		}
		if err := safe.Close(); err != nil {
			t.Fatal(err)
		}
		var got []string
		if err := json.Unmarshal([]byte(out.text.String()), &got); err != nil || len(got) != 1 || got[0] != value {
			t.Errorf("%s: it is another value, %v", name, err)
		}
		if strings.Contains(unit, " ") && out.text.String() != safeJSON(line) {
			t.Errorf("%s: it is escaped in another way", name)
		}
		if out.longest > 3*longLine*len(safeJSON(unit))/len(unit) { // an escape takes more than what it stands for
			t.Errorf("%s: %d bytes are written at once", name, out.longest)
		}
	}
}
