package ui

import (
	"cmp"
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/text/human"
	"gatehouse/internal/text/problem"
	"gatehouse/internal/text/safetext"
	"gatehouse/styles"
	"gatehouse/ui/screen"
	"gatehouse/ui/traffic"
)

// noticeMsg is a notice of the operator to everybody who uses the program.
type noticeMsg struct{ text string }

// toastMsg is a sentence to show for a moment.
type toastMsg struct{ text string }

// forward sends what comes from a channel as toasts, until the context ends.
func forward(ctx context.Context, toasts <-chan string, send func(tea.Msg)) {
	for {
		select {
		case text := <-toasts:
			send(toastMsg{text})
		case <-ctx.Done():
			return
		}
	}
}

// messages are the lines below the screen: the notice, and the toast or the warning. If
// there is little room, only the notice.
func (r *root) messages() []string {
	var lines []string
	if r.notice != "" {
		lines = r.messageLines(r.notice, r.env.Theme.ToastBad, 2)
	}
	if r.notice == "" || r.height >= 8 {
		lines = append(lines, r.messageLines(r.message())...)
	}
	return lines
}

// messageLines wraps a text into at most maxLines lines, or one on a low terminal.
func (r *root) messageLines(text string, style styles.Style, maxLines int) []string {
	if text == "" {
		return nil
	}
	if r.height < 14 {
		maxLines = 1
	}
	lines := strings.Split(screen.Wrap(text, r.width-2), "\n")
	if len(lines) > maxLines {
		lines = append(lines[:maxLines-1], safetext.Truncate(strings.Join(lines[maxLines-1:], " "), r.width-2))
	}
	for i, line := range lines {
		lines[i] = style.Render(line)
	}
	return lines
}

// message is the toast, or else the current warning, and in how many lines.
func (r *root) message() (text string, style styles.Style, maxLines int) {
	t := r.env.Theme
	switch {
	case r.toast.text != "" && r.toast.bad:
		return r.toast.text, t.ToastBad, 2
	case r.toast.text != "":
		return r.toast.text, t.Toast, 1
	case r.height < 8: // the screen needs its few lines
		return "", t.Warn, 1
	}
	warning := r.expiryWarning()
	if r.domain() == nil { // inside a domain the rows need the lines
		warning = cmp.Or(warning, problem.Sentence(r.warning))
	}
	return warning, t.Warn, 2
}

// expiryWarningTime is how long before the refresh token expires the warning is shown.
const expiryWarningTime = 72 * time.Hour

// expiryWarning warns that the refresh token expires soon, so that the session can no
// longer be renewed.
func (r *root) expiryWarning() string {
	if r.service == nil || r.signIn() != nil {
		return ""
	}
	end := r.service.Session.Status().RefreshEndsAt
	left := end.Sub(r.env.Now())
	if end.IsZero() || left > expiryWarningTime {
		return ""
	}
	text := "The session can no longer be renewed"
	if left > 0 {
		text = "The session ends in " + human.Span(left)
	}
	return text + ". " + r.env.Keys.Press(screen.RootSignIn) + " to sign in again."
}

const (
	// toastLife is how long a toast is shown.
	toastLife = 4 * time.Second
	// maxToast is the maximum width of a toast in cells.
	maxToast = 500
)

// toast is a line that disappears by itself. A new one replaces it.
type toast struct {
	text   string
	bad    bool
	number int
	// refusal is set where it says why a key did nothing.
	refusal bool
}

// news is what a person is told beside what the screen shows.
type news struct {
	env      *screen.Env
	activity *traffic.Log
	notice   string // of the operator, until the next one
	warning  string // about the service, such as that nothing is saved
	toast    toast
	heard    []string // what is to be said, where nothing is drawn; see [Spoken]
}

func (n *news) Say(text string, bad bool) tea.Cmd {
	number := n.toast.number + 1
	n.toast = toast{text: safetext.Clip(text, maxToast), bad: bad, number: number}
	if n.hear(text) {
		return nil
	}
	return screen.After(n.env.Context, toastLife, screen.Addressed{Take: screen.Do(func() {
		if n.toast.number == number { // no other has replaced it
			n.toast.text = ""
		}
	})})
}

// hear keeps texts to be said, if nothing is drawn, and reports whether that is so.
func (n *news) hear(texts ...string) bool {
	if n.env.Theme.Options.Spoken {
		n.heard = append(n.heard, texts...)
	}
	return n.env.Theme.Options.Spoken
}

// announce says what became of the session. It can be read later in the activity log.
func (n *news) announce(text string, bad bool) tea.Cmd {
	cmd := n.Say(text, bad)
	n.activity.Note(n.env.Now(), n.toast.text, bad)
	return cmd
}
