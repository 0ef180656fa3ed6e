package check

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
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

// table is the screen with many addresses. It fills while they are checked.
type table struct {
	*browse.List
	env  *screen.Env
	desk *Model
	many *Many
	// kept is the earlier list that is shown again; nil for a new one, which is checked.
	kept *checkedList
	// reopened means that an earlier list is shown over another screen of the check.
	reopened bool
}

// newTable makes the table of a list. The checks begin when it is shown.
func newTable(desk *Model, list *batch.List) *table {
	return tableOf(desk, NewMany(desk.options.NewChecker(), list))
}

// tableOf makes the table of a Many that no other table uses.
func tableOf(desk *Model, many *Many) *table {
	t := &table{env: desk.env, desk: desk, many: many}
	t.many.jobs, t.many.now = cmp.Or(desk.options.jobs, usualJobs), desk.env.Now
	t.List = browse.NewList(desk.env, t, browse.Options{
		Title: title, One: "address", Many: "addresses", Doing: "checking", Again: "checks all again",
		Columns: t.many.columns(),
		First:   worstFirst,
		Fetch: func(ctx context.Context) (browse.Body, error) {
			return t.many.Start(ctx, slices.Values([][]byte{}))
		},
		Open:    t.open,
		Compare: t.compare,
		Preview: t.preview,
		Mark:    t.mark,
		Notes:   t.notes,
		Held:    t.held,
	})
	return t
}

// worstFirst is the order of a list after it was checked.
var worstFirst = &browse.Leading{Column: "state", Values: []string{
	string(check.Fail), string(check.Unknown), string(check.Warn), string(check.Info), string(check.OK),
}}

// notes say how the checks of the addresses ended, see [browse.Options]: with the causes, without
// them, or only how many failed.
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

// View implements [screen.Screen]. Beside the table there is the summary, until the person moves
// the cursor.
func (t *table) View() screen.View {
	v := t.List.View()
	v.Inside = func() []string {
		return []string{human.Count(t.many.Len(), "address", "addresses")}
	}
	if !t.Chosen() {
		v.Side.Border, v.Side.Body = screen.Pane{Title: "Summary"}, summary{t}
	}
	return v
}

// summary says how many addresses ended in each state, and with which causes.
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
		const numberCells, gap = len("100,000"), 2
		number := safetext.PadLeft(human.Number(c.Count), numberCells)
		cause := screen.Text{Text: safetext.Line(c.Cause.String())}
		for _, part := range cause.Draw(max(width-numberCells-gap, 1), math.MaxInt).Lines {
			lines = append(lines, theme.Number.Render(number)+"  "+part)
			number = strings.Repeat(" ", numberCells)
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
	return t.LoadOnce(func(context.Context) (browse.Body, error) {
		return t.many.again(t.kept.rows)
	})
}

// Close implements [screen.Screen]. It adds what was found so far to the history.
func (t *table) Close() {
	if t.Arrived() > 0 && t.many.hasAsked() {
		t.desk.options.History.Add(&entry{checked: keep(t)})
	}
	t.List.Close()
}

// open opens the card of a row, given as JSON. If its report was not kept, the card checks the
// address again.
func (t *table) open(record []byte) tea.Cmd {
	var r row
	if err := json.Unmarshal(record, &r); err != nil {
		return nil // not a row of this table
	}
	request := check.Request{Email: r.Email}
	opened := newCard(t.desk, request)
	if report, isKept := t.many.Report(r.Email); isKept {
		opened.take(t.entryOf(request, report))
	}
	opened.table = t
	return t.env.Root.Push(t, opened)
}

// entryOf returns the entry of the history with a report, and adds it if there is none.
func (t *table) entryOf(request check.Request, report check.Report) *entry {
	history := t.desk.options.History
	for _, e := range history.Entries {
		if e.report.ID == report.ID {
			return e
		}
	}
	added := &entry{asked: request, report: report}
	history.Add(added)
	return added
}

