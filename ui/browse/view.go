package browse

import (
	"cmp"
	"fmt"
	"iter"
	"strings"
	"time"

	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
	"gatehouse/ui/screen"
)

// Settle implements [screen.Screen]. It reads the record under the cursor for the preview, if
// that is quick.
func (l *List) Settle(room screen.Room) {
	l.width, l.inPane = room.Width, room.Panes
	if l.source == nil {
		return
	}
	l.grid.Settle(room.Width, l.body().Rest(room.Width, room.Height))
	if row, ok := l.grid.Selected(); ok && room.Beside > 0 {
		l.preview.settle(l.source, row, room.Beside, room.Height)
	}
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

// Size implements [screen.Screen]. A list is never in a box.
func (l *List) Size(int, int) screen.Size { return screen.Size{} }

// View implements [screen.Screen].
func (l *List) View() screen.View {
	v := screen.View{
		Title: l.options.Title, Typing: l.Typing(), Progress: l.Loading(),
		Border: l.border(), Body: bodyPart{l}, Side: l.side(), Wheel: l.wheel,
		Rows: recordRows{l}, Help: l.Help, Palette: l.PaletteEntries,
	}
	if l.source != nil {
		v.Table, v.Filter = l, l.filter.Filter
	}
	if l.grid != nil && l.grid.OnMark != nil {
		v.Marks = l.grid
	}
	return v
}

// border says how many rows there are, or how far the loading is.
func (l *List) border() screen.Pane {
	pane := screen.Pane{Title: l.options.Title}
	if l.source != nil {
		total := l.total()
		if more := cmp.Or(l.marked(), l.sum.text); more != "" {
			total.Of += l.env.Theme.Between() + more
		}
		pane.Title = total.Title(l.env.Theme)
		pane.Foot, pane.FootRest = l.grid.RowPosition(), l.grid.ColumnsBeyond()
		pane.Note = l.note(l.width - screen.Cells(pane.Title) - aroundTexts)
	}
	if l.isLoading() {
		const corners = 4 // cells of the border beside the title
		pane.Title, pane.Note = l.progress(l.width-corners), ""
		if pane.Foot != "" { // the title has the number of rows, which still grows
			pane.Foot = l.grid.RowNumber()
		}
	}
	return pane
}

// bodyPart is the table with the texts and the filter over it, or the reason why there is no table.
type bodyPart struct{ *List }

// Draw implements [screen.Part].
func (l bodyPart) Draw(width, height int) screen.Drawing { return l.body().Draw(width, height) }

// Say implements [screen.Part]. While rows arrive, it says only how far that is.
func (l bodyPart) Say() iter.Seq[string] {
	if l.isLoading() {
		return screen.Texts(strings.Join(l.progressParts(), ", "))
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
		Part: tablePart{l},
	}
}

// trouble says why there is no list.
func (l *List) trouble() screen.Part {
	if l.problem == nil {
		return screen.Column{}
	}
	trouble := screen.Trouble(l.env.Theme, *l.problem)
	return screen.Column{screen.Blank{}, screen.Indent{Part: trouble, Left: 1, Right: 1}}
}

// aroundTexts is how many cells of the upper border are not for the title and the note.
const aroundTexts = 9

// note says what is being done with the rows, how long that took, or what they amount to. room is
// in cells.
func (l *List) note(room int) string {
	if arranging := l.arranging(); arranging != "" {
		return l.env.Theme.Accent.Render(arranging)
	}
	done := ""
	switch {
	case l.shownJob.filter != "":
		done = "filtered in "
	case len(l.shownJob.keys) > 0:
		done = "sorted in "
	default:
		return l.totals(room)
	}
	return done + human.Took(l.arrangeTime)
}

// totals says what all rows amount to, in the longest text that fits into room, in cells.
func (l *List) totals(room int) string {
	if l.options.Notes == nil || l.shownJob.filter != "" {
		return ""
	}
	for _, note := range l.options.Notes() {
		if safetext.Width(note) <= room {
			return note
		}
	}
	return ""
}

// banners draws the texts over the table. Each has at most maxBannerLines, and together they
// leave half of the lines to the table.
type banners struct{ *List }

// maxBannerLines is how many lines one text over the table may have.
const maxBannerLines = 4

// Draw implements [screen.Part].
func (l banners) Draw(width, height int) screen.Drawing {
	var lines []string
	texts := l.banners()
	for i, text := range texts {
		left := max((height+1)/2-len(lines), 1)
		room := max(left/(len(texts)-i), 1)
		banner := screen.Text{Style: l.env.Theme.Bad, Text: text, MaxLines: min(room, maxBannerLines)}
		lines = append(lines, banner.Draw(width, room).Lines...)
	}
	return screen.Drawing{Lines: lines}
}

// Say implements [screen.Part].
func (l banners) Say() iter.Seq[string] { return screen.Texts(l.banners()...) }

// notes draws below the filter what may surprise in how it was understood.
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

// tablePart draws the rows, or the reason why there are none.
type tablePart struct{ *List }

// Draw implements [screen.Part].
func (l tablePart) Draw(width, height int) screen.Drawing {
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

// theServiceSays introduces the service's own words.
const theServiceSays = "The service says: "

// Say implements [screen.Part]. It says how many records there are, or why there are none.
func (l tablePart) Say() iter.Seq[string] {
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
		total.Of += l.env.Theme.Between() + "the service has more"
	}
	return total
}

// counted is how many rows are shown, of how many. If the service has sent only some of its
// records and says how many it has, that is the second number.
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

// arranging says that the rows are being filtered or sorted, once a person notices that; "" otherwise.
func (l *List) arranging() string {
	isNoticed := l.job.slow || l.job.partial
	isFiltering := l.job.partial || l.shownJob.filter != l.job.filter
	switch {
	case !l.working() || !isNoticed:
		return ""
	case isFiltering:
		return "filtering" + l.env.Theme.Glyphs.More
	}
	return "sorting" + l.env.Theme.Glyphs.More
}

// banners are the texts over the table: why the list is not the latest, and what of it is missing.
func (l *List) banners() []string {
	var texts []string
	if p := l.problem; p != nil {
		texts = append(texts, fmt.Sprintf("%s The list is from %s. %s %s",
			l.env.Theme.Glyphs.Bad, l.loadedAt.Local().Format(time.TimeOnly), p.Sentence, p.Hint))
	}
	if l.source.missing != "" {
		texts = append(texts, l.env.Theme.Glyphs.Warning+" "+l.source.missing)
	}
	return texts
}

// maxMessage is how many cells of a message of the service are shown.
const maxMessage = 400
