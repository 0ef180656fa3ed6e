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
		d.Expect(`no column "colour"`, "none of the 60 shares")
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
		d.Expect("filter: !Owner:")
		d.Press("tab")
		d.Expect("filter: !Open:")
		d.Press("tab")
		d.Expect("filter: !Owner:")
		d.Type("ann")
		d.Expect("40 of 60 shares")
		d.Press("tab")
		requireTold(d, uitest.Say{Text: "No column begins with Owner:ann."})
	})
}

func TestATermThatIsBegunLeavesTheRowsAsTheyAre(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := openShares(t, s, uitest.NewDrip(uitest.Library(60), uitest.Whole), 100, 24)
		d.Press("/")
		d.Type("owner:")
		d.Expect("nothing behind owner: yet", "60 shares", "›Share 1 ")
		d.Type("ben")
		d.Expect("20 of 60 shares")
	})
}

func TestSortAndFilterWorkTogether(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := openShares(t, s, uitest.NewDrip(uitest.Library(60), uitest.Whole), 100, 30)
		d.Press("s")
		d.Expect("↑")
		d.Press("s")
		d.Expect("↓")
		d.Press("/")
		d.Type("zzzz-no-such-share")
		d.Expect("0 of ")
		d.Press("esc")
		d.Gone("0 of ")
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
