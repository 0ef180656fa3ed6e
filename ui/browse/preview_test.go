package browse

import (
	"strings"
	"testing"
	"time"

	"gatehouse/internal/files"
	"gatehouse/internal/testkit/uitest"
	"gatehouse/internal/text/safetext"
)

func TestThePreviewFollowsACursorThatRests(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := openShares(t, s, uitest.NewDrip(uitest.Library(60), uitest.Whole), 120, 30)
		d.Expect("╭─ Share 1 ─")
		for range 20 { // faster than anybody reads
			d.Press("down")
		}
		if frame := d.Frame(); !strings.Contains(frame, "╭─ Share 1 ─") || !strings.Contains(frame, "▌ Share 21") {
			t.Errorf("a held key waits for a preview:\n%s", frame)
		}
		d.Expect("╭─ Share 21 ─", "20,000,000")
		d.Press("up", "up").Pass(restDelay).Expect("╭─ Share 19 ─")
	})
}

func TestAHiddenPreviewKeepsNoListThatWasLoadedAnew(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		gateway := uitest.NewDrip(uitest.Library(60), uitest.Whole)
		d := openShares(t, s, gateway, 120, 30)
		d.Expect("╭─ Share 1 ─").Press("p").Gone("╭─ Share 1 ─")
		gateway.Replace(uitest.Library(70), uitest.Whole)
		d.Press("r")
		d.Expect("70 shares").Settle()
		if p := &d.Top().(*Shares).preview; p.source != nil || p.reader != nil {
			t.Errorf("it keeps the old list: %+v", p)
		}
		d.Press("p").Expect("╭─ Share 1 ─")
	})
}

func TestThePreviewIsSwitchedAndItsWidthRemembered(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := uitest.NewStage(t, 120, 30)
		d.Env.State = files.MemoryState()
		showShares(d, s, uitest.NewDrip(uitest.Library(60), uitest.Whole))
		d.Expect("╭─ Share 1 ─")
		before, _ := d.At("╭─ Share 1 ─")
		d.Press("[", "[").Settle()
		after, _ := d.At("╭─ Share 1 ─")
		if want := before - 2*previewStep*120/100; after != want {
			t.Errorf("the preview begins at %d, want %d", after, want)
		}
		d.Press("/").Type("nowhere").Expect("No shares match").Gone("╭─ Share 1 ─").Press("enter")
		d.Press("esc").Expect("╭─ Share 1 ─")
		d.Press("p").Gone("╭─ Share 1 ─")
		d.Press("]")
		requireSaid(d, "there is no preview; press p first")
		d.Press("p").Expect("╭─ Share 1 ─")
		again := uitest.NewStage(t, 120, 30)
		again.Env.State = d.Env.State
		showShares(again, s, uitest.NewDrip(uitest.Library(60), uitest.Whole))
		again.Expect("╭─ Share 1 ─")
		if x, _ := again.At("╭─ Share 1 ─"); x != after {
			t.Errorf("in the next run it begins at %d, want %d", x, after)
		}
		again.Resize(109, 30).Pass(time.Second)
		if frame := again.Frame(); strings.Contains(frame, "╭─") {
			t.Errorf("there are panes below 110 columns:\n%s", frame)
		}
	})
}

func TestAListStandsInPanes(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := openShares(t, s, uitest.NewDrip(uitest.Library(2_000), uitest.Whole), 120, 40)
		d.Press("/").Type("owner:ann disk>1GB").Press("enter")
		d.Expect("333 of 2,000 shares", "filtered in <1 ms", "row 1 of 333", "╭─ Share 1003 ─")
		for _, size := range [][2]int{{120, 40}, {200, 60}} {
			d.Resize(size[0], size[1]).Expect("╭─ Share 1003 ─")
		}
		d.Driver.Golden("browse/panes-200x60")
		d.Resize(80, 24).Golden("browse/panes-80x24")
		d.FitsEverySize()
	})
}

func TestTheFootTellsOfTheColumnsThatAreVisibleNow(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := openShares(t, s, uitest.NewDrip(uitest.Library(60), uitest.Whole), 120, 30)
		d.Expect("more columns →")
		for _, key := range []string{"p", "p", "down", "[", "]", "right", "right", "p"} {
			d.Press(key)
			if want := position(d.Top().(*Shares)); !strings.Contains(d.Frame(), want) {
				t.Errorf("after %s the position is not %q:\n%s", key, want, d.Frame())
			}
		}
		d.Resize(90, 24).Settle()
		d.Resize(60, 24).Expect(position(d.Top().(*Shares)))
	})
}

