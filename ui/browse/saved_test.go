package browse

import (
	"slices"
	"testing"

	"gatehouse/internal/testkit/uitest"
)

func TestAFilterIsSavedUsedAndDeleted(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := openShares(t, s, uitest.NewDrip(uitest.Library(60), uitest.Whole), 100, 24)
		d.Press("F")
		requireSaid(d, "there is no filter to save; press / first")
		d.Press("/").Type("owner:ben").Press("enter").Expect("20 of 60 shares")
		d.Press("F").Expect("Save the filter").Press("enter").Expect("the filter needs a name")
		d.Type("of Ben").Press("enter")
		requireTold(d, uitest.Say{Text: "Saved the filter of Ben; ctrl+p finds it."})
		d.Press("esc").Expect("60 shares").Gone("20 of 60")
		entries := d.Top().View().Palette()
		titles := []string{}
		for _, e := range entries {
			titles = append(titles, e.Title)
		}
		if want := []string{"of Ben", "Delete the filter of Ben"}; !slices.Equal(titles, want) {
			t.Fatalf("the palette has %q, want %q", titles, want)
		}
		d.Run(entries[0].Run()).Expect("/ owner:ben", "20 of 60 shares")
		d.Run(entries[1].Run())
		if left := d.Top().View().Palette(); len(left) != 0 {
			t.Errorf("after it was deleted the palette has %+v", left)
		}
	})
}

func TestRowsAreSortedByASecondColumn(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		body := `[{"Name":"b","Owner":"y"},{"Name":"a","Owner":"y"},{"Name":"c","Owner":"x"}]`
		d := openShares(t, s, uitest.NewDrip([]byte(body), uitest.Whole), 100, 24)
		d.Press("right", "s", "left", "S").Expect("Owner ▲1", "Name ▲2", "▌ c")
		d.Press("S").Expect("Name ▼2")
		if rows := d.Top().(*Shares).rows; !slices.Equal(rows, []int32{2, 0, 1}) {
			t.Errorf("the rows are %v", rows)
		}
		d.Press("S").Expect("Owner ▲ ").Gone("▼")
	})
}

func TestTheValueOfACellIsCopiedAsItWasSent(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		body := `[{"Name":"a","Size":1234567890123,"Note":null,"Tags":["x", "y"]},{"Name":"b"}]`
		d := openShares(t, s, uitest.NewDrip([]byte(body), uitest.Whole), 100, 24)
		for d.Settle(); marked(d) != "Size"; {
			d.Press("right")
		}
		d.Press("Y")
		requireTold(d, uitest.Copy{Text: "1234567890123", What: "Size"})
		d.Press("down", "Y")
		requireTold(d, uitest.Say{Text: "Not copied: this share has no Size."})
	})
}
