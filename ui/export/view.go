package export

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/ui/human"
	"gatehouse/ui/layout"
)

// Layout gives the size of what View draws.
func (m *Model) Layout(width, height int) { m.width, m.height = width, height }

// View draws the prompt in exactly the size of the last Layout.
func (m *Model) View() string {
	width, height := m.width, m.height
	t := m.env.Theme
	switch {
	case m.job != nil:
		return layout.Box(m.progress(width), width, height)
	case m.replace != nil:
		question := t.Warn.Render(layout.Wrap(t.Glyphs.Warning+" "+shownPath(m.replace.Path)+" exists already.", width))
		return layout.Box(question+"\n\n"+layout.Wrap("Replace it? Press "+m.env.Keys.Key("export.replace")+" to replace it, or "+m.env.Keys.Key("export.rename")+" to give another name.", width), width, height)
	case m.problem != nil:
		return layout.Box(layout.Trouble(t, *m.problem, width), width, height)
	case m.done != nil:
		return layout.Box(m.result(width), width, height)
	}
	return layout.Box(m.ask(width, height), width, height)
}

// ask is the form with what it is about above it, as far as there is room.
func (m *Model) ask(width, height int) string {
	intro := strings.Split(m.intro(width), "\n")
	if room := height - m.form.Height(); len(intro) > room {
		intro = intro[:max(min(len(intro), room), 0)]
	}
	m.form.Layout(width, max(height-len(intro), 1))
	return strings.Join(append(intro, m.form.View()), "\n")
}

// intro says what is exported. What matters most comes first.
func (m *Model) intro(width int) string {
	t := m.env.Theme
	text := t.Strong.Render("Export " + m.offer.rows(m.offer.Rows))
	if m.offer.Order != "" {
		order := layout.Cut(t.Muted.Render(m.offer.Order), width)
		if ansi.StringWidth(text)+ansi.StringWidth(order)+2 <= width {
			text += "  " + order
		} else {
			text += "\n" + order
		}
	}
	if m.notice != "" {
		text += "\n" + layout.Cut(t.Warn.Render(m.notice), width)
	}
	return text + "\n"
}

// progress is what stands there while the file is written.
func (m *Model) progress(width int) string {
	t, j := m.env.Theme, m.job
	elapsed := max(m.env.Now().Sub(j.started), 0)
	sign := t.Glyphs.Spinner[int(elapsed/frame)%len(t.Glyphs.Spinner)]
	doing := "writing " + shownPath(j.choice.Path)
	if j.stopping {
		doing = "stopping" + t.Glyphs.More
	}
	rows := int(j.rows.Load())
	far := fmt.Sprintf("%s of %s, %s  %ds", human.Count(rows), m.offer.rows(m.offer.Rows), human.Bytes(j.bytes.Load()), int(elapsed/time.Second))
	lines := []string{
		t.Accent.Render(sign) + " " + doing, "",
		t.Muted.Render(far), m.bar(rows, min(width, 40)),
	}
	return strings.Join(lines, "\n")
}

func (m *Model) bar(rows, cells int) string {
	g := m.env.Theme.Glyphs
	full := 0
	if m.offer.Rows > 0 {
		full = min(max(rows, 0)*cells/m.offer.Rows, cells)
	}
	return m.env.Theme.Accent.Render(strings.Repeat(g.BarFull, full) + strings.Repeat(g.BarEmpty, cells-full))
}

// result says what was written.
func (m *Model) result(width int) string {
	t, d := m.env.Theme, m.done
	what := m.offer.rows(m.offer.Rows)
	if m.offer.Only == "" {
		what += " with " + m.offer.columns(d.choice)
	}
	head := t.Good.Render(layout.Wrap(t.Glyphs.Good+" Wrote "+what+", "+human.Bytes(d.bytes)+".", width))
	return head + "\n\n" + layout.Wrap(shownPath(d.path), width)
}
