package check

import (
	"cmp"
	"context"
	"io"
	"slices"
	"time"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/desk/check"
	"gatehouse/internal/text/safetext"
	"gatehouse/internal/text/secret"
	"gatehouse/ui/browse"
	"gatehouse/ui/fields"
	"gatehouse/ui/screen"
)

// card is the screen with the checks of one address: the verdict, a row for each check, and the
// detail of the one under the cursor.
type card struct {
	screen.Base
	env  *screen.Env
	desk *Model
	// request has the password only until the run begins.
	request check.Request
	signIn  bool          // the request has a password
	run     *run          // nil when the checks are over
	report  check.Report  // what is known so far; complete when the run is over
	entry   *entry        // of the history; nil until the run is over
	cursor  screen.Cursor // on a check
	chosen  bool          // the person has moved the cursor
	table   *table        // the list with a row for the address; nil for none
	// reopened means that an earlier report is shown over another screen of the check.
	reopened bool

	// These are determined by Settle.
	width   int
	inPane  bool // whether the card stands in a pane
	hasSide bool // whether there is a pane beside it
}

// newCard makes the card of a request. The checks begin when it is shown.
func newCard(desk *Model, r check.Request) *card {
	return &card{
		env:     desk.env,
		desk:    desk,
		request: r,
		signIn:  !r.Password.IsEmpty(),
		report:  check.Report{Email: r.Email},
	}
}

// Init implements [screen.Screen]: it begins the checks, unless an earlier report is shown.
func (c *card) Init() tea.Cmd {
	if c.entry != nil {
		return nil
	}
	request := c.request
	c.request.Password = secret.Text{}
	request.Repeated = c.isRepeated()
	return c.begin(request)
}

// Close implements [screen.Screen]: it ends the checks.
func (c *card) Close() {
	if c.run != nil {
		c.run.Cancel()
	}
}

// finish shows the complete report, and adds it to the history.
func (c *card) finish(report check.Report) {
	c.run.Cancel()
	c.run = nil
	c.show(report)
	c.entry = &entry{asked: c.request, signIn: c.signIn, report: report}
	c.desk.options.History.Add(c.entry)
}

// take shows an earlier report.
func (c *card) take(kept *entry) {
	c.request, c.signIn, c.entry = kept.asked, kept.signIn, kept
	c.show(kept.report)
}

// show shows a report. The cursor goes to the check that decided the verdict, or stays on its
// check if the person has moved it.
func (c *card) show(report check.Report) {
	selected := report.Verdict.Check
	if c.chosen {
		selected = c.selectedID()
	}
	c.report = report
	c.cursor.SetCount(len(report.Checks))
	c.cursor.MoveTo(c.find(selected))
}

// find returns the row of the check with an id, -1 if there is none.
func (c *card) find(id string) int {
	return slices.IndexFunc(c.report.Checks, func(found check.Check) bool { return found.ID == id })
}

// selected is the check under the cursor, nil if there is none yet.
func (c *card) selected() *check.Check {
	if len(c.report.Checks) == 0 {
		return nil
	}
	return &c.report.Checks[c.cursor.Row()]
}

// selectedID is the id of the check under the cursor, "" if there is none yet.
func (c *card) selectedID() string {
	if selected := c.selected(); selected != nil {
		return selected.ID
	}
	return ""
}

func (c *card) Actions() []screen.Action {
	found := c.selected()
	list := []screen.Action{
		{ID: screen.CheckOpen, Reason: screen.If(found == nil, "no check has started yet"), Run: c.open},
	}
	list = append(list, c.ofReport()...)
	list = append(list, screen.Action{
		ID:          screen.CheckCopy,
		Description: "copy what the check under the cursor has found",
		SaysTitle:   true,
		Quiet:       true,
		Reason:      screen.If(found == nil, "no check has started yet"),
		Run: func() tea.Cmd {
			return c.env.Root.Copy(c.said(found), "what the check has found")
		},
	})
	list = append(list, screen.Action{ID: screen.RootBack, Run: c.back})
	for _, move := range c.cursor.Moves() {
		run := move.Run
		move.Quiet, move.Run = true, func() tea.Cmd {
			c.chosen = true
			return run()
		}
		list = append(list, move)
	}
	return list
}