// compare compares the reports of two rows, given as JSON. It says so if a report was not kept.
func (t *table) compare(first, second []byte) tea.Cmd {
	var results []compare.Result
	for _, record := range [][]byte{first, second} {
		var r row
		if err := json.Unmarshal(record, &r); err != nil {
			return nil // not a row of this table
		}
		report, isKept := t.many.Report(r.Email)
		if !isKept {
			return t.env.Root.Say("The report of "+safetext.Line(r.Email)+
				" is not kept: open its row to check it again.", false)
		}
		results = append(results, (&entry{report: report}).Result())
	}
	return t.Over(compare.New(t.env, results[0], results[1], identity))
}

// preview reads a row, given as JSON, as fields in the order in which people ask: what is wrong,
// how that is known, what to do, and then the rest.
func (t *table) preview(record []byte) []fields.Group {
	var r row
	if err := json.Unmarshal(record, &r); err != nil {
		return nil // not a row of this table
	}
	report, _ := t.many.Report(r.Email)
	v := report.Verdict
	var next []string
	for _, step := range v.Next {
		next = append(next, step.Sentence())
	}
	var groups []fields.Group
	for _, g := range []fields.Group{
		proseGroup(cmp.Or(screen.Capital(r.Cause), "Sentence"), r.Sentence),
		proseGroup("How we know", v.Known),
		proseGroup("Next", next...),
		proseGroup("Tell the user", v.User),
	} {
		if len(g.Fields) > 0 {
			groups = append(groups, g)
		}
	}
	return append(groups, detailsGroup(r, report))
}

// proseGroup has texts without labels, so that they use the whole width below the title. Empty
// ones are left out.
func proseGroup(title string, texts ...string) fields.Group {
	g := fields.Group{Title: title}
	for _, text := range texts {
		if text != "" {
			g.Fields = append(g.Fields, fields.Field{Text: safetext.Line(text)})
		}
	}
	return g
}

// detailsGroup has the other members of a row. Empty ones are left out.
func detailsGroup(r row, report check.Report) fields.Group {
	g := fields.Group{Title: "Details"}
	took := time.Duration(r.MS) * time.Millisecond
	for _, f := range []fields.Field{
		fields.Fact("Before", r.Before),
		fields.Fact("Reach", report.Reach()),
		fields.Fact("Primary domain", readable(r.PrimaryDomain)),
		fields.Fact("Host", r.Host),
		fields.Fact("Took", human.Took(took)),
		fields.Fact("Report", r.ID),
	} {
		if f.Text != "" {
			f.Text = safetext.Line(f.Text)
			g.Fields = append(g.Fields, f)
		}
	}
	return g
}

// mark draws a state with its sign. It does not abbreviate addresses, as their domain matters.
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

// tones are the tones of states. Other states have no tone of their own.
var tones = map[check.State]grid.Tone{
	check.OK:      grid.Good,
	check.Warn:    grid.Warn,
	check.Unknown: grid.Warn,
	check.Fail:    grid.Bad,
}

// held says how long the service has asked to wait, see [browse.Options].
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
			a.Title = "check again"
			a.Description = "check all addresses again; a column shows each address's previous result"
		case screen.BrowseCancel:
			a.Title, a.Description = "stop", "stop checking, and keep the results so far"
			a.SaysTitle, a.Run = true, t.askToStop
		}
	}
	if t.Typing() {
		return list
	}
	return append(list,
		t.failedAction(),
		screen.Action{ID: screen.RootBack, Run: t.back})
}

// back leaves the table: to the screen over which it was opened again, or to the form.
func (t *table) back() tea.Cmd {
	if t.reopened {
		return t.env.Root.Pop(t)
	}
	return t.desk.left(t)
}

