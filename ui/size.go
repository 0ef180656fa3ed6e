package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Size is how large a terminal is, in cells.
type Size struct{ Width, Height int }

func (s Size) message() tea.WindowSizeMsg { return tea.WindowSizeMsg{Width: s.Width, Height: s.Height} }

// resizePause is the time from one change of size that is told to the next: dragging
// a window makes hundreds, and each has the whole screen drawn.
const resizePause = 50 * time.Millisecond

// follow tells of the changes of a size, the last always, until the context ends
// or the channel is closed. Of many in a short time it tells only some.
func follow(ctx context.Context, changes <-chan Size, tell func(Size)) {
	var newest Size
	var pause <-chan time.Time
	for untold := false; changes != nil || untold; {
		select {
		case <-ctx.Done():
			return
		case s, ok := <-changes:
			if !ok {
				changes = nil
				break
			}
			newest, untold = s, true
		case <-pause:
			pause = nil
		}
		if untold && pause == nil {
			tell(newest)
			untold, pause = false, time.After(resizePause)
		}
	}
}
