package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/safetext"
	"gatehouse/ui/screen"
)

const (
	// toastLife is how long a toast stays.
	toastLife = 4 * time.Second
	// longestToast is how many cells of a text the widest screen could show.
	longestToast = 500
)

// toast is a line that goes away by itself. A later one takes its place.
type toast struct {
	text   string
	bad    bool
	number int
}

type toastEndMsg struct{ number int }

// Say implements [screen.Root].
func (r *root) Say(text string, bad bool) tea.Cmd {
	r.toast = toast{safetext.Clip(text, longestToast), bad, r.toast.number + 1}
	// For those who are not quick enough.
	r.options.Activity.Note(r.env.Now(), r.toast.text, bad)
	return screen.After(r.env.Context, toastLife, toastEndMsg{r.toast.number})
}

func (t *toast) end(msg toastEndMsg) {
	if msg.number == t.number {
		t.text = ""
	}
}
