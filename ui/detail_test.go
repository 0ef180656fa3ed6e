package ui

import "testing"

func TestSearchInTheDetailOfARecord(t *testing.T) {
	d := open(t, demoVariables(t), 100, 40)
	d.goInto("ada")
	d.press("enter")
	d.wait("Owner", "copy value")
	d.press("n")
	d.wait("Not now: nothing is looked for; press / first.")
	d.press("/")
	d.write("owner")
	d.wait("search: owner", "1 of 1")
	d.press("enter")
	d.wait("next match")
	d.press("Y")
	d.wait("Copied the path ShareDefault.Owner.")
	d.press("esc")
	d.gone("1 of 1")
	d.wait("copy value")
	d.press("esc")
	d.wait("row 1 of")
}
