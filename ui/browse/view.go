package browse

import (
	"cmp"
	"fmt"
	"iter"
	"strings"
	"time"

	"gatehouse/internal/lists"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
	"gatehouse/ui/screen"
)

// Settle implements [screen.Screen]: the record under the cursor is read for the preview, if that is
// quick.
func (l *List) Settle(room screen.Room) {
	l.width, l.inPane = room.Width, room.Panes
	if l.source == nil {
		return
	}
	l.grid.Settle(room.Width, l.body().Rest(room.Width, room.Height))
	l.readAtOnce()
}

// Rest implements [screen.Screen].
func (l *List) Rest() {
	l.preview.rest()
	if l.grid != nil {
		l.grid.Rest()
	}
}

// Frame implements [screen.Screen].
func (l *List) Frame() screen.Frame { return screen.InPane }

// Size implements [screen.Screen]: a list is in no box.
func (l *List) Size(int, int) screen.Size { return screen.Size{} }

// View implements [screen.Screen].
func (l *List) View() screen.View {
	v := screen.View{
		Title: l.options.Title, Typing: l.Typing(), Progress: l.Loading(),
		Border: l.border(), Body: body{l}, Side: l.side(), Wheel: l.wheel,
		Rows: rows{l}, Help: l.Help, Palette: l.PaletteEntries,
	}
	if l.source != nil {
		v.Table = l
	}
	return v
}

// border says how many rows there are, or how far the loading is.
func (l *List) border() screen.Pane {
	pane := screen.Pane{Title: l.options.Title}
	if l.source != nil {
		total := l.total()
		if more := cmp.Or(l.marked(), l.sum.text); more != "" {
			total.Of += " " + l.env.Theme.Glyphs.Separator + " " + more
		}
		pane.Title = total.Title(l.env.Theme)
		pane.Foot, pane.FootRest = l.grid.RowPosition(), l.grid.ColumnsBeyond()
		pane.Note = l.note(l.width - screen.Cells(pane.Title) - aroundTexts)
	}
	if l.job != nil {
		pane.Title, pane.Note = l.progress(l.width-4), ""
		if pane.Foot != "" { // the title counts the rows that come
			pane.Foot = l.grid.RowNumber()
		}
	}
	return pane
}

// body is the table below what has to be read first, or why there is none.
type body struct{ *List }

// Draw implements [screen.Part].
func (l body) Draw(width, height int) screen.Drawing { return l.body().Draw(width, height) }

// Say implements [screen.Part]. While rows arrive, only that is said.
func (l body) Say() iter.Seq[string] {
	if l.job != nil {
		elapsed := max(l.env.Now().Sub(l.job.started), 0)
		return screen.Texts(strings.Join(l.progressParts(l.job.progress(), elapsed), ", "))
	}
	return l.body().Say()
}

func (l *List) body() screen.Fill {
	if l.source == nil {
		return screen.Fill{Part: screen.Padded{Part: l.trouble()}}
	}
	return screen.Fill{
		Above: []screen.Part{
			screen.Indent{Part: banners{l}, Left: 1},
			screen.Indent{Part: l.filter, Left: 1},
			screen.Indent{Part: notes{l}, Left: 1},
		},
		Part: table{l},
	}
}