func TestALongRecordIsReadBesideTheScreen(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		long := `{"Id":"2","Name":"Long","Text":"` + strings.Repeat("x", longRecord) + `"}`
		d := openShares(t, s, uitest.NewDrip([]byte(`{"Data":[{"Id":"1","Name":"Short"},`+long+`]}`), uitest.Whole), 120, 30)
		d.Expect("╭─ Short ─").Press("down")
		l := d.Top().(*Shares).List
		row, ok := l.unread()
		if read := l.rested(l.source, row); !ok || read == nil || l.preview.read.row != 0 {
			t.Fatalf("row %d is read while keys wait", row)
		}
		l.preview.reading = false // nothing reads it here
		d.Pass(restDelay).Expect("╭─ Long ─", "Name Long")
	})
}

// position is what the border of a list says of its rows and columns.
func position(s *Shares) string {
	if beyond := s.grid.ColumnsBeyond(); beyond != "" {
		return s.grid.RowPosition() + " · " + beyond
	}
	return s.grid.RowPosition()
}

// previewOf is a preview without a list, whose clock stands at now.
func previewOf(t *testing.T, now *time.Time) *preview {
	env := testEnv(t)
	env.Now = func() time.Time { return *now }
	return &preview{env: env, options: &Options{One: "share"}}
}

func TestAPreviewReadsARecordOfASourceAfterAPause(t *testing.T) {
	now := noon
	p := previewOf(t, &now)
	s := sourceOf(t, `[{"Name":"a","Disk":1000},{"Name":"b"},{"Name":"c"}]`)
	for _, step := range []struct {
		row   int
		after time.Duration
		title string
	}{
		{0, 0, "a"},
		{1, repeatPause / 2, "a"}, // a held key
		{2, repeatPause / 2, "a"},
		{2, repeatPause, "a"}, // it is read once the cursor rests
		{1, repeatPause, "b"},
	} {
		now = now.Add(step.after)
		p.settle(s, step.row, 40, 10)
		if p.read == nil || p.read.title != step.title {
			t.Fatalf("on row %d %+v is shown, want %s", step.row, p.read, step.title)
		}
	}
	if !p.lacks(s, 2) || p.lacks(s, 1) {
		t.Error("it lacks another row than the one that was not read")
	}
	p.readNow(s, 0)
	if got := (previewPart{p}).Draw(40, 10).String(); !strings.Contains(got, "1000") {
		t.Errorf("it shows\n%s", got)
	}
}

func TestAPreviewDrawsARecordOnceInASize(t *testing.T) {
	now := noon
	p := previewOf(t, &now)
	s := sourceOf(t, `[{"Name":"a","Text":"`+strings.Repeat("word ", 40)+`"}]`)
	p.settle(s, 0, 40, 10)
	drawn := &p.drawn.lines[0]
	p.settle(s, 0, 40, 10)
	if again := (previewPart{p}).Draw(40, 10); &again.Lines[0] != drawn {
		t.Error("it is drawn again in the same size")
	}
	other := (previewPart{p}).Draw(20, 10)
	if safetext.Width(other.Lines[0]) > 20 || &p.drawn.lines[0] != drawn {
		t.Error("another size is not drawn, or in place of the one that was settled")
	}
	p.rest()
	if p.drawn.lines != nil || p.read.groups != nil {
		t.Error("what is easily made again is kept")
	}
	p.settle(s, 0, 40, 10)
	if len(p.drawn.lines) == 0 {
		t.Error("it is not drawn again")
	}
}

func TestAPreviewKeepsNothingOfASourceThatIsShownNoMore(t *testing.T) {
	now := noon
	p := previewOf(t, &now)
	s := sourceOf(t, `[{"Name":"a"}]`)
	p.settle(s, 0, 40, 10)
	other := sourceOf(t, `[{"Name":"a"}]`)
	p.follow(other)
	if p.source != nil || p.reader != nil || p.read == nil || p.read.title != "a" || !p.lacks(other, 0) {
		t.Errorf("after another answer it is %+v", p)
	}
	aside := p.readAside(s, 0)
	if p.lacks(s, 0) {
		t.Error("two records are read at once")
	}
	p.follow(other)
	if p.take(s, aside()); p.read.row != -1 {
		t.Errorf("it shows row %d of a source that is gone", p.read.row)
	}
}
