package browse

import (
	"testing"

	"gatehouse/internal/testkit/uitest"
)

func TestTheFilterSaysWhatItDidNotUnderstand(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := openShares(t, s, uitest.NewDrip(uitest.Library(60), uitest.Whole), 100, 24)
		d.Press("/")
		d.Type("colour:red")
		d.Expect(`no column "colour"`, "No shares match")
		d.Press("esc")
		d.Gone("no column")
	})
}

func TestTabWritesOutTheNameOfAColumn(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := openShares(t, s, uitest.NewDrip(uitest.Library(60), uitest.Whole), 100, 24)
		d.Press("/")
		d.Type("!o")
		d.Press("tab")
		d.Expect("/ !Owner:")
		d.Press("tab")
		d.Expect("/ !Open:")
		d.Press("tab")
		d.Expect("/ !Owner:")
		d.Type("ann")
		d.Expect("40 of 60 shares")
		d.Type(" nosuch:x")
		d.Press("tab")
		requireTold(d, uitest.Say{Text: "No column begins with nosuch:x."})
	})
}

func TestTabTakesTheColumnsThatANameMayMean(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		body := `[{"Name":"a","SpaceUsage":{"DiskUsage":2000,"HistoryUsage":5}},{"Name":"b","SpaceUsage":{"DiskUsage":7,"HistoryUsage":9000}}]`
		d := openShares(t, s, answers(body), 100, 24)
		d.Press("/")
		d.Type("usage>1k")
		d.Expect("2 shares", "means any of")
		d.Press("tab")
		d.Expect("Disk>1k", "1 of 2 shares")
		d.Press("tab")
		d.Expect("History>1k", "1 of 2 shares")
	})
}

func TestATermThatIsBegunLeavesTheRowsAsTheyAre(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := openShares(t, s, uitest.NewDrip(uitest.Library(60), uitest.Whole), 100, 24)
		d.Press("/")
		d.Type("owner:")
		d.Expect("owner: needs a value", "60 shares", "▌ Share 1 ")
		d.Type("ben")
		d.Expect("20 of 60 shares")
	})
}

func TestWhatIsAboutTheRowsWaitsForThoseAskedFor(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := openShares(t, s, uitest.NewDrip(uitest.Library(60), uitest.Whole), 100, 24)
		for _, key := range []string{"e", "b"} {
			d.Press("/")
			d.Hurry("7", "enter", key)
			requireTold(d, uitest.Say{Text: "The shares are still being filtered and sorted; press the key again in a moment."})
			d.Expect("of 60 shares")
			d.Press("esc")
			d.Gone("of 60 shares")
		}
	})
}