// trouble says why there is no list.
func (l *List) trouble() screen.Part {
	if l.problem == nil {
		return screen.Column{}
	}
	return screen.Column{screen.Blank{}, screen.Indent{Part: screen.Trouble(l.env.Theme, *l.problem), Left: 1}}
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

// banners are the texts over the table, each in four lines at most; together they leave half of the
// lines to it. Where one is cut, it says so.
type banners struct{ *List }

// Draw implements [screen.Part].
func (l banners) Draw(width, height int) screen.Drawing {
	var lines []string
	texts := l.banners()
	for i, text := range texts {
		room := max(max((height+1)/2-len(lines), 1)/(len(texts)-i), 1)
		banner := screen.Text{Style: l.env.Theme.Bad, Text: text, Most: min(room, 4)}
		lines = append(lines, banner.Draw(width, room).Lines...)
	}
	return screen.Drawing{Lines: lines}
}

// Say implements [screen.Part].
func (l banners) Say() iter.Seq[string] { return screen.Texts(l.banners()...) }

// notes say what may surprise in how the filter was understood, below it.
type notes struct{ *List }

// Draw implements [screen.Part].
func (l notes) Draw(width, height int) screen.Drawing {
	if !l.filter.Visible() {
		return screen.Drawing{}
	}
	t := l.env.Theme
	var lines screen.Lines
	for _, note := range l.notes(width - safetext.Width(t.Glyphs.Warning+" ")) {
		lines = append(lines, screen.Cut(t.Warn.Render(t.Glyphs.Warning+" "+note), width))
	}
	return lines.Draw(width, height)
}

// Say implements [screen.Part].
func (l notes) Say() iter.Seq[string] { return screen.Texts(l.notes(maxMessage)...) }

// table is the rows, or why there are none.
type table struct{ *List }

// Draw implements [screen.Part].
func (l table) Draw(width, height int) screen.Drawing {
	if l.grid.Len() > 0 {
		return l.grid.Draw(width, height)
	}
	text := screen.Text{Style: l.env.Theme.Muted, Text: l.none()}
	return screen.Padded{Part: screen.Indent{Part: text, Left: 1}}.Draw(width, height)
}

// none says why there are no rows.
func (l *List) none() string {
	switch message := l.source.table.Explanation(); {
	case l.source.Len() > 0 && l.working():
		return ""
	case l.source.Len() > 0 && l.misunderstood():
		return "\n" + l.noText()
	case l.source.Len() > 0:
		return "\nNo " + l.options.Many + " match the filter."
	case message != "":
		says := theServiceSays + safetext.Clip(message, maxMessage)
		return "\nNo " + l.options.Many + ". " + l.options.Empty + "\n\n" + says
	}
	return "\nNo " + l.options.Many + ". " + l.options.Empty
}

// theServiceSays comes before the service's own words.
const theServiceSays = "The service says: "

// Say implements [screen.Part]: how many records there are, or why there are none.
func (l table) Say() iter.Seq[string] {
	noText := screen.If(l.misunderstood() && l.grid.Len() == 0, l.noText())
	if l.source.Len() > 0 {
		return screen.Texts(noText, l.summary(), l.totals(maxMessage))
	}
	message := l.source.table.Explanation()
	if message != "" {
		message = theServiceSays + message
	}
	return screen.Texts(noText, message, "There are no "+l.options.Many+".", l.options.Empty)
}

// total is how many rows are shown, of how many, and of whom.
func (l *List) total() screen.Counted {
	total := l.counted()
	if l.of != "" {
		total.Of += " of " + l.of
	}
	if l.hasFurther() {
		total.Of += " " + l.env.Theme.Glyphs.Separator + " the service has more"
	}
	return total
}

// counted is how many rows are shown, of how many; of a list that the service has not sent whole, of
// how many there, if it says so.
func (l *List) counted() screen.Counted {
	sent := screen.Count(l.source.Len(), l.options.One, l.options.Many)
	further, _ := l.source.table.Further()
	switch shown := l.grid.Len(); {
	case shown != l.source.Len():
		return sent.Shown(shown)
	case l.hasFurther() && further.Total != "":
		all := screen.Counted{Number: human.Grouped(further.Total), Of: l.options.Many}
		return all.Shown(l.source.Len())
	}
	return sent
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

// maxMessage is how many cells of the service's own words are shown.
const maxMessage = 400

// The cells of the bar.
const minProgress, maxProgress = 10, 30

// Loading is how far the loading is.
func (l *loading) Loading() screen.Progress {
	if l.job == nil {
		return screen.Progress{}
	}
	done, total := l.job.done()
	return screen.Progress{Done: done, Total: total, Working: true}
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
