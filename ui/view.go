package ui

import (
	"cmp"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/problem"
	"gatehouse/internal/safetext"
	"gatehouse/ui/action"
	"gatehouse/ui/layout"
)

// view draws the whole frame: header, tabs, the screen, toast, footer. Where
// there are too few lines for all, the screen keeps its own longest.
func (r *root) view() tea.View {
	v := tea.NewView("")
	v.AltScreen = true
	if r.width <= 0 || r.height <= 0 {
		return v
	}
	v.SetContent(r.draw())
	return v
}

func (r *root) draw() string {
	top, bottom := []string{}, []string{}
	if r.height >= 6 {
		top = append(top, r.header()...)
	}
	if r.height >= 3 {
		bottom = append(bottom, r.footer())
	}
	if r.tabsShown() && r.height >= 8 {
		top = append(top, r.tabs())
	}
	if r.height >= 14 {
		top = append(top, "")
	}
	if r.height >= 5 {
		bottom = append(r.message(), bottom...)
	}
	body := layout.Box(r.body(r.width, r.height-len(top)-len(bottom)), r.width, r.height-len(top)-len(bottom))
	lines := append(append(top, body), bottom...)
	return layout.Box(strings.Join(lines, "\n"), r.width, r.height)
}

func (r *root) body(width, height int) string {
	if r.overlay != nil {
		return r.overlay.view(r.env.Theme, width, height)
	}
	if current := r.current(); current != nil {
		return current.View(width, height)
	}
	return "\n" + r.env.Theme.Muted.Render(r.waiting+r.env.Theme.Glyphs.More)
}

func (r *root) tabsShown() bool { return r.signin == nil && r.inside }

func (r *root) tabs() string {
	t := r.env.Theme
	names := make([]string, len(r.place.tabs))
	width := 0
	for i, tab := range r.place.tabs {
		names[i] = string(rune('1'+i)) + " " + tab.Title()
		width += safetext.Width(names[i]) + 2
	}
	if width > r.width {
		// Too narrow for all the names: the tab that is shown has one.
		for i := range names {
			if i != r.place.active {
				names[i] = string(rune('1' + i))
			}
		}
	}
	for i, name := range names {
		style := t.Tab
		if i == r.place.active {
			style = t.TabActive
		}
		names[i] = style.Render(name)
	}
	return layout.Cut(strings.Join(names, "  "), r.width)
}

// message is the toast, or else what the person should know all the time, in
// one line or two.
func (r *root) message() []string {
	t := r.env.Theme
	standing := cmp.Or(r.lastDays(), problem.Sentence(r.notice))
	if r.height < 8 {
		standing = "" // the screen needs its few lines
	}
	text, style, most := standing, t.Warn, 2
	switch {
	case r.toast.text != "" && r.toast.bad:
		text, style = r.toast.text, t.ToastBad
	case r.toast.text != "":
		text, style, most = r.toast.text, t.Toast, 1
	case standing == "":
		return nil
	}
	if r.height < 14 {
		most = 1
	}
	lines := strings.Split(layout.Wrap(text, r.width-2), "\n")
	if len(lines) > most {
		lines = append(lines[:most-1], safetext.Truncate(strings.Join(lines[most-1:], " "), r.width-2))
	}
	for i, line := range lines {
		lines[i] = style.Render(line)
	}
	return lines
}

// footer shows the keys that work here, as many as fit, with the one for all
// of them at the end.
func (r *root) footer() string {
	t := r.env.Theme
	shown := action.Shown(r.actions(), r.typing())
	tail := ""
	parts := []string{}
	width := 0
	for _, a := range shown {
		if a.ID == helpID {
			tail = t.Key.Render(action.KeyName(a.Keys[0])) + " " + t.KeyText.Render(a.Title)
		}
	}
	room := r.width - ansi.StringWidth(tail) - 2
	for _, a := range shown {
		if a.Quiet || !a.Enabled() || a.ID == helpID {
			continue
		}
		names := action.KeyName(a.Keys[0])
		if width += safetext.Width(names+a.Title) + 3; width > room {
			break
		}
		parts = append(parts, t.Key.Render(names)+" "+t.KeyText.Render(a.Title))
	}
	return layout.Sides(strings.Join(parts, "  "), tail, r.width)
}
