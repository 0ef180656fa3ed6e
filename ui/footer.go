package ui

import (
	"cmp"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/problem"
	"gatehouse/internal/safetext"
	"gatehouse/ui/screen"
)

// footer shows the keys that work here, as many as fit. The ones that lead back
// and to all keys stand at the right end, where nobody has to look for them;
// only the last of them stays where the first key would have no room.
func (r *root) footer() string {
	keys, ends := r.footerActions()
	if len(keys) > 0 && len(ends) > 1 && hintsWidth(keys[:1])+hintGap+hintsWidth(ends) > r.width {
		ends = ends[len(ends)-1:]
	}
	from := max(r.width-hintsWidth(ends), 0)
	left := r.hints(keys, 0, from-hintGap)
	return screen.Sides(left, r.hints(ends, from, r.width), r.width)
}

// footerActions are those in the footer: the ones for its left end, and the ones
// that lead out of where the person is.
func (r *root) footerActions() (keys, ends []screen.Action) {
	for _, a := range screen.ShownActions(r.actions, r.typing()) {
		switch {
		case a.ID == "root.help" || a.Keys[0] == "esc" && a.Enabled() && !a.Quiet:
			ends = append(ends, a)
		case a.Enabled() && !a.Quiet:
			keys = append(keys, a)
		}
	}
	return keys, ends
}

// hintGap is how many cells are between two keys of the footer.
const hintGap = 2

// hints draws keys with what they do from one column of the footer up to
// another, and makes them clickable.
func (r *root) hints(keys []screen.Action, x, end int) string {
	t := r.env.Theme
	parts := []string{}
	for _, a := range keys {
		width := hintWidth(a)
		if x+width > end {
			break
		}
		r.spot(x, r.height-1, width, func() tea.Cmd { return r.perform(a) })
		x += width + hintGap
		parts = append(parts, t.Key.Render(screen.KeyName(a.Keys[0]))+" "+t.KeyText.Render(a.Title))
	}
	return strings.Join(parts, strings.Repeat(" ", hintGap))
}

func hintWidth(a screen.Action) int {
	return safetext.Width(screen.KeyName(a.Keys[0])) + 1 + safetext.Width(a.Title)
}

func hintsWidth(keys []screen.Action) int {
	width := 0
	for i, a := range keys {
		if i > 0 {
			width += hintGap
		}
		width += hintWidth(a)
	}
	return width
}

// noticeMsg is what the operator says to all who use the program.
type noticeMsg struct{ text string }

// listen waits for the next notice; nil where none can come.
func (r *root) listen() tea.Cmd {
	if r.options.Notices == nil {
		return nil
	}
	return func() tea.Msg {
		select {
		case text, open := <-r.options.Notices:
			if open {
				return noticeMsg{text}
			}
		case <-r.env.Context.Done():
		}
		return nil
	}
}

// noticed keeps a notice on the screen until there is another.
func (r *root) noticed(msg noticeMsg) tea.Cmd {
	r.notice = problem.Sentence(msg.text)
	return r.listen()
}

// messages are what the person is told below the screen: the notice, and the toast or
// else what stands there all the time. Where there is little room, one of them.
func (r *root) messages() []string {
	if r.notice == "" {
		return r.toastOrWarning()
	}
	notice := r.messageLines(r.notice, r.env.Theme.ToastBad.Render, 2)
	if r.height < 8 {
		return notice
	}
	return append(notice, r.toastOrWarning()...)
}

// messageLines wraps a text into so many lines at most, and one where the screen is low.
func (r *root) messageLines(text string, render func(...string) string, most int) []string {
	if r.height < 14 {
		most = 1
	}
	lines := strings.Split(screen.Wrap(text, r.width-2), "\n")
	if len(lines) > most {
		lines = append(lines[:most-1], safetext.Truncate(strings.Join(lines[most-1:], " "), r.width-2))
	}
	for i, line := range lines {
		lines[i] = render(line)
	}
	return lines
}

// toastOrWarning is the toast, or else what the person should know all the time, in one
// line or two.
func (r *root) toastOrWarning() []string {
	t := r.env.Theme
	standing := cmp.Or(r.lastDays(), problem.Sentence(r.warning))
	switch {
	case r.toast.text != "" && r.toast.bad:
		return r.messageLines(r.toast.text, t.ToastBad.Render, 2)
	case r.toast.text != "":
		return r.messageLines(r.toast.text, t.Toast.Render, 1)
	case standing == "" || r.height < 8: // the screen needs its few lines
		return nil
	}
	return r.messageLines(standing, t.Warn.Render, 2)
}

// warnAhead is how long before its end for good a session is warned of.
const warnAhead = 72 * time.Hour

// lastDays warns that no renewal will help any more soon.
func (r *root) lastDays() string {
	if r.service == nil || r.signIn() != nil {
		return ""
	}
	end := r.service.Session.Status().RefreshEndsAt
	left := end.Sub(r.env.Now())
	if end.IsZero() || left > warnAhead {
		return ""
	}
	return "The session ends for good in " + screen.Span(left) + ": sign in again before (" + r.env.Keys.Key("domains.again") + " on Domains, " + r.env.Keys.Key("token.again") + " on Token)."
}

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
	// A person may not be quick enough to read it.
	r.options.Activity.Note(r.env.Now(), r.toast.text, bad)
	return screen.After(r.env.Context, toastLife, toastEndMsg{r.toast.number})
}

func (t *toast) end(msg toastEndMsg) {
	if msg.number == t.number {
		t.text = ""
	}
}
