package browse

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/lists"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
	"gatehouse/styles"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

// usualColumns are the columns of a table for which nobody has chosen any: those without a value
// are hidden, unless there are no others. Nil is all of them.
func (s *source) usualColumns() []int {
	var order []int
	for i := range s.columns {
		if s.kind(i) != lists.NullColumn {
			order = append(order, i)
		}
	}
	if len(order) == len(s.columns) {
		return nil
	}
	return order
}

// columnPicker is the box over a list on which a person picks its columns: which are shown, and
// in which order.
type columnPicker struct {
	*box
	list   *List
	source *source

	// The columns in the order of the list, hidden ones among them, and which of them
	// are shown, by their numbers.
	order []int32
	shown []bool
}

// newColumnPicker makes a picker of the list's columns, on the current one.
func newColumnPicker(l *List) *columnPicker {
	p := &columnPicker{list: l, source: l.source}
	p.box = newBox(l.env.Theme, pickerRows{p}, func() []int32 { return slices.Clone(p.order) }, func(column int) string {
		return p.source.columns[column].Heading + " " + p.source.columns[column].Title
	})
	p.grid.OnClick = p.clicked
	p.load(l.grid.Order())
	p.grid.Select(l.grid.Column())
	return p
}

// load takes over the columns that are shown. A hidden column stands after the one that it
// follows in the source.
func (p *columnPicker) load(order []int) {
	p.order = nil
	p.shown = make([]bool, len(p.source.columns))
	for _, column := range order {
		if column >= 0 && column < len(p.shown) && !p.shown[column] {
			p.shown[column] = true
			p.order = append(p.order, int32(column))
		}
	}
	none := len(p.order) == 0
	for column := range p.shown {
		if none {
			p.shown[column] = true
		}
		if none || !p.shown[column] {
			behind := slices.Index(p.order, int32(column-1))
			p.order = slices.Insert(p.order, behind+1, int32(column))
		}
	}
	p.refresh()
}

// result is the columns that are chosen now, nil for all of them as the source has them.
func (p *columnPicker) result() []int {
	var order []int
	for _, column := range p.order {
		if p.shown[column] {
			order = append(order, int(column))
		}
	}
	if len(order) == len(p.shown) && slices.IsSorted(order) {
		return nil
	}
	return order
}

// current is the column under the cursor, any if the filter finds none.
func (p *columnPicker) current() int {
	column, _ := p.grid.Selected()
	return column
}

// countShown is how many columns are shown.
func (p *columnPicker) countShown() int {
	n := 0
	for _, shown := range p.shown {
		if shown {
			n++
		}
	}
	return n
}

func (p *columnPicker) Actions() []screen.Action {
	if p.Typing() {
		return p.filter.Actions()
	}
	shown, last := p.shown[p.current()], len(p.order)-1
	none, filtered := screen.If(p.grid.Len() == 0, "no column matches"), screen.If(p.filter.Visible(), "clear the filter first")
	return slices.Concat([]screen.Action{{
		ID: screen.ColumnsToggle, Title: screen.If(shown, "hide"), Run: screen.Do(p.toggle),
		Reason: cmp.Or(none, screen.If(shown && p.countShown() == 1, "one column must stay visible")),
	}}, p.filter.Actions(), []screen.Action{
		{ID: screen.ColumnsClose, Run: p.leave},
		{ID: screen.RootBack, Title: "done", Run: p.leave},
		{ID: screen.ColumnsDown, Reason: cmp.Or(filtered, screen.If(p.grid.Cursor() == last, "it is the last of the list")), Run: screen.Do(func() { p.move(1) })},
		{ID: screen.ColumnsUp, Reason: cmp.Or(filtered, screen.If(p.grid.Cursor() == 0, "it is the first of the list")), Run: screen.Do(func() { p.move(-1) })},
		{ID: screen.ColumnsDefault, Run: screen.Do(func() { p.load(p.source.usualColumns()) })},
	}, p.grid.Actions())
}

