package linemode

import (
	"strings"
	"testing"

	"gatehouse/ui"
)

func TestEveryTabOfTheUIIsInLineMode(t *testing.T) {
	for _, tab := range ui.Tabs() {
		// A part of an item chooses it, so the title of the tab has to be one.
		if item := tabRuns()[tab.Title].item; !strings.Contains(strings.ToLower(item), strings.ToLower(tab.Title)) {
			t.Errorf("the tab %s has the item %q", tab.Title, item)
		}
	}
	if len(tabRuns()) != len(ui.Tabs()) {
		t.Errorf("there are %d tabs, and runs for %d", len(ui.Tabs()), len(tabRuns()))
	}
}
