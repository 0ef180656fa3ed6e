package browse

import (
	"fmt"
	"strings"
	"time"

	"gatehouse/internal/lists"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
	"gatehouse/ui/screen"
)

// Draw draws the table in exactly this size, below what has to be read first.
func (l *List) Draw(width, height int) string {
	l.width = width
	if l.source == nil {
		trouble := ""
		if l.problem != nil {
			trouble = "\n" + indented(screen.Trouble(l.env.Theme, *l.problem, width-1))
		}
		return screen.Box(trouble, width, height)
	}
	lines := l.linesAbove(width, height+1)
	l.above = len(lines)
	table := l.table(width, max(height-len(lines), 0))
	l.readAtOnce()
	if len(lines) == 0 {
		return table
	}
	return screen.Box(strings.Join(append(lines, table), "\n"), width, height)
}

func (l *List) Rest() {
	l.preview.rest()
	if l.grid != nil {
		l.grid.Rest()
	}
}

func (l *List) Explained(beside bool) { l.inPane = beside }

// Pane shows how many rows there are, or how far the loading is.
func (l *List) Pane() screen.Pane {
	pane := screen.Pane{Title: l.owner.Title()}
	if l.source != nil {
		number, rest, _ := strings.Cut(l.total(), " ")
		if l.sum.text != "" {
			rest += " " + l.env.Theme.Glyphs.Separator + " " + l.sum.text
		}
		pane.Title, pane.Foot = l.env.Theme.Strong.Render(number)+" "+l.env.Theme.Muted.Render(rest), l.grid.Position()
		pane.Note = l.note(l.width - screen.Cells(pane.Title) - aroundTexts)
	}
	if l.job != nil {
		pane.Title, pane.Note = l.progress(l.width-4), ""
	}
	return pane
}

// aroundTexts is how many cells of a border are around the texts in it.
const aroundTexts = 9

// note says what is being done with the rows, or how long it took, or what they come to.
func (l *List) note(room int) string {
	if doing := l.doing(); doing != "" {
		return l.env.Theme.Accent.Render(doing)
	}
	done := ""
	switch {
	case l.by.text != "":
		done = "filtered in "
	case len(l.by.keys) > 0:
		done = "sorted in "
	default:
		return l.totals(room)
	}
	return done + human.Took(l.took)
}

// totals are the sums of all rows, in as many words as there is room for.
func (l *List) totals(room int) string {
	if l.options.Notes == nil || l.by.text != "" {
		return ""
	}
	for _, note := range l.options.Notes() {
		if safetext.Width(note) <= room {
			return note
		}
	}
	return ""
}

// linesAbove are the lines between the summary and the table.
func (l *List) linesAbove(width, height int) []string {
	texts := l.banners()
	var lines []string
	for i, text := range texts {
		room := max(max(height/2-len(lines), 1)/(len(texts)-i), 1)
		// In four lines at most; where it is cut, it says so.
		wrapped := strings.Split(screen.Wrap(text, width-1), "\n")
		for _, line := range screen.AtMost(wrapped, min(room, 4), width-1) {
			lines = append(lines, l.env.Theme.Bad.Render(line))
		}
	}
	if l.filter.Visible() {
		lines = append(lines, l.filter.Draw(width-1))
		room := width - 1 - safetext.Width(l.env.Theme.Glyphs.Warning+" ")
		for _, note := range l.notes(room) {
			lines = append(lines, screen.Cut(l.env.Theme.Warn.Render(l.env.Theme.Glyphs.Warning+" "+note), width-1))
		}
	}
	return screen.Indented(lines, 1)
}

func (l *List) table(width, height int) string {
	rows, text := l.grid.Draw(width, height), ""
	switch {
	case l.grid.Len() > 0:
		return rows
	case l.source.Len() == 0:
		text = fmt.Sprintf("\nNo %s. %s", l.options.Many, l.options.Empty)
		if message := l.source.table.Explanation(); message != "" {
			text += "\n\nThe service says: " + safetext.Clip(message, maxMessage)
		}
	case !l.working() && l.misunderstood():
		text = "\n" + l.noText()
	case !l.working():
		text = "\nNo " + l.options.Many + " match the filter."
	}
	return screen.Box(indented(l.env.Theme.Muted.Render(screen.Wrap(text, width-1))), width, height)
}

// total says how many rows are shown, of how many, and whose they are.
func (l *List) total() string {
	total := l.counted()
	if l.of != "" {
		total += " of " + l.of
	}
	if l.hasFurther() {
		total += " " + l.env.Theme.Glyphs.Separator + " the service has more"
	}
	return total
}

