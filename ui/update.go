package ui

import (
	"cmp"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/text/problem"
	"gatehouse/ui/check"
	"gatehouse/ui/screen"
)

// process takes a message all its way: what it does in the phase that the UI is in, what it changes,
// and the frame that follows from that.
func (g guard) process(msg tea.Msg) tea.Cmd {
	r, kind := g.root, kindOf(msg)
	var settled tea.Cmd
	switch steps[r.phase][kind] {
	case rested:
		r.become(asleep)
		r.drawTimes()
		return guarded(r.savePlace(r.env.Context))
	case timed:
		r.drawTimes()
		return nil
	case woken:
		r.become(awake)
		r.redraw()
	case shown:
		r.become(awake)
		settled = r.settle()
	}
	cmd := guarded(tea.Batch(settled, r.update(msg)))
	if r.phase != awake {
		return cmd
	}
	r.frame = r.view()
	r.painter.Show(r.frame, kind == byHand || kind == ofSize)
	if kind != byTime {
		r.pause.Reset(sleepDelay)
	}
	return cmd
}

// update handles a message, and settles what follows from it if it will be seen.
func (r *root) update(msg tea.Msg) tea.Cmd {
	cmd := r.handle(msg)
	r.changed()
	if r.phase == opening && r.stack.Top() != nil && !r.work().Working {
		r.become(awake) // there is something to look at
	}
	if r.phase != awake {
		return cmd
	}
	return tea.Batch(cmd, r.settle())
}

// settle updates focus, frame and actions after a change.
func (r *root) settle() tea.Cmd {
	cmd := r.moveFocus()
	r.layOut()
	if r.focused != nil {
		cmd = tea.Batch(cmd, r.focused.Shown())
	}
	return cmd
}

// moveFocus calls Blur and Focus if another screen has become the innermost one.
func (r *root) moveFocus() tea.Cmd {
	before, now := r.focused, r.innermost()
	if before == now {
		return nil
	}
	r.focused = now
	if before != nil {
		before.Blur()
	}
	if now != nil {
		return now.Focus()
	}
	return nil
}

// handle passes a message to its receiver.
func (r *root) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg, tea.CursorPositionMsg, tea.ModeReportMsg, tea.BackgroundColorMsg, tea.ColorProfileMsg, continuedMsg:
		r.terminal.update(msg)
	case tea.KeyPressMsg:
		return r.leaving(func() tea.Cmd { return r.key(msg) })
	case screen.Addressed:
		if msg.To == nil || r.stackOf(msg.To) != nil { // it may have been closed meanwhile
			return msg.Take()
		}
	case clockMsg:
		r.tick()
	case noticeMsg:
		r.notice = problem.Sentence(msg.text) // until the next one
	case toastMsg:
		return r.Say(msg.text, false)
	case notTakenMsg:
		return tea.Batch(r.Say(msg.reason.sentence(), true), r.pass(screen.DamagedMsg{}))
	case tea.PasteMsg:
		msg.Content = pastedLines.Replace(msg.Content)
		return r.pass(msg)
	case tea.MouseClickMsg:
		return r.leaving(func() tea.Cmd { return r.click(msg) })
	case tea.MouseWheelMsg:
		r.wheel(msg)
	}
	return nil
}

// leaving does what a person has asked for. What was said of a screen is gone where that leads to
// another one.
func (r *root) leaving(do func() tea.Cmd) tea.Cmd {
	before, said := r.innermost(), r.toast.number
	cmd := do()
	if r.innermost() != before && r.toast.number == said {
		r.toast.text = ""
	}
	return cmd
}

// pastedLines makes each line end of a paste a newline: most terminals send what the key enter sends
// instead.
var pastedLines = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// clockMsg updates the times that the screen shows, such as the remaining life in the header.
type clockMsg struct{}

// tick waits until the remaining life is displayed differently, see [screen.Env.Left]: a
// minute or a second.
func (r *root) tick() {
	if r.ticking != nil {
		r.ticking.Stop()
	}
	if r.service == nil {
		return
	}
	status := r.service.Session.Status()
	left := status.ExpiresAt.Sub(r.env.Now())
	if left <= 0 {
		return
	}
	wait := time.Second
	if left > time.Hour || r.env.Asleep && left > screen.LastMinutes {
		wait = left%time.Minute + time.Second
	}
	r.ticking = time.AfterFunc(wait, func() { r.send(clockMsg{}) })
}

// key handles a key: the first action that has it runs; they are in the order overlay,
// screen, root. If there is none, the uppermost screen gets the key.
func (r *root) key(msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "ctrl+j":
		// What enter sends if typed before the terminal was in raw mode.
		msg = tea.KeyPressMsg{Code: tea.KeyEnter}
	case "alt+esc":
		// What esc pressed twice quickly looks like.
		escape := tea.KeyPressMsg{Code: tea.KeyEscape}
		first := r.key(escape)
		r.changed()
		r.updateActions()
		return tea.Batch(first, r.key(escape))
	}
	action, ok := screen.FindAction(r.actions, msg.String(), r.typing())
	switch {
	case ok:
		return r.perform(action)
	case r.typing():
		return r.pass(msg)
	}
	return tea.Batch(r.pass(msg), r.unused(msg.String()))
}