// back leaves the card: to its table, to the screen over which it was opened again, or to the form.
func (c *card) back() tea.Cmd {
	if c.reopened || c.table != nil {
		return c.env.Root.Pop(c)
	}
	return c.desk.left(c)
}

// ofReport are the actions on the whole report, which the detail of a check has, too. The next
// steps of the verdict come last, and replace other actions of the same kind.
func (c *card) ofReport() []screen.Action {
	steps := c.steps()
	list := []screen.Action{c.stopAction(), c.againAction(), c.bundleAction(), c.passwordAction()}
	list = slices.DeleteFunc(list, func(a screen.Action) bool {
		return slices.ContainsFunc(steps, func(step screen.Action) bool { return step.ID == a.ID })
	})
	if c.table == nil {
		list = append(list, screen.Action{
			ID:  screen.CheckNext,
			Run: func() tea.Cmd { return c.desk.another(c) },
		})
	} else {
		list = append(list, c.besideAction(screen.CheckNextRow, 1), c.besideAction(screen.CheckPreviousRow, -1))
	}
	compare := c.desk.results().CompareAction(screen.CheckCompare, c, c.entry)
	compare.Reason = cmp.Or(c.notYet(), compare.Reason)
	list = append(list, compare)
	if c.width < screen.PaneWidth { // the footer has room for fewer words
		for i := range list {
			list[i].Title = cmp.Or(footerTitles[list[i].ID], list[i].Title)
		}
	}
	for _, step := range steps {
		step.Quiet = step.ID != screen.CheckTicket // the card shows the keys of all others
		list = append(list, step)
	}
	return list
}

func (c *card) stopAction() screen.Action {
	return screen.Action{
		ID:     screen.CheckStop,
		Reason: screen.If(c.run == nil, "the checks have finished"),
		Quiet:  c.run == nil,
		Run:    c.stop,
	}
}

func (c *card) bundleAction() screen.Action {
	bundle := screen.Action{ID: screen.CheckBundle, Reason: c.notYet(), Run: c.saveBundle}
	if c.env.Remote {
		bundle.Quiet = true
		bundle.Reason = "the file would be saved on the server; " +
			c.env.Keys.Key(screen.CheckTicket) + " copies the report"
	}
	return bundle
}

// footerTitles are shorter titles of actions for a narrow screen.
var footerTitles = map[screen.ActionID]string{
	screen.CheckAgain:    "again",
	screen.CheckPassword: "sign-in",
	screen.CheckNext:     "next",
}

// besideAction opens the card of the address a number of rows below this one in the table.
func (c *card) besideAction(id screen.ActionID, rows int) screen.Action {
	return screen.Action{ID: id, Reason: c.table.NoneBeside(rows), Run: func() tea.Cmd {
		return tea.Batch(c.env.Root.Pop(c), c.table.OpenBeside(rows))
	}}
}

// notYet is the reason of an action that needs the complete report, "" if it is complete.
func (c *card) notYet() string {
	return screen.If(c.run != nil, "the checks have not finished yet")
}

// stop stops the checks that are under way. The report then says what is not known.
func (c *card) stop() tea.Cmd {
	c.run.stopped = true
	c.run.stop()
	return nil
}

// open shows all that is known of the check under the cursor.
func (c *card) open() tea.Cmd {
	d := &detail{card: c, id: c.selectedID(), List: fields.List{Theme: c.env.Theme}}
	d.renew()
	return c.env.Root.Push(c, d)
}

// againAction makes the same checks again.
func (c *card) againAction() screen.Action {
	return screen.Action{
		ID:     screen.CheckAgain,
		Reason: c.notYet(),
		Run:    func() tea.Cmd { return c.repeat(c.request, again(c.request.Email)) },
	}
}

// again asks to type the password of an address again.
func again(email string) string {
	return "Again for " + safetext.Clip(email, maxName) + ": type the password."
}

// repeat replaces the card by that of another request. If this one had a password, it is asked
// for again, as it is not kept; why is what the form says about that.
func (c *card) repeat(r check.Request, why string) tea.Cmd {
	if c.signIn {
		return c.desk.again(c, r, why)
	}
	repeated := newCard(c.desk, r)
	repeated.table, repeated.reopened = c.table, c.reopened
	return tea.Batch(c.env.Root.Pop(c), c.env.Root.Push(c.desk, repeated))
}