// leave goes back to the list, which remembers what was chosen.
func (p *columnPicker) leave() tea.Cmd {
	l, chosen := p.list, p.result()
	if l.source != p.source || !slices.Equal(chosen, l.grid.Order()) { // it may have been loaded again
		var kept rememberedColumns
		l.env.State.Get(l.columnsKey(), &kept)
		kept.learn(p.source, chosen)
		l.env.State.Set(l.columnsKey(), kept)
		l.layOut(l.source.title(l.grid.Column()))
	}
	return l.pop()
}

// toggle hides or shows the current column, but leaves one in sight.
func (p *columnPicker) toggle() {
	if column := p.current(); !p.shown[column] || p.countShown() > 1 {
		p.shown[column] = !p.shown[column]
		p.refresh()
	}
}

// move moves the current column past its neighbour.
func (p *columnPicker) move(by int) {
	from := p.grid.Cursor()
	if to := from + by; to >= 0 && to < len(p.order) {
		p.order[from], p.order[to] = p.order[to], p.order[from]
		p.grid.Select(int(p.order[to])) // which the cursor follows
		p.refresh()
	}
}

// View implements [screen.Screen].
func (p *columnPicker) View() screen.View {
	shown := human.Number(p.countShown()) + " of " + human.Number(len(p.shown)) + " shown"
	v := p.box.View()
	v.Title = "Columns"
	v.Border = screen.Pane{
		Title: "Columns " + p.theme.Glyphs.Separator + " " + shown,
		Foot:  p.grid.RowPosition(),
	}
	return v
}

// Size implements [screen.Screen]: it is as wide as the names of the columns need.
func (p *columnPicker) Size(width, _ int) screen.Size {
	heading, title := 0, 0
	for _, c := range p.source.columns {
		heading = max(heading, safetext.Width(safetext.Clip(c.Heading, width)))
		title = max(title, safetext.Width(safetext.Clip(c.Title, width)))
	}
	const others = 24 // the mark, the kind, and what is between
	return screen.Size{Cells: min(width, max(minBox, heading+title+others)), Lines: p.lines(len(p.shown))}
}

// clicked shows or hides a column if its box or the line under the cursor was hit.
func (p *columnPicker) clicked(hit grid.Hit) tea.Cmd {
	if hit.Target == grid.Row && (hit.Again || hit.Column == 0) {
		p.toggle()
	}
	return nil
}

// pickerRows shows the columns to the grid: a row for each.
type pickerRows struct{ *columnPicker }

func (p pickerRows) Len() int { return len(p.source.columns) }

func (p pickerRows) Columns() []grid.Column {
	return []grid.Column{{Title: ""}, {Title: "Column"}, {Title: "Field"}, {Title: "Kind"}}
}

func (p pickerRows) Cells(row int, columns []int, dst []grid.Cell) []grid.Cell {
	c := p.source.columns[row]
	mark, tone := "[ ]", grid.Muted
	if p.shown[row] {
		mark, tone = "[x]", grid.Plain
	}
	return grid.Pick([]grid.Cell{{Text: mark}, {Text: c.Heading, Tone: tone}, {Text: c.Title, Tone: grid.Muted}, {Text: p.source.kind(row).String(), Tone: grid.Muted}}, columns, dst)
}

// rememberedColumns are what is remembered of the columns of a list, by their names: the next
// answer may have others, and what is said of those stays.
type rememberedColumns struct {
	// Shown are the columns from left to right and Hidden the others; with none,
	// nobody has chosen yet. Columns in neither are shown after them.
	Shown  []string `json:"shown,omitempty"`
	Hidden []string `json:"hidden,omitempty"`
}

// columnsKey is the key under which the state keeps the columns of this list.
func (l *List) columnsKey() string { return l.options.Many + ".columns" }

// layOut shows the columns as the person left them, with the one of that title as
// the current one, or else the first.
func (l *List) layOut(current string) {
	var kept rememberedColumns
	l.env.State.Get(l.columnsKey(), &kept)
	order := kept.order(l.source)
	l.grid.SetOrder(order)
	column := l.source.index(current)
	if column < 0 && len(order) > 0 {
		column = order[0]
	}
	l.grid.SelectColumn(column)
}

