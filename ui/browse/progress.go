package browse

import (
	"fmt"
	"time"

	"gatehouse/internal/lists"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
	"gatehouse/ui/screen"
)

// The width of the bar in cells.
const (
	minProgress = 10
	maxProgress = 30
)

// Loading is the progress of the loading; the zero Progress if none is under way.
func (l *List) Loading() screen.Progress {
	if !l.isLoading() {
		return screen.Progress{}
	}
	done, total := l.loader.current.done()
	return screen.Progress{Done: done, Total: total, Working: true}
}

// progress says in a line how far the loading is: with a spinner, as many parts of the text as
// fit, and a bar if there is room for it.
func (l *List) progress(width int) string {
	t := l.env.Theme
	sign := t.Glyphs.Spinner[int(l.waited()/frameTime)%len(t.Glyphs.Spinner)]
	parts := l.progressParts()
	line, room := parts[0], width-len("s ")
	done, total := l.loader.current.done()
	for _, part := range parts[1:] {
		if longer := line + ", " + part; safetext.Width(longer) <= room {
			line = longer
		}
	}
	line = t.Accent.Render(sign) + " " + line
	const gap = 2
	left := width - safetext.Width(line) - gap
	if total > 0 && left >= minProgress {
		bar := screen.Gauge(t, t.Accent, float64(done)/float64(total), min(left, maxProgress))
		line = screen.Sides(line, bar, width)
	}
	return screen.Cut(line, width)
}

// waited is how long the loading has taken so far.
func (l *List) waited() time.Duration { return max(l.env.Now().Sub(l.loader.current.started), 0) }

// progressParts are the texts that say how far the loading is, the most important first.
func (l *List) progressParts() []string {
	current := l.loader.current
	if l.options.Held != nil && !current.cancelled {
		if held := l.options.Held(); len(held) > 0 {
			return held
		}
	}
	p, counted := current.progress(), int(current.total.Load())
	parts := []string{l.progressHead(p, counted)}
	if len(l.arrangement.order) > 0 && l.source != nil && l.source.growing {
		parts = append(parts, "sorted when all have arrived")
	}
	if counted == 0 {
		parts = append(parts, progressOfBytes(p, l.waited())...)
	}
	done, total := current.done()
	switch elapsed := l.waited(); {
	case elapsed < time.Second:
	case done > 0 && total > done:
		left := float64(elapsed) * float64(total-done) / float64(done)
		parts = append(parts, human.Span(time.Duration(left))+" left")
	default:
		parts = append(parts, human.Span(elapsed))
	}
	return parts
}

// progressHead says what is being done and with how many rows. counted is how many there will be,
// 0 if that is not known.
func (l *List) progressHead(p lists.Progress, counted int) string {
	doing, rows := l.options.doing(), l.options.count(p.Rows)
	if counted > 0 {
		rows = human.Number(p.Rows) + " of " + l.options.count(counted)
	}
	switch {
	case l.loader.current.cancelled:
		return "stopping"
	case p.Rows == 0:
		return doing + " the " + l.options.Many
	case l.reloading():
		return doing + " the " + l.options.Many + " again: " + human.Number(p.Rows)
	case l.shownJob.filter != "":
		return doing + ": " + human.Number(l.grid.Len()) + " of " + l.options.count(p.Rows)
	}
	return doing + ": " + rows
}

// progressOfBytes says how many bytes have arrived in a time and, after a second, how fast.
func progressOfBytes(p lists.Progress, elapsed time.Duration) (parts []string) {
	if p.Bytes == 0 {
		return nil
	}
	size := human.Bytes(p.Bytes)
	if p.Expected > 0 {
		parts = append(parts, fmt.Sprintf("%d %%", 100*p.Bytes/p.Expected))
		size += " of " + human.Bytes(p.Expected)
	}
	parts = append(parts, size)
	if elapsed >= time.Second {
		parts = append(parts, human.Bytes(int64(float64(p.Bytes)/elapsed.Seconds()))+"/s")
	}
	return parts
}
