package browse

import (
	"strings"
	"testing"

	"gatehouse/internal/testkit/uitest"
)

func TestTheFilterSaysWhatItDidNotUnderstand(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := openShares(t, s, uitest.NewDrip(uitest.Library(60), uitest.Whole), 100, 24)
		d.Press("/")
		d.Type("colour:red")
		d.Expect(`no column "colour"`, "No shares have this text either")
		d.Press("esc")
		d.Gone("no column")
		d.Press("/")
		d.Type("onwer : ben")
		d.Expect(`no column "onwer" · did you mean owner? tab takes it`, "0 of 60 shares")
		d.Press("tab")
		d.Expect("/ owner : ben", "20 of 60 shares").Gone("no column")
	})
}

func TestAFilterOfAnotherProgramIsOffered(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		for typed, want := range map[string]struct{ says, tab, finds string }{
			"owner is ben": {`"owner is ben" is in no record as text · did you mean owner:ben? tab takes it`, "/ owner:ben", "20 of 60 shares"},
			"*ben*":        {`did you mean ben? tab takes it`, "/ ben", "20 of 60 shares"},
			"owner=be":     {`"owner=be" finds nothing · did you mean owner:be? tab takes it`, "/ owner:be", "20 of 60 shares"},
			"sort by name": {"s sorts; a filter does not sort", "/ sort by Name:", "needs a value"},
		} {
			d := openShares(t, s, uitest.NewDrip(uitest.Library(60), uitest.Whole), 100, 24)
			d.Press("/")
			d.Type(typed)
			d.Expect(want.says, "0 of 60 shares")
			d.Press("tab")
			d.Expect(want.tab, want.finds)
		}
	})
}

func TestANarrowFilterStillSaysWhatTabTakes(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		for typed, says := range map[string]string{
			"onwer:ben": "tab takes owner", "owner is ben": "tab takes owner:ben", "o:ben": "tab takes Owner",
		} {
			d := openShares(t, s, uitest.NewDrip(uitest.Library(60), uitest.Whole), 40, 20)
			d.Press("/")
			d.Type(typed)
			d.Expect(says)
		}
	})
}

func TestWhatTheTextWouldFindIsOffered(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		body := `[{"Name":"re: budget","Owner":"ann"},{"Name":"budget","Owner":"ben"}]`
		d := openShares(t, s, answers(body), 100, 24)
		d.Press("/")
		d.Type("re: budget")
		d.Expect(`no column "re" · 1 has it as text`, "1 of 2 shares")
	})
}

func TestTheSizesOfAFilteredListAreAddedUp(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		body := `[{"Name":"a","DiskUsage":18446744073709551615},{"Name":"b","DiskUsage":18446744073709551615},{"Name":"c","DiskUsage":5}]`
		d := openShares(t, s, answers(body), 100, 24)
		d.Expect("3 shares").Gone("EB ·")
		d.Press("/")
		d.Type("disk>1GB")
		d.Expect("2 of 3 shares · 36.9 EB")
		d.Type(" name:a")
		d.Expect("1 of 3 shares · 18.4 EB")
		d.Type("x")
		d.Expect("0 of 3 shares").Gone("EB")
	})
}

func TestEarlierFiltersComeBack(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := openShares(t, s, uitest.NewDrip(uitest.Library(60), uitest.Whole), 100, 24)
		for _, filter := range []string{"owner:ben", "share 7"} {
			d.Press("/")
			d.Type(filter)
			d.Press("enter", "esc")
		}
		d.Press("/", "up").Expect("/ share 7")
		d.Press("up").Expect("/ owner:ben", "20 of 60 shares")
		d.Press("up").Expect("/ owner:ben") // there are no more
		d.Press("down").Expect("/ share 7")
		d.Press("down").Expect("60 shares").Gone("share 7")
		d.Press("up", "up")
		d.Type("x")
		d.Press("up").Expect("/ owner:benx") // which was typed
	})
}

func TestAFilterThatIsTooLongIsNotTaken(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := openShares(t, s, uitest.NewDrip(uitest.Library(60), uitest.Whole), 100, 24)
		d.Press("/")
		d.Type("owner:ben")
		d.Paste(strings.Repeat("owner:ben ", 1024))
		requireTold(d, uitest.Say{Text: "A filter has at most 1,000 characters, and this would have 10,249. Nothing was changed.", Bad: true})
		d.Expect("/ owner:ben", "20 of 60 shares")
		d.Paste("\x1b[31m\u202e\x00")
		d.Expect("/ owner:ben")
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