// clicked moves the cursor to a row, or opens the check if it is there already.
func (c *card) clicked(row int) tea.Cmd {
	if row == c.cursor.Row() {
		return c.open()
	}
	c.chosen = true
	c.cursor.MoveTo(row)
	return nil
}

// wheel moves the cursor by one row, whatever the number of lines; a positive number moves it down.
func (c *card) wheel(lines int) {
	c.chosen = true
	c.cursor.Move(max(-1, min(lines, 1)))
}

// saveBundle asks for the file in which the report and its requests are saved.
func (c *card) saveBundle() tea.Cmd {
	report := c.report
	return c.env.Root.Push(c, browse.NewExportPrompt(c.env, browse.ExportOffer{
		Rows: 1, One: "report", Many: "reports",
		Order: "with its requests, without secrets",
		End:   ".zip",
		Name:  "gatehouse-check-" + report.ID,
		Write: browse.AtOnce(1, func(w io.Writer) error {
			return c.desk.options.WriteBundle(w, report)
		}),
	}))
}

// steps are the actions for the next steps of the verdict, in the order of the card. Where it has
// no other domain, address or domain to open, their actions say so.
func (c *card) steps() []screen.Action {
	domain := screen.Action{ID: screen.CheckDomain, Reason: "there is no other domain to try"}
	address := screen.Action{ID: screen.CheckAddress, Reason: "there is no other address to try"}
	enter := screen.Action{ID: screen.CheckEnter, Reason: "there is no domain to open"}
	if !c.desk.signedIn() {
		enter.Reason = "you are not signed in"
	}
	var first, last []screen.Action // actions that exist without the verdict as well
	for _, step := range c.report.Verdict.Next {
		action := c.actionFor(step)
		switch action.ID {
		case screen.NoAction:
		case screen.CheckDomain:
			domain = action
		case screen.CheckAddress:
			address = action
		case screen.CheckEnter:
			enter = action
		case screen.RootSignIn:
			last = append(last, action)
		default:
			first = append(first, action)
		}
	}
	ticket := screen.Action{ID: screen.CheckTicket, Reason: c.notYet(), Run: func() tea.Cmd {
		return c.env.Root.CopyDocument(c.report.Markdown(), "the report for a ticket")
	}}
	return slices.Concat(
		first, []screen.Action{domain, address, enter},
		last, []screen.Action{ticket, c.tellAction()},
	)
}

// tellAction copies the text for the user.
func (c *card) tellAction() screen.Action {
	told := c.report.Verdict.User
	reason := cmp.Or(c.notYet(), screen.If(told == "", "there is nothing to tell the user"))
	return screen.Action{ID: screen.CheckUser, Reason: reason, Run: func() tea.Cmd {
		return c.env.Root.Copy(safetext.Line(told), "the text for the user")
	}}
}

// actionFor is the action that takes a step; the zero Action if only a person can take it.
func (c *card) actionFor(step check.Step) screen.Action {
	switch step.Kind {
	case check.StepSignIn:
		password := c.passwordAction()
		password.Title = keyTitle(step)
		return password
	case check.StepAgain:
		return c.againAction()
	case check.StepOtherDomain, check.StepAskToSignIn:
		return c.domainAction(step.Domain)
	case check.StepOtherAddress:
		return c.addressAction(step.Email)
	case check.StepOpenDomain:
		return c.enterAction(step.Domain)
	case check.StepSignInAgain:
		return c.signInAction()
	}
	return screen.Action{}
}

// numbered are the next steps as the card shows them, with the keys that take them. A step that the
// person takes has none, although the program can try the same.
func (c *card) numbered() []screen.Step {
	var list []screen.Step
	for _, step := range c.report.Verdict.Next {
		shown := screen.Step{Text: safetext.Line(step.Sentence())}
		if step.Kind != check.StepAskToSignIn {
			shown.Key = c.actionFor(step)
		}
		list = append(list, shown)
	}
	return list
}

// keyTitle is a step as the title of its action, which begins with a small letter.
func keyTitle(step check.Step) string {
	text := safetext.Line(step.Text)
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToLower(first)) + text[size:]
}

