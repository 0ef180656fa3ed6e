package fields

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/testkit/uitest"
	"gatehouse/internal/text/secret"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

func TestMain(m *testing.M) { uitest.Main(m) }

func theme() *styles.Theme { return styles.New(styles.Options{}) }

func sample() []Group {
	return []Group{
		{Title: "Space", Fields: []Field{
			{Label: "Disk", Text: "19.4 MB", Role: Amount, Bar: &Bar{Part: 0.5}, Digits: "19,359,212", Path: "DiskUsage", Exact: "19359212", What: "DiskUsage"},
			{Label: "Quota", Text: "9.0 TB", Role: Amount, What: "quota"},
		}},
		{Title: "Text", Fields: []Field{
			{Text: "Nothing to select."},
			{Label: "Note", Text: strings.Repeat("long ", 40), What: "note"},
			{Label: "Web", Text: "https://a.example", URL: "https://a.example", Role: Lead, What: "address"},
		}},
	}
}

func TestGroupsAreDrawnAsFarAsThereIsRoom(t *testing.T) {
	for height, want := range map[int]string{
		1: "…", 2: "Space|…", 4: "Space|Disk|Quota|…", 7: "Space|Disk|Quota|Text|Nothing|Note|Web", 8: "Space|Disk|Quota|Text|Nothing|Note|long|Web",
		12: "Space|Disk|Quota||Text|Nothing|Note|long|long|long|Web",
	} {
		var got []string
		for line := range strings.SplitSeq(ansi.Strip(strings.Join(Lines(theme(), sample(), 60, height), "\n")), "\n") {
			word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
			got = append(got, word)
		}
		if strings.Join(got, "|") != want {
			t.Errorf("in %d lines: %q, want %q", height, got, want)
		}
	}
}

func TestWhatStandsBehindGoesBeforeTheBarAndTheBarBeforeTheValue(t *testing.T) {
	for width, want := range map[int]string{
		60: "Disk       19.4 MB  ━━━━━━━━━━──────────  19,359,212",
		40: "Disk       19.4 MB  ━━━━━━━━━╸─────────",
		24: "Disk      19.4 MB",
		12: "Disk  19.4 …",
	} {
		if got := strings.Split(ansi.Strip(strings.Join(Lines(theme(), sample(), width, 9), "\n")), "\n")[1]; strings.TrimRight(got, " ") != want {
			t.Errorf("in %d cells: %q, want %q", width, got, want)
		}
	}
}

func TestABarWarnsNearItsLimitAlone(t *testing.T) {
	th := theme()
	for _, test := range []struct {
		bar  Bar
		want string
	}{{Bar{1, false}, th.Number.Render("x")}, {Bar{0.5, true}, th.Number.Render("x")}, {Bar{0.8, true}, th.Warn.Render("x")}, {Bar{0.95, true}, th.Bad.Render("x")}} {
		if got := test.bar.style(th).Render("x"); got != test.want {
			t.Errorf("%+v: %q, want %q", test.bar, got, test.want)
		}
	}
}

func TestTheCursorPassesOverWhatCannotBeSelected(t *testing.T) {
	l := List{Theme: theme()}
	l.Set(sample())
	l.Settle(screen.Room{Width: 60, Height: 20})
	moves := map[screen.ActionID]func(){}
	for _, a := range l.Moves() {
		moves[a.ID] = func() { a.Run(); l.Settle(screen.Room{Width: 60, Height: 20}) }
	}
	for _, step := range []struct {
		move screen.ActionID
		want string
	}{
		{screen.NoAction, "DiskUsage"}, {screen.GridUp, "DiskUsage"}, {screen.GridDown, "quota"}, {screen.GridDown, "note"}, {screen.GridDown, "address"}, {screen.GridDown, "address"},
		{screen.GridFirst, "DiskUsage"}, {screen.GridLast, "address"}, {screen.GridPageUp, "DiskUsage"}, {screen.GridPageDown, "address"},
	} {
		if step.move != screen.NoAction {
			moves[step.move]()
		}
		if got := l.Selected().What; got != step.want {
			t.Fatalf("action %d leads to %q, want %q", step.move, got, step.want)
		}
	}
	l.Set(nil)
	if l.Selected() != nil {
		t.Error("nothing is selected in an empty list")
	}
}

func TestTheFieldUnderTheCursorIsShownInFullBelow(t *testing.T) {
	l := List{Theme: theme()}
	l.Set(sample())
	for what, want := range map[string]string{
		"DiskUsage": " DiskUsage ────────────────────────────|  19359212",
		"note":      "", // it goes on below its line
		"quota":     "",
	} {
		l.Select(func(f *Field) bool { return f.What == what })
		_, below, _ := strings.Cut(ansi.Strip(l.Draw(40, 24).String()), "\n\n\n")
		if below = strings.ReplaceAll(strings.Trim(below, "\n"), "\n", "| "); !strings.HasPrefix(below, want) || want == "" && below != "" {
			t.Errorf("%s: below stands %q", what, below)
		}
	}
}

