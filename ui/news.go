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

// forward sends each sentence of the channel as a toastMsg until the context ends.
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

// The heights of the terminal, in lines, from which on there is room for more than one message,
// and for messages of more than one line.
const (
	twoMessagesHeight = 8
	wrappedHeight     = 14
)

// messages are the lines below the screen: the notice, and below it the toast or the warning. If
// there is little room, the notice is alone.
func (r *root) messages() []string {
	var lines []string
	if r.notice != "" {
		lines = r.messageLines(r.notice, r.env.Theme.ToastBad, 2)
	}
	if r.notice == "" || r.height >= twoMessagesHeight {
		lines = append(lines, r.messageLines(r.message())...)
	}
	return lines
}

// messageLines wraps a text into at most maxLines lines, or one line if there is little room.
func (r *root) messageLines(text string, style styles.Style, maxLines int) []string {
	if text == "" {
		return nil
	}
	if r.height < wrappedHeight {
		maxLines = 1
	}
	width := r.width - 2
	lines := strings.Split(screen.Wrap(text, width), "\n")
	if len(lines) > maxLines {
		last := strings.Join(lines[maxLines-1:], " ")
		lines = append(lines[:maxLines-1], safetext.Truncate(last, width))
	}
	for i, line := range lines {
		lines[i] = style.Render(line)
	}
	return lines
}

// message is the toast or, if there is none, the current warning. maxLines is how many lines it may
// take.
func (r *root) message() (text string, style styles.Style, maxLines int) {
	t := r.env.Theme
	switch {
	case r.toast.text != "" && r.toast.bad:
		return r.toast.text, t.ToastBad, 2
	case r.toast.text != "":
		return r.toast.text, t.Toast, 1
	case r.height < twoMessagesHeight: // the screen needs the line of a warning
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

// toast is a message that disappears after toastLife. A new one replaces it.
type toast struct {
	text   string // "" if none is shown
	bad    bool
	number int // of the toasts of this run
	// refusal means that the text says why a key did nothing.
	refusal bool
}

// news are the messages to a person that are not part of a screen.
type news struct {
	env      *screen.Env
	activity *traffic.Log
	notice   string // of the operator, until the next one
	warning  string // about the service, such as that nothing is saved
	toast    toast
	heard    []string // what is still to be said if the UI is [Spoken]
}

// Say implements [screen.Root].
func (n *news) Say(text string, bad bool) tea.Cmd {
	number := n.toast.number + 1
	n.toast = toast{text: safetext.Clip(text, maxToast), bad: bad, number: number}
	if n.hear(text) {
		return nil
	}
	return screen.After(n.env.Context, toastLife, screen.Addressed{Take: screen.Do(func() {
		if n.toast.number == number { // no other toast has replaced it
			n.toast.text = ""
		}
	})})
}

// hear keeps texts to be said if the UI is [Spoken], and reports whether it is.
func (n *news) hear(texts ...string) bool {
	if n.env.Theme.Options.Spoken {
		n.heard = append(n.heard, texts...)
	}
	return n.env.Theme.Options.Spoken
}

// announce says what has happened to the session, and notes it in the activity log.
func (n *news) announce(text string, bad bool) tea.Cmd {
	cmd := n.Say(text, bad)
	n.activity.Note(n.env.Now(), n.toast.text, bad)
	return cmd
}