// unused says of a key that does nothing here what it does elsewhere, if that is one thing, and nothing
// of one that has no meaning anywhere.
func (r *root) unused(key string) tea.Cmd {
	elsewhere, bound := r.env.Keys.Bound(key, r.actions)
	if !bound {
		return nil
	}
	said := key + " does nothing here."
	if elsewhere != nil {
		group := r.env.Keys.GroupOf(elsewhere.ID)
		said += " Its use under \"" + group + "\": " + elsewhere.Description + "."
	}
	return r.refuse(said)
}

// refuse says why a key does nothing, until the next one.
func (r *root) refuse(text string) tea.Cmd {
	said := r.Say(text, false)
	r.toast.refusal = true
	return said
}

// perform runs an action, or says why it is disabled.
func (r *root) perform(a screen.Action) tea.Cmd {
	if !a.Enabled() {
		why := "Not now: "
		if a.Never {
			why = "Not for visitors: "
		}
		return r.refuse(why + a.Reason + ".")
	}
	if r.toast.refusal {
		r.toast.text = "" // it may be possible after this
	}
	if a.Run != nil {
		return a.Run()
	}
	key := r.env.Keys.Standard(a.ID)
	if key == "" && len(a.Keys) > 0 {
		key = a.Keys[0]
	}
	if press, ok := screen.Press(key); ok {
		return r.pass(press)
	}
	return nil
}

// updateActions determines what can be done now, the most specific first.
func (r *root) updateActions() { r.actions = r.env.Keys.Fill(r.collectActions()) }

// collectActions are the actions without keys and texts of the key map.
func (r *root) collectActions() []screen.Action {
	list := r.stack.Actions()
	last := r.closeAction(list)
	if !slices.ContainsFunc(list, func(a screen.Action) bool { return a.ID == screen.RootBack }) {
		list = append(list, screen.Action{ID: screen.RootBack, Title: "leave", Description: "quit or sign out", Run: r.askToLeave})
	}
	palette := screen.Action{ID: screen.RootPalette, Run: r.showPalette}
	if r.modal() {
		list = append(list, palette)
	} else {
		list = append(list, screen.Action{ID: screen.RootHelp, Run: r.showHelp}, palette)
		if !r.signingIn() && r.domains() != nil && !slices.ContainsFunc(list, signsInAgain) {
			page := r.page()
			list = append(list, screen.Action{ID: screen.RootSignIn, Quiet: true, Run: func() tea.Cmd { return r.SignInAgain(page, "", nil) }})
		}
		if !slices.ContainsFunc(list, func(a screen.Action) bool { return a.ID == screen.RootCheck }) {
			_, here := r.page().(*check.Model)
			reason := cmp.Or(screen.If(r.service == nil, "the session is not open yet"), screen.If(here, "this is the form for it"))
			list = append(list, screen.Action{ID: screen.RootCheck, Quiet: true, Reason: reason, Run: func() tea.Cmd { return r.Check("") }})
		}
	}
	if !r.options.Remote {
		list = append(list, screen.Action{
			ID: screen.RootSuspend, Reason: screen.If(!r.suspendable, "there is no shell to return to"), Run: func() tea.Cmd { return r.owed.before(tea.SuspendMsg{}) },
		})
	}
	return append(list, r.mouseAction(), last, screen.Action{ID: screen.RootQuit, Run: r.quit})
}

// mouseAction turns the mouse on or off.
func (r *root) mouseAction() screen.Action {
	return screen.Action{
		ID: screen.RootMouse, Reason: screen.If(!r.clicks, "this terminal reports no clicks"), Run: r.switchMouse,
	}
}

// closeAction closes what is innermost, as the first of the other actions that goes back
// does. On the outermost screen it quits; if that loses a session, it asks first.
func (r *root) closeAction(others []screen.Action) screen.Action {
	back := slices.IndexFunc(others, func(a screen.Action) bool { return r.env.Keys.GoesBack(a.ID) })
	if back >= 0 {
		return screen.Action{ID: screen.RootClose, Quiet: true, Run: func() tea.Cmd { return r.perform(others[back]) }}
	}
	leave := screen.Action{
		ID: screen.RootClose, Title: "quit", Description: r.quitText(), SaysTitle: true, Run: r.quit,
	}
	if r.losesSession() {
		leave.Run = r.askToLeave
	}
	return leave
}

// quit ends the program.
func (r *root) quit() tea.Cmd {
	r.become(leaving)
	return r.owed.before(tea.QuitMsg{})
}

// wheelLines is how far one notch of the wheel scrolls.
const wheelLines = 3

// click handles a click: on a spot of the frame, or on the uppermost screen.
func (r *root) click(msg tea.MouseClickMsg) tea.Cmd {
	if msg.Button != tea.MouseLeft {
		return nil
	}
	if cmd, hit := screen.ClickOn(r.chrome.spots, msg.X, msg.Y); hit {
		return cmd
	}
	y := msg.Y - r.chrome.body
	if y < 0 || y >= r.chrome.bodyHeight {
		return nil
	}
	return r.stack.Click(msg.X, y)
}

// wheel scrolls the uppermost screen.
func (r *root) wheel(msg tea.MouseWheelMsg) {
	switch msg.Button {
	case tea.MouseWheelDown:
		r.stack.Wheel(wheelLines)
	case tea.MouseWheelUp:
		r.stack.Wheel(-wheelLines)
	}
}
