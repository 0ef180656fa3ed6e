package fields

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestFieldsArePackedWhereThereIsLittleRoom(t *testing.T) {
	list := []Field{
		Fact("Host", "a.example"), Fact("Status", "429"), Fact("Request", strings.Repeat("long ", 9)), Fact("Proxy", "no"),
		{Label: "Known by", Text: "a sentence that goes on below its beginning, as it is long", Lines: 3},
	}
	for height, want := range map[int]string{
		8: "Host|Status|Request|Proxy|Known|it", 6: "Host|Status|Request|Proxy|Known|it",
		5: "Host+Status|Request|Proxy|Known|it", 4: "Host+Status|Request|Proxy|…", 3: "Host+Status|Request|…",
		1: "…",
	} {
		var got []string
		for line := range strings.SplitSeq(ansi.Strip(Pack(theme(), list, 60, height)), "\n") {
			word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
			if strings.Contains(line, "Host") && strings.Contains(line, "Status") {
				word += "+Status"
			}
			got = append(got, word)
			if ansi.StringWidth(line) > 60 {
				t.Errorf("in %d lines: %q is too wide", height, line)
			}
		}
		if strings.Join(got, "|") != want {
			t.Errorf("in %d lines: %q, want %q", height, strings.Join(got, "|"), want)
		}
	}
}

func TestAFieldThatIsCutInItsLastLineSaysSo(t *testing.T) {
	address := Field{Label: "Request", Text: "GET http://a.example/gateway/harbor.example/api/resellers/7d3c1b52-94e0-4f6a-8a1d-5b20c9e6f314/companies", Lines: 4}
	got := strings.Split(ansi.Strip(Pack(theme(), []Field{address}, 36, 9)), "\n")
	if len(got) != 4 || !strings.HasSuffix(got[3], "…") {
		t.Errorf("drawn %q", got)
	}
}

func TestAFieldThatGoesWithTheOneBeforeItStandsOnItsLine(t *testing.T) {
	beside := func(label, text string) Field {
		f := Fact(label, text)
		f.Beside = true
		return f
	}
	list := []Field{Fact("Code", "U105"), beside("Wipe", "no"), beside("Long", strings.Repeat("x", 50)), beside("A label that is long", "yes"), Fact("Host", "a.example")}
	want := " Code       U105   Wipe no\n Long       " + strings.Repeat("x", 47) + "…\n A label that is long  yes\n Host       a.example"
	if got := ansi.Strip(Pack(theme(), list, 60, 9)); got != want {
		t.Errorf("drawn\n%s\nwant\n%s", got, want)
	}
}
