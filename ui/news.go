package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/problem"
	"gatehouse/internal/safetext"
	"gatehouse/ui/layout"
)

// newsMsg is what those who run the program say to all who use it.
type newsMsg struct{ text string }

// listen waits for the next news; nil where none can come.
func (r *root) listen() tea.Cmd {
	if r.options.News == nil {
		return nil
	}
	return func() tea.Msg {
		select {
		case text, open := <-r.options.News:
			if open {
				return newsMsg{text}
			}
		case <-r.env.Context.Done():
		}
		return nil
	}
}

// hear keeps the news on the screen until there are others.
func (r *root) hear(msg newsMsg) tea.Cmd {
	r.news = problem.Sentence(msg.text)
	return r.listen()
}

// message is what the person is told below the screen: the news, and the toast or
// else what stands there all the time. Where there is little room, one of them.
func (r *root) message() []string {
	if r.news == "" {
		return r.remark()
	}
	news := r.told(r.news, r.env.Theme.ToastBad.Render, 2)
	if r.height < 8 {
		return news
	}
	return append(news, r.remark()...)
}

// told wraps a text into so many lines at most, and one where the screen is low.
func (r *root) told(text string, render func(...string) string, most int) []string {
	if r.height < 14 {
		most = 1
	}
	lines := strings.Split(layout.Wrap(text, r.width-2), "\n")
	if len(lines) > most {
		lines = append(lines[:most-1], safetext.Truncate(strings.Join(lines[most-1:], " "), r.width-2))
	}
	for i, line := range lines {
		lines[i] = render(line)
	}
	return lines
}