// counted says how many rows are shown, of how many; of a list that the service has not sent whole, of
// how many there, if it says so.
func (l *List) counted() string {
	shown, sent := l.grid.Len(), l.source.Len()
	further, _ := l.source.table.Further()
	switch {
	case shown != sent:
		return human.Number(shown) + " of " + l.options.count(sent)
	case l.hasFurther() && further.Total != "":
		return human.Number(sent) + " of " + human.Grouped(further.Total) + " " + l.options.Many
	}
	return l.options.count(sent)
}

// hasFurther reports whether the service says that it has more records than it sent.
func (l *List) hasFurther() bool {
	_, more := l.source.table.Further()
	return more && !l.source.growing
}

// doing says what a person has waited for longer than a moment.
func (l *List) doing() string {
	switch {
	case !l.working() || !l.arrange.slow && !l.arrange.partial:
		return ""
	case l.arrange.partial || l.by.text != l.arrange.text:
		return "filtering" + l.env.Theme.Glyphs.More
	}
	return "sorting" + l.env.Theme.Glyphs.More
}

// banners are the texts over the table: why what is shown is not the newest, and
// what of it is not there.
func (l *List) banners() []string {
	var texts []string
	if p := l.problem; p != nil {
		texts = append(texts, fmt.Sprintf("%s The list is from %s. %s %s", l.env.Theme.Glyphs.Bad, l.loadedAt.Local().Format(time.TimeOnly), p.Sentence, p.Hint))
	}
	if l.source.missing != "" {
		texts = append(texts, l.env.Theme.Glyphs.Warning+" "+l.source.missing)
	}
	return texts
}

// indented puts drawn text as far from the side as the rows of a table are.
func indented(text string) string {
	return strings.Join(screen.Indented(strings.Split(text, "\n"), 1), "\n")
}

// maxMessage is how many cells of the service's own words are shown.
const maxMessage = 400

// The cells of the bar.
const minProgress, maxProgress = 10, 30

func (l *loading) Progress() (done, total int64, working bool) {
	if l.job == nil {
		return 0, 0, false
	}
	done, total = l.job.done()
	return done, total, true
}

// progress says in a line how far the loading is, as much of it as there is room for.
func (l *loading) progress(width int) string {
	t := l.list.env.Theme
	p, elapsed := l.job.progress(), max(l.list.env.Now().Sub(l.job.started), 0)
	sign := t.Glyphs.Spinner[int(elapsed/frame)%len(t.Glyphs.Spinner)]
	parts := l.progressParts(p, elapsed)
	line, room := parts[0], width-len("s ")
	done, total := l.job.done()
	for _, part := range parts[1:] {
		if longer := line + ", " + part; safetext.Width(longer) <= room {
			line = longer
		}
	}
	line = t.Accent.Render(sign) + " " + line
	if rest := width - safetext.Width(line) - 2; total > 0 && rest >= minProgress {
		line = screen.Sides(line, screen.Gauge(t, t.Accent, float64(done)/float64(total), min(rest, maxProgress)), width)
	}
	return screen.Cut(line, width)
}

// progressParts are what is known of a loading, the most telling first.
func (l *loading) progressParts(p lists.Progress, elapsed time.Duration) []string {
	if l.list.options.Held != nil && !l.job.cancelled {
		if held := l.list.options.Held(); len(held) > 0 {
			return held
		}
	}
	doing, rows := l.list.options.loading(), l.list.options.count(p.Rows)
	if total := int(l.job.total.Load()); total > 0 {
		rows = human.Number(p.Rows) + " of " + l.list.options.count(total)
	}
	head := doing + " the " + l.list.options.Many
	switch {
	case l.job.cancelled:
		head = "stopping"
	case p.Rows > 0 && l.reloading():
		head += " again: " + human.Number(p.Rows)
	case p.Rows > 0 && l.list.by.text != "":
		head = doing + ": " + human.Number(l.list.grid.Len()) + " of " + l.list.options.count(p.Rows)
	case p.Rows > 0:
		head = doing + ": " + rows
	}
	parts := []string{head}
	if len(l.list.order) > 0 && l.list.source != nil && l.list.source.growing {
		parts = append(parts, "sorted when all have arrived")
	}
	waited := elapsed >= time.Second
	if p.Bytes > 0 && l.job.total.Load() == 0 {
		size := human.Bytes(p.Bytes)
		if p.Expected > 0 {
			parts = append(parts, fmt.Sprintf("%d %%", 100*p.Bytes/p.Expected))
			size += " of " + human.Bytes(p.Expected)
		}
		if parts = append(parts, size); waited {
			parts = append(parts, human.Bytes(int64(float64(p.Bytes)/elapsed.Seconds()))+"/s")
		}
	}
	switch done, total := l.job.done(); {
	case waited && done > 0 && total > done:
		left := float64(elapsed) * float64(total-done) / float64(done)
		parts = append(parts, human.Span(time.Duration(left))+" left")
	case waited:
		parts = append(parts, human.Span(elapsed))
	}
	return parts
}