// domainAction checks the same address with another domain.
func (c *card) domainAction(domain string) screen.Action {
	named := readable(domain)
	title := "check again with " + named
	if wantsDevice(c.request) {
		title = "log in again with " + named
	}
	return screen.Action{ID: screen.CheckDomain, Title: title, Run: func() tea.Cmd {
		r := c.request
		r.Domain = domain
		return c.repeat(r, "Again with the domain "+named+": type the password.")
	}}
}

// addressAction checks another address.
func (c *card) addressAction(email string) screen.Action {
	return screen.Action{
		ID:    screen.CheckAddress,
		Title: "check " + safetext.Clip(email, maxName),
		Run: func() tea.Cmd {
			r := c.request
			r.Email = email
			return c.repeat(r, withSignIn(email))
		},
	}
}

// enterAction opens a domain in the session of the person at the program.
func (c *card) enterAction(domain string) screen.Action {
	named := readable(domain)
	reason := screen.If(!c.desk.reaches(domain), "your session does not reach "+named)
	return screen.Action{ID: screen.CheckEnter, Title: "open " + named, Reason: reason, Run: func() tea.Cmd {
		return c.env.Root.EnterDomain(domain)
	}}
}

// signInAction signs the person at the program in again.
func (c *card) signInAction() screen.Action {
	return screen.Action{
		ID:     screen.RootSignIn,
		Reason: screen.If(!c.desk.signedIn(), "no session to compare with"),
		Run:    func() tea.Cmd { return c.env.Root.SignInAgain(c, "", nil) },
	}
}

// passwordAction checks the same address with a sign-in.
func (c *card) passwordAction() screen.Action {
	return screen.Action{
		ID:     screen.CheckPassword,
		Reason: c.notYet(),
		Quiet:  c.signIn,
		Run: func() tea.Cmd {
			return c.desk.again(c, c.request, withSignIn(c.request.Email))
		},
	}
}

// withSignIn asks to type the password of an address.
func withSignIn(email string) string {
	return "With a sign-in as " + safetext.Clip(email, maxName) + ": type the password."
}

// run is the checking of one address. It ends with the card.
type run struct {
	*screen.Work
	stop    context.CancelFunc // ends the checks, so that the report can be completed
	stopped bool               // by the person
	events  chan func()        // changes of the card, to be made on the UI's goroutine
	started time.Time
	began   map[string]time.Time // when each check began, by its id
}

// begin begins the checks of a request.
func (c *card) begin(request check.Request) tea.Cmd {
	r := &run{
		Work:    screen.NewWork(c.env),
		events:  make(chan func()),
		started: c.env.Now(),
		began:   map[string]time.Time{},
	}
	var checks context.Context
	checks, r.stop = context.WithCancel(r.Context)
	c.run = r
	checker := c.desk.options.NewChecker()
	work := func() tea.Msg {
		report := checker.Run(checks, request, func(changed check.Check) {
			r.tell(func() { c.put(changed) })
		})
		r.stop()
		r.tell(func() { c.finish(report) })
		return nil
	}
	return tea.Batch(work, c.listen(r), screen.Redraw(r.Context, c, time.Second))
}

// tell passes an event to the card. It drops the event if the card is closed.
func (r *run) tell(event func()) {
	select {
	case r.events <- event:
	case <-r.Context.Done():
	}
}

// listen waits for the next event of a run, and handles it on the UI's goroutine.
func (c *card) listen(r *run) tea.Cmd {
	return func() tea.Msg {
		select {
		case event := <-r.events:
			return screen.Addressed{To: c, Take: func() tea.Cmd {
				event()
				return c.listen(r)
			}}
		case <-r.Context.Done():
			return nil
		}
	}
}

// put adds a check at its place in the causal order, or replaces what was known of it. The cursor
// stays on its check.
func (c *card) put(found check.Check) {
	if found.State == check.Running {
		c.run.began[found.ID] = c.env.Now()
	}
	if at := c.find(found.ID); at >= 0 {
		c.report.Checks[at] = found
		return
	}
	selected := c.selectedID()
	at := slices.IndexFunc(c.report.Checks, func(other check.Check) bool {
		return check.Rank(other.ID) > check.Rank(found.ID)
	})
	if at < 0 {
		at = len(c.report.Checks)
	}
	c.report.Checks = slices.Insert(c.report.Checks, at, found)
	c.cursor.Follow(len(c.report.Checks), max(c.find(selected), 0))
}
