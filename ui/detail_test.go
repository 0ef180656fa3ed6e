package ui

import (
	"testing"

	"gatehouse/ui/uitest"
)

func TestSearchInTheDetailOfARecord(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 100, 40)
		d.goInto("ada")
		d.Press("enter")
		d.Expect("Owner", "copy value")
		d.Press("n")
		d.Expect("Not now: nothing is looked for; press / first.")
		d.Press("/")
		d.Type("owner")
		d.Expect("search: owner", "1 of 1")
		d.Press("enter")
		d.Expect("next match")
		d.Press("Y")
		d.Expect("Copied the path ShareDefault.Owner.")
		d.Press("esc")
		d.Gone("1 of 1")
		d.Expect("copy value")
		d.Press("esc")
		d.Expect("row 1 of")
	})
}