// failedAction checks the addresses again whose check failed or whose outcome is unknown.
func (t *table) failedAction() screen.Action {
	s := t.many.state()
	isWorking := t.Loading().Working
	noneFailed := s.failed+s.unknown == 0 && s.done == t.many.Len()
	return screen.Action{
		ID: screen.ChecksFailed,
		Reason: cmp.Or(
			screen.If(isWorking, "the addresses are still being checked"),
			screen.If(noneFailed, "none has failed"),
		),
		Run: func() tea.Cmd {
			shown := t.Records()
			return t.LoadOnce(func(ctx context.Context) (browse.Body, error) {
				return t.many.Start(ctx, shown)
			})
		},
	}
}

// outcome counts the addresses whose check failed or whose outcome is unknown: "7 fail, 1 unknown".
func (t *table) outcome() string {
	s := t.many.state()
	return batch.Failed.Counted(s.failed) +
		screen.If(s.unknown > 0, ", "+batch.Unknown.Counted(s.unknown))
}

// askToStop asks whether to stop the checks. If none has ended yet, it stops them without asking.
func (t *table) askToStop() tea.Cmd {
	if t.Arrived() == 0 {
		return t.Stop()
	}
	return t.env.Root.Push(t, &screen.Question{
		Env:   t.env,
		Asks:  "Stop checking?",
		Cells: 44,
		Answers: []screen.Answer{
			{
				ID:        screen.ChecksStop,
				Text:      "stop, and keep the results so far",
				SaysTitle: true,
				Run:       t.Stop,
			},
			{ID: screen.QuestionNo, Title: "go on", Text: "go on checking", SaysTitle: true},
		},
		Text: func() screen.Part {
			done, all := human.Number(t.many.state().done), human.Number(t.many.Len())
			return screen.Text{Text: done + " of " + all + " addresses have been checked."}
		},
	})
}

// readList is a list of addresses that was read, or the error of reading it.
type readList struct {
	*batch.List
	err error
}

// readList reads a list of addresses: the text itself, or the file that it names. It returns nil
// if the text is one address, or the form asks for what can only be checked of one person.
func (m *Model) readList(text string) tea.Cmd {
	many, remote := batch.MayBeMany(text), m.env.Remote
	isList := many || batch.IsFileName(text)
	r := m.request()
	hasPassword := m.Value(fieldPassword) != ""
	isForOne := r.Domain != "" || r.Control || wantsDevice(r) || hasPassword
	if isForOne || !isList {
		return nil
	}
	read := func() (l readList) {
		if many {
			l.List, l.err = batch.Pasted(text, remote)
		} else {
			l.List, l.err = batch.ReadFile(text)
		}
		return l
	}
	return screen.Reply(m, read, m.listed)
}

// listed opens the table of a list that was read, or the card if it has one address only.
func (m *Model) listed(l readList) tea.Cmd {
	if l.err != nil {
		m.Refuse(fieldEmail, refusal(l.err))
		return nil
	}
	m.sent()
	m.Leave()
	if len(l.Addresses) == 1 {
		return m.check(check.Request{Email: l.Addresses[0]})
	}
	opened := m.lead(func(desk *Model) screen.Screen { return newTable(desk, l.List) })
	return tea.Batch(opened, m.sayRivals(l.List))
}

// refusal adds to the error of reading a list how a longer one is checked.
func refusal(err error) error {
	long, ok := errors.AsType[*batch.TooManyError](err)
	switch {
	case !ok:
		return err
	case long.Remote:
		return fmt.Errorf("%w: check the others in further lists", err)
	}
	return fmt.Errorf("%w: gatehouse check --from FILE takes longer lists", err)
}

// sayRivals says which column the addresses are taken from, where another has as good a claim.
func (m *Model) sayRivals(l *batch.List) tea.Cmd {
	if len(l.Rivals) == 0 {
		return nil
	}
	return m.env.Root.Say("The addresses are taken from the column "+safetext.Line(l.Columns[l.AddressColumn])+
		"; "+safetext.Line(human.List(l.Rivals))+" may be meant as well.", false)
}
