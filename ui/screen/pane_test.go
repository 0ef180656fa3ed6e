package screen

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/text/safetext"
	"gatehouse/styles"
)

var dark = styles.New(styles.Options{})

func TestAPaneHasItsTextsInItsBorder(t *testing.T) {
	pane := Pane{Title: "4 domains", Note: "14 s ago", Foot: "row 1 of 4", FootRest: "12 more columns →", Padding: 1}
	got := ansi.Strip(pane.Draw(dark, "harbor.example\nminato.example is far too long for it", 34, 5))
	want := strings.Join([]string{
		"╭─ 4 domains ───────── 14 s ago ─╮",
		"│ harbor.example                 │",
		"│ minato.example is far too lon… │",
		"│                                │",
		"╰─────────────────── row 1 of 4 ─╯",
	}, "\n")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestAPaneFitsEverySize(t *testing.T) {
	texts := []Pane{{}, {Title: "a title"}, {Note: "a note"}, {Title: "a title", Note: "a note", Foot: "日本語 foot", Padding: 2}}
	for _, pane := range texts {
		for width := range 40 {
			for _, height := range []int{1, 2, 3, 9} {
				lines := strings.Split(pane.Draw(dark, "text\n日本語日本語日本語日本語", width, height), "\n")
				if len(lines) != height {
					t.Fatalf("%+v at %dx%d has %d lines", pane, width, height, len(lines))
				}
				for _, line := range lines {
					if w := safetext.Width(line); w != width && width >= 4 && height >= 2 {
						t.Errorf("%+v at %dx%d: %d cells: %q", pane, width, height, w, ansi.Strip(line))
					}
				}
			}
		}
	}
}

func TestWithoutUnicodeAPaneIsDrawnInASCII(t *testing.T) {
	plain := styles.New(styles.Options{ASCII: true})
	got := ansi.Strip(Pane{Title: "Gates"}.Draw(plain, Gauge(plain, plain.Good, 0.55, 10), 16, 3))
	if want := "+- Gates ------+\n|######....    |\n+--------------+"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestTheRowUnderTheCursorHasItsBarAndItsWidth(t *testing.T) {
	row := CursorRow(dark, " harbor "+dark.Good.Render("ok"), 20)
	if got, want := ansi.Strip(row), "▌ harbor ok         "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if !strings.Contains(row, dark.Good.SGR.Open+"ok") {
		t.Errorf("%q has lost a style", row)
	}
}

func TestBarsShowFractionsInHalves(t *testing.T) {
	for fraction, want := range map[float64]string{
		0: "    ", 0.01: "╸   ", 0.5: "━━  ", 0.6: "━━╸ ", 0.999: "━━━━", 1: "━━━━", 7: "━━━━", -1: "    ",
	} {
		if got := ansi.Strip(Bar(dark, dark.Good, fraction, 4)); got != want {
			t.Errorf("%v is %q, want %q", fraction, got, want)
		}
	}
	if got, want := ansi.Strip(Gauge(dark, dark.Good, 0.5, 4)), "━━──"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestLifeIsDrawnByItsUrgency(t *testing.T) {
	for fraction, style := range map[float64]string{1: dark.Good.Render("━━━━"), 0.1: dark.Warn.Render("━"), 0.001: dark.Bad.Render("━")} {
		if got := Life(dark, fraction, 4); !strings.HasPrefix(got, style) || safetext.Width(got) != 4 {
			t.Errorf("%v is %q", fraction, got)
		}
	}
}

func TestSectionsFitTheirWidth(t *testing.T) {
	if got, want := ansi.Strip(Section(dark, "People", 12)), "People ─────"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := ansi.Strip(Section(dark, "Everything else", 8)), "Everyth…"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestALinkLeadsOnlyToTheWebAndMail(t *testing.T) {
	for address, want := range map[string]string{
		"https://auth.harbor.example/a?b=c":                 "https://auth.harbor.example/a?b=c",
		"mailto:ada@harbor.example":                         "mailto:ada@harbor.example",
		"https://harbor.example/ü":                          "https://harbor.example/%C3%BC",
		"javascript:alert(1)":                               "",
		"file:///etc/passwd":                                "",
		"https://user:password@host.example":                "",
		"https://":                                          "",
		"https://host.example/\x1b]0;x\x07":                 "",
		"https://host.example/ a":                           "https://host.example/%20a",
		"https://host.example/" + strings.Repeat("a", 2000): "",
	} {
		if got := linkTarget(address); got != want {
			t.Errorf("%q leads to %q, want %q", address, got, want)
		}
	}
	if got := ansi.Strip(Link(dark, "the gateway", "https://host.example")); got != "the gateway" {
		t.Errorf("it shows %q", got)
	}
}
