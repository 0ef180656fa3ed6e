package check

import (
	"cmp"
	"context"
	"encoding/json"
	"iter"
	"math"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/desk/batch"
	"gatehouse/internal/desk/check"
	"gatehouse/internal/lists"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
	"gatehouse/ui/browse"
	"gatehouse/ui/compare"
	"gatehouse/ui/fields"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

// table shows many addresses as a list, which fills while they are checked.
type table struct {
	*browse.List
	env  *screen.Env
	desk *Model
	many *Many
	// kept is the list of before that is shown once more; nil: it is checked first.
	kept *checkedList
	// reopened is set for a list of before that is shown over another screen of the check.
	reopened bool
}

// newTable makes the table of a list; checking begins when it is shown.
func newTable(desk *Model, list *batch.List) *table {
	return tableOf(desk, NewMany(desk.options.NewChecker(), list))
}

// tableOf makes the table of addresses that nobody else checks.
func tableOf(desk *Model, many *Many) *table {
	t := &table{env: desk.env, desk: desk, many: many}
	t.many.jobs, t.many.now = cmp.Or(desk.options.jobs, usualJobs), desk.env.Now
	t.List = browse.NewList(desk.env, t, browse.Options{
		Title: title, One: "address", Many: "addresses", Doing: "checking", Again: "checks all again",
		Columns: t.many.columns(), First: worstFirst,
		Fetch: func(ctx context.Context) (browse.Body, error) { return t.many.Start(ctx, slices.Values([][]byte{})) },
		Open:  t.open, Compare: t.compare, Preview: t.preview, Mark: t.mark, Notes: t.notes, Held: t.held,
	})
	return t
}

// worstFirst is the order of a list that has been checked.
var worstFirst = &browse.Leading{Column: "state", Values: []string{
	string(check.Fail), string(check.Unknown), string(check.Warn), string(check.Info), string(check.OK),
}}

// notes say how the addresses ended, with the causes where there is room. The title has their number.
func (t *table) notes() []string {
	s := t.many.state()
	texts := []string{s.outcomes}
	for _, c := range s.causes[:min(len(s.causes), maxCauses)] {
		texts = append(texts, c.State.Counted(c.Count)+": "+c.Cause.String())
	}
	return []string{safetext.Line(strings.Join(texts, "; ")), safetext.Line(s.outcomes), t.outcome()}
}

// maxCauses is how many causes a summary names.
const maxCauses = 20

// View implements [screen.Screen]. The summary stands beside the table until the person has chosen a
// row.
func (t *table) View() screen.View {
	v := t.List.View()
	v.Inside = func() []string { return []string{human.Count(t.many.Len(), "address", "addresses")} }
	if !t.Chosen() {
		v.Side.Border, v.Side.Body = screen.Pane{Title: "Summary"}, summary{t}
	}
	return v
}

// summary is how many addresses ended how, with the causes of each outcome.
type summary struct{ *table }

// Draw implements [screen.Part].
func (t summary) Draw(width, height int) screen.Drawing {
	s, theme := t.many.state(), t.env.Theme
	lines := screen.Text{Text: safetext.Line(s.summary) + "."}.Draw(width, math.MaxInt).Lines
	last := batch.Open
	for _, c := range s.causes {
		if c.State != last {
			lines = append(lines, "", screen.Section(theme, c.State.String(), width))
			last = c.State
		}
		const cells = len("100,000")
		number := safetext.PadLeft(human.Number(c.Count), cells)
		cause := screen.Text{Text: safetext.Line(c.Cause.String())}
		for _, part := range cause.Draw(max(width-cells-2, 1), math.MaxInt).Lines {
			lines = append(lines, theme.Number.Render(number)+"  "+part)
			number = strings.Repeat(" ", cells)
		}
	}
	return screen.Drawing{Lines: screen.AtMost(lines, height, width)}
}

// Say implements [screen.Part].
func (t summary) Say() iter.Seq[string] {
	s := t.many.state()
	texts := []string{s.summary}
	for _, c := range s.causes {
		texts = append(texts, c.State.Counted(c.Count)+": "+c.Cause.String())
	}
	return screen.Texts(texts...)
}

// Init implements [screen.Screen].
func (t *table) Init() tea.Cmd {
	if t.kept == nil {
		return t.Load()
	}
	return t.LoadOnce(func(context.Context) (browse.Body, error) { return t.many.again(t.kept.rows) })
}

// Close implements [screen.Screen]. What was found out until now is kept.
func (t *table) Close() {
	if t.Arrived() > 0 && t.many.hasAsked() {
		t.desk.options.History.Add(&entry{checked: keep(t)})
	}
	t.List.Close()
}

// open opens the card of a row.
func (t *table) open(record []byte) tea.Cmd {
	var r row
	if err := json.Unmarshal(record, &r); err != nil {
		return nil // no row of ours
	}
	asked := check.Request{Email: r.Email}
	report, kept := t.many.Report(r.Email)
	opened, history := newCard(t.desk, asked), t.desk.options.History
	if kept {
		shown := &entry{asked: asked, report: report}
		if at := slices.IndexFunc(history.Entries, func(e *entry) bool { return e.report.ID == report.ID }); at >= 0 {
			shown = history.Entries[at]
		} else {
			history.Add(shown)
		}
		opened.take(shown)
	}
	opened.table = t
	return t.env.Root.Push(t, opened)
}

// compare shows the reports of two rows beside each other. Where a report is not kept, it says so.
func (t *table) compare(first, second []byte) tea.Cmd {
	var results []compare.Result
	for _, record := range [][]byte{first, second} {
		var r row
		if err := json.Unmarshal(record, &r); err != nil {
			return nil // no row of ours
		}
		report, kept := t.many.Report(r.Email)
		if !kept {
			return t.env.Root.Say("The report of "+safetext.Line(r.Email)+" is not kept: open its row to check it again.", false)
		}
		results = append(results, (&entry{report: report}).Result())
	}
	return t.Over(compare.New(t.env, results[0], results[1], identity))
}

// preview reads a row as a person does: what it is, why, what to do, and only then the rest.
func (t *table) preview(record []byte) []fields.Group {
	var r row
	if err := json.Unmarshal(record, &r); err != nil {
		return nil // no row of ours
	}
	var groups []fields.Group
	add := func(title string, texts ...string) { // prose has the width, below its heading
		g := fields.Group{Title: title}
		for _, text := range texts {
			if text != "" {
				g.Fields = append(g.Fields, fields.Field{Text: safetext.Line(text)})
			}
		}
		if len(g.Fields) > 0 {
			groups = append(groups, g)
		}
	}
	report, _ := t.many.Report(r.Email)
	v := report.Verdict
	add(cmp.Or(screen.Capital(r.Cause), "Sentence"), r.Sentence)
	add("How we know", v.Known)
	var next []string
	for _, step := range v.Next {
		next = append(next, step.Sentence())
	}
	add("Next", next...)
	add("Tell the user", v.User)
	facts := fields.Group{Title: "Details"}
	for _, f := range []fields.Field{
		fields.Fact("Before", r.Before), fields.Fact("Reach", report.Reach()),
		fields.Fact("Primary domain", readable(r.PrimaryDomain)), fields.Fact("Host", r.Host),
		fields.Fact("Took", human.Took(time.Duration(r.MS)*time.Millisecond)), fields.Fact("Report", r.ID),
	} {
		if f.Text != "" {
			f.Text = safetext.Line(f.Text)
			facts.Fields = append(facts.Fields, f)
		}
	}
	return append(groups, facts)
}

// mark puts the sign of a state before it. An address is not shortened: its domain matters.
func (t *table) mark(column string, _ lists.Cell, cell *grid.Cell) {
	switch {
	case column == "email":
		cell.Short, cell.Tone = "", grid.Plain
		return
	case column != "state" || cell.State != grid.Value:
		return
	}
	state := check.State(cell.Text)
	sign, _ := Mark(t.env.Theme, state)
	cell.Text = sign + " " + cell.Text
	if tone, ok := tones[state]; ok {
		cell.Tone = tone
	}
}

// tones are those of the states that have one.
var tones = map[check.State]grid.Tone{check.OK: grid.Good, check.Warn: grid.Warn, check.Unknown: grid.Warn, check.Fail: grid.Bad}

// held says for how long the service wants to be asked nothing.
func (t *table) held() []string {
	s := t.many.state()
	if s.waiting == 0 {
		return nil
	}
	done := "checked " + human.Number(s.done) + " of " + human.Count(t.many.Len(), "address", "addresses")
	return []string{done, "the service told us to wait " + human.Span(s.waiting+time.Second-1)}
}

func (t *table) Actions() []screen.Action {
	list := t.List.Actions()
	for i := range list {
		a := &list[i]
		switch a.ID {
		case screen.BrowseOpen:
			a.Title, a.Description = "card", "show the checks of the address"
		case screen.BrowseReload:
			a.Title, a.Description = "check again", "check all addresses again; a column shows each address's previous result"
		case screen.BrowseCancel:
			a.Title, a.Description, a.SaysTitle = "stop", "stop checking, and keep the results so far", true
			stop := screen.Answer{Text: "stop, and keep the results so far", SaysTitle: true, Run: t.Stop}
			goOn := screen.Answer{Title: "go on", Text: "go on checking", SaysTitle: true}
			a.Run = t.ask("Stop checking?", stop, goOn)
		}
	}
	if t.Typing() {
		return list
	}
	s := t.many.state()
	working := t.Loading().Working
	none := s.failed+s.unknown == 0 && s.done == t.many.Len()
	return append(list,
		screen.Action{
			ID: screen.ChecksFailed, Reason: cmp.Or(screen.If(working, "the addresses are still being checked"), screen.If(none, "none has failed")),
			Run: func() tea.Cmd {
				shown := t.Records()
				return t.LoadOnce(func(ctx context.Context) (browse.Body, error) { return t.many.Start(ctx, shown) })
			},
		},
		screen.Action{ID: screen.RootBack, Run: func() tea.Cmd { return t.desk.left(t) }})
}

// outcome counts what failed, and what is not known: "7 fail, 1 unknown".
func (t *table) outcome() string {
	s := t.many.state()
	return batch.Failed.Counted(s.failed) + screen.If(s.unknown > 0, ", "+batch.Unknown.Counted(s.unknown))
}

// ask asks before checks are stopped that would have to be made again.
func (t *table) ask(asks string, stop, stay screen.Answer) func() tea.Cmd {
	return func() tea.Cmd {
		if t.Arrived() == 0 {
			return stop.Run()
		}
		stop.ID, stay.ID = screen.ChecksStop, screen.QuestionNo
		return t.env.Root.Push(t, &screen.Question{
			Env: t.env, Asks: asks, Cells: 44, Answers: []screen.Answer{stop, stay},
			Text: func() screen.Part {
				done, all := human.Number(t.many.state().done), human.Number(t.many.Len())
				return screen.Text{Text: done + " of " + all + " addresses have been checked."}
			},
		})
	}
}

// list is one of addresses that was read, or why there is none.
type list struct {
	*batch.List
	err error
}

// readList reads what was typed or pasted in place of one address, nil if that is one.
func (m *Model) readList(text string) tea.Cmd {
	many, remote := batch.MayBeMany(text), m.env.Remote
	r := m.request()
	ofOne := r.Domain != "" || r.Control || wantsDevice(r) || m.Value(fieldPassword) != "" // is known of one person alone
	if ofOne || !many && !batch.IsFileName(text) {
		return nil
	}
	read := func() (l list) {
		if many {
			l.List, l.err = batch.Pasted(text, remote)
		} else {
			l.List, l.err = batch.ReadFile(text)
		}
		return l
	}
	return screen.Reply(m, read, m.listed)
}

// listed opens the table of a list that was read.
func (m *Model) listed(l list) tea.Cmd {
	if l.err != nil {
		m.Refuse(fieldEmail, l.err)
		return nil
	}
	m.sent()
	m.Leave()
	if len(l.Addresses) == 1 {
		return m.check(check.Request{Email: l.Addresses[0]})
	}
	return m.lead(func(desk *Model) screen.Screen { return newTable(desk, l.List) })
}
