package screen

import (
	"context"
	"testing"

	tea "charm.land/bubbletea/v2"
)

func TestWhatComesOfCancelledWorkIsDropped(t *testing.T) {
	for _, cancelled := range []bool{false, true} {
		taken := false
		work, begun := Begin(&Env{Context: t.Context()}, nil, func(context.Context) bool { return true }, func(result bool) tea.Cmd {
			taken = result
			return nil
		})
		if cancelled {
			work.Cancel()
		}
		begun().(Addressed).Take()
		if taken == cancelled || work.UnderWay() {
			t.Errorf("cancelled %v: taken %v, under way %v", cancelled, taken, work.UnderWay())
		}
	}
}
