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

// Settle implements [screen.Screen]: the record under the cursor is read for the preview, if that is
// quick.
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
			total.Of += " " + l.env.Theme.Glyphs.Separator + " " + more
		}
		pane.Title = total.Title(l.env.Theme)
		pane.Foot, pane.FootRest = l.grid.RowPosition(), l.grid.ColumnsBeyond()
		pane.Note = l.note(l.width - screen.Cells(pane.Title) - aroundTexts)
	}
	if l.isLoading() {
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
		Part: table{l},
	}
}

// trouble says why there is no list.
func (l *List) trouble() screen.Part {
	if l.problem == nil {
		return screen.Column{}
	}
	return screen.Column{screen.Blank{}, screen.Indent{Part: screen.Trouble(l.env.Theme, *l.problem), Left: 1, Right: 1}}
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
	case l.shown.filter != "":
		done = "filtered in "
	case len(l.shown.keys) > 0:
		done = "sorted in "
	default:
		return l.totals(room)
	}
	return done + human.Took(l.took)
}

// totals are the sums of all rows, in as many words as there is room for.
func (l *List) totals(room int) string {
	if l.options.Notes == nil || l.shown.filter != "" {
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
	case !l.working() || !l.arranging.slow && !l.arranging.partial:
		return ""
	case l.arranging.partial || l.shown.filter != l.arranging.filter:
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