// order is the columns of a source as they were chosen, and after them those that nobody
// has seen yet.
func (k rememberedColumns) order(s *source) []int {
	usual := s.usualColumns()
	if len(k.Shown) == 0 {
		return usual
	}
	var order, fresh []int
	for _, title := range k.Shown {
		for column, c := range s.columns {
			if c.Title == title && !slices.Contains(order, column) {
				order = append(order, column)
			}
		}
	}
	for column, c := range s.columns {
		known := slices.Contains(order, column) || slices.Contains(k.Hidden, c.Title)
		if !known && (usual == nil || slices.Contains(usual, column)) {
			fresh = append(fresh, column)
		}
	}
	return append(order, fresh...)
}

// learn takes over the columns of a source, and keeps what is known of those that it lacks.
func (k *rememberedColumns) learn(s *source, shown []int) {
	elsewhere := func(titles []string) []string {
		return slices.DeleteFunc(slices.Clone(titles), func(title string) bool { return s.index(title) >= 0 })
	}
	k.Shown, k.Hidden = elsewhere(k.Shown), elsewhere(k.Hidden)
	if slices.Equal(s.usualColumns(), shown) {
		return
	}
	var titles []string
	for _, column := range shown {
		titles = append(titles, s.columns[column].Title)
	}
	for column, c := range s.columns {
		switch {
		case len(shown) == 0: // all
			titles = append(titles, c.Title)
		case !slices.Contains(shown, column):
			k.Hidden = append(k.Hidden, c.Title)
		}
	}
	k.Shown = append(titles, k.Shown...)
}

// box is a list of its own in a box over the records, such as the columns, with a filter.
type box struct {
	screen.Base
	theme  *styles.Theme
	grid   *grid.Model
	filter *grid.FilterLine
	rows   func() []int32       // all, in their order
	text   func(row int) string // what is filtered of a row
	// above stands over the filter, instead in place of the rows; nil: nothing does.
	above, instead func() screen.Part
}

func newBox(theme *styles.Theme, source grid.Source, rows func() []int32, text func(row int) string) *box {
	b := &box{theme: theme, grid: grid.New(theme, source), rows: rows, text: text}
	b.grid.RowsOnly = true
	b.filter = grid.NewFilterLine(theme, grid.ByWords, func(string) tea.Cmd {
		b.refresh()
		return nil
	})
	return b
}

// refresh shows the rows that have every word of the filter.
func (b *box) refresh() {
	words := b.filter.Words()
	b.grid.SetRows(slices.DeleteFunc(b.rows(), func(row int32) bool { return !grid.ContainsAll(b.text(int(row)), words) }))
	b.grid.SetMatch(words)
}

func (b *box) Typing() bool { return b.filter.Typing() }

func (b *box) Update(msg tea.Msg) tea.Cmd { return b.filter.Update(msg) }

// lines are how many lines all rows take.
func (b *box) lines(rows int) int {
	if b.filter.Visible() {
		rows++
	}
	return rows + 1
}

// Settle implements [screen.Screen].
func (b *box) Settle(room screen.Room) {
	b.grid.Settle(room.Width, b.body().Rest(room.Width, room.Height))
}

// Frame implements [screen.Screen].
func (b *box) Frame() screen.Frame { return screen.InBox }

// View is what all such boxes show.
func (b *box) View() screen.View {
	return screen.View{
		Body: b.body(), Wheel: b.grid.Wheel, Typing: b.Typing(), Modal: true, Rows: b.grid,
	}
}

func (b *box) body() screen.Fill {
	filter := screen.Indent{Part: b.filter, Left: 1}
	body := screen.Fill{Above: []screen.Part{filter}, Part: b.grid}
	if b.above != nil {
		body.Above = []screen.Part{b.above(), filter}
	}
	var instead screen.Part
	if b.instead != nil {
		instead = b.instead()
	}
	if instead == nil && b.grid.Len() == 0 {
		nothing := screen.Text{Style: b.theme.Muted, Text: "Nothing here matches the filter."}
		instead = screen.Indent{Part: nothing, Left: 1}
	}
	if instead != nil {
		body.Part = screen.Padded{Part: instead}
	}
	return body
}