func TestASecretIsDotsUntilItIsRevealed(t *testing.T) {
	if f := Secret("Token", secret.New("s3cret"), false); f.Text != secret.Mask || f.Copied != "" || !f.Masked {
		t.Errorf("masked: %+v", f)
	}
	if f := Secret("Token", secret.New("s3cret"), true); f.Text != "s3cret" || f.Copied != "s3cret" || f.Masked {
		t.Errorf("revealed: %+v", f)
	}
}

func TestALongTextGoesOnWhileThereAreLines(t *testing.T) {
	note := strings.TrimSpace(strings.Repeat("long ", 40))
	l := List{Theme: theme()}
	l.Set(sample())
	l.Select(func(f *Field) bool { return f.What == "note" })
	for _, size := range []struct{ width, height, lines int }{{40, 24, 8}, {40, 13, 6}, {40, 8, 1}, {230, 24, 1}, {9, 24, 1}} {
		drawn := strings.Split(ansi.Strip(l.Draw(size.width, size.height).String()), "\n")
		lines := 0
		for _, line := range drawn {
			if strings.HasPrefix(line, "▌") {
				lines++
			}
		}
		if lines != size.lines {
			t.Errorf("%dx%d: %d lines, want %d:\n%s", size.width, size.height, lines, size.lines, strings.Join(drawn, "\n"))
		}
	}
	shown := strings.Join(strings.Fields(strings.Trim(ansi.Strip(l.Draw(40, 24).String()), "▌")), " ")
	if !strings.Contains(strings.ReplaceAll(shown, "▌ ", ""), note) {
		t.Errorf("the text is not whole: %s", shown)
	}
}

func TestAClickOnAnyLineOfATextSelectsIt(t *testing.T) {
	l := List{Theme: theme()}
	l.Set(sample())
	drawing := l.Draw(40, 24)
	for y, line := range drawing.Lines {
		if !strings.Contains(line, "long") {
			continue
		}
		l.Top()
		screen.ClickOn(drawing.Spots, 20, y)
		if got := l.Selected().What; got != "note" {
			t.Errorf("line %d selects %q", y, got)
		}
	}
}

func TestAFieldThatIsCutInItsLastLineSaysSo(t *testing.T) {
	address := Field{Label: "Request", Text: "GET http://a.example/gateway/harbor.example/api/resellers/7d3c1b52-94e0-4f6a-8a1d-5b20c9e6f314/companies"}
	for height, cut := range map[int]bool{4: true, 9: false} {
		got := Lines(theme(), []Group{{Fields: []Field{address}}}, 36, height)
		if last := ansi.Strip(got[len(got)-1]); strings.HasSuffix(last, "…") != cut || len(got) > height {
			t.Errorf("in %d lines: drawn %q", height, got)
		}
	}
}

func TestWhatTheLineOfAFieldDoesNotSayStandsBesideIt(t *testing.T) {
	for name, tt := range map[string]struct {
		field Field
		want  string // "" is no pane
	}{
		"all said":       {Field{Label: "Name", Text: "Quay", Exact: "Quay", AsSent: true, Path: "Name"}, ""},
		"a size":         {Field{Label: "Disk", Text: "1.2 GB", Role: Amount, Exact: "1200000000", Digits: "1,200,000,000"}, ""},
		"a meaning":      {Field{Label: "Type", Text: "1 sub-share", Exact: "1", AsSent: true, Meaning: "General."}, "General."},
		"sent otherwise": {Field{Label: "Changed", Text: "2026-03-02", Exact: "636000"}, "Sent as|636000"},
		"masked":         {Field{Label: "Token", Text: "•••", Exact: "x", Masked: true}, ""},
		"undocumented":   {Field{Label: "Odd", Text: "7", Exact: "8", Undocumented: true}, "Not documented.||Sent as|8"},
		"related":        {Field{Label: "Owner", Text: "ada", Related: []Related{{"enter", "the shares"}}}, "Related ──────────────────────|enter the shares"},
	} {
		tt.field.What = name
		l := List{Theme: theme()}
		l.Set([]Group{{Fields: []Field{tt.field}}})
		l.Settle(screen.Room{Width: 60, Height: 9, Panes: true, Beside: 30})
		side := l.Explained()
		if side.Body == nil {
			if tt.want != "" || l.Beside(120) != 0 {
				t.Errorf("%s: there is no pane", name)
			}
			continue
		}
		if got := strings.ReplaceAll(ansi.Strip(side.Body.Draw(30, 9).String()), "\n", "|"); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
