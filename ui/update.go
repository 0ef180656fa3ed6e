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

// process is the whole way of a message: what it does in the phase that the UI is in, what it
// changes, and the frame that follows from that.
func (g guard) process(msg tea.Msg) tea.Cmd {
	r, kind := g.root, kindOf(msg)
	var settled tea.Cmd
	switch effects[r.phase][kind] {
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

// update handles a message. If the UI is awake, it also settles the screens.
func (r *root) update(msg tea.Msg) tea.Cmd {
	cmd := r.handle(msg)
	r.changed()
	if r.phase == opening && r.stack.Top() != nil && !r.work().Working {
		r.become(awake) // there is a screen to show
	}
	if r.phase != awake {
		return cmd
	}
	return tea.Batch(cmd, r.settle())
}

// settle moves the focus, lays out the screens and updates the actions after a change.
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
	case tea.WindowSizeMsg, tea.CursorPositionMsg, tea.ModeReportMsg,
		tea.BackgroundColorMsg, tea.ColorProfileMsg, continuedMsg:
		r.terminal.update(msg)
	case tea.KeyPressMsg:
		return r.clearingToast(func() tea.Cmd { return r.key(msg) })
	case screen.Addressed:
		isOpen := msg.To == nil || r.stackOf(msg.To) != nil
		if isOpen {
			return msg.Take()
		}
	case clockMsg:
		r.tick()
	case noticeMsg:
		r.notice = problem.Sentence(msg.text) // shown until the next one
	case toastMsg:
		return r.Say(msg.text, false)
	case notTakenMsg:
		return tea.Batch(r.Say(msg.reason.sentence(), true), r.pass(screen.DamagedMsg{}))
	case tea.PasteMsg:
		msg.Content = pastedLines.Replace(msg.Content)
		return r.pass(msg)
	case tea.MouseClickMsg:
		return r.clearingToast(func() tea.Cmd { return r.click(msg) })
	case tea.MouseWheelMsg:
		r.wheel(msg)
	}
	return nil
}

// clearingToast does what a person has asked for. If that shows another screen, it clears the toast
// that was there before, which was about the screen that is left.
func (r *root) clearingToast(do func() tea.Cmd) tea.Cmd {
	before, said := r.innermost(), r.toast.number
	cmd := do()
	if r.innermost() != before && r.toast.number == said {
		r.toast.text = ""
	}
	return cmd
}

// pastedLines turns each line end of a paste into a newline. Most terminals send a carriage
// return, as for the key enter.
var pastedLines = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// clockMsg tells the UI to update the times that it shows, such as the remaining life of the token.
type clockMsg struct{}

// tick sends the next clockMsg when the remaining life of the token reads differently, see
// [screen.Env.Left]: after a minute or a second.
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
	showsMinutes := left > time.Hour || r.env.Asleep && left > screen.LastMinutes
	wait := time.Second
	if showsMinutes {
		wait = left%time.Minute + time.Second
	}
	r.ticking = time.AfterFunc(wait, func() { r.send(clockMsg{}) })
}

// key handles a key. It performs the first action that has the key; actions are in the order
// overlay, screen, root. If there is none, the uppermost screen gets the key.
func (r *root) key(msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "ctrl+j":
		// The key enter, typed before the terminal was in raw mode.
		msg = tea.KeyPressMsg{Code: tea.KeyEnter}
	case "alt+esc":
		// The key esc, pressed twice within a moment.
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

// unused says that a key does nothing here and, if it has a single use elsewhere, what that is. A
// key without any use is ignored.
func (r *root) unused(key string) tea.Cmd {
	elsewhere, bound := r.env.Keys.Bound(key, r.actions)
	if !bound {
		return nil
	}
	said := key + " does nothing here."
	if elsewhere != nil {
		group := r.env.Keys.GroupOf(elsewhere.ID)
		said += " Its use under \"" + group.Title + "\": " + elsewhere.Description + "."
	}
	return r.refuse(said)
}

// refuse says why a key does nothing. The next key removes the text.
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
		r.toast.text = "" // what was refused may be possible after this action
	}
	return a.Run()
}

// updateActions determines what can be done now, with keys and texts, the most specific first.
func (r *root) updateActions() { r.actions = r.env.Keys.Fill(r.collectActions()) }

// collectActions are the actions of the screens and of the root, which have no keys and texts yet.
func (r *root) collectActions() []screen.Action {
	list := r.stack.Actions()
	closing := r.closeAction(list)
	if !hasAction(list, screen.RootBack) {
		list = append(list, screen.Action{
			ID:          screen.RootBack,
			Title:       "leave",
			Description: "quit or sign out",
			Run:         r.askToLeave,
		})
	}
	palette := screen.Action{ID: screen.RootPalette, Run: r.showPalette}
	if r.modal() {
		list = append(list, palette)
	} else {
		list = append(list, screen.Action{ID: screen.RootHelp, Run: r.showHelp}, palette)
		canSignInAgain := !r.signingIn() && r.domains() != nil
		if canSignInAgain && !slices.ContainsFunc(list, signsInAgain) {
			list = append(list, r.signInAgainAction())
		}
		if !hasAction(list, screen.RootCheck) {
			list = append(list, r.checkAction())
		}
	}
	if !r.options.Remote {
		list = append(list, r.suspendAction())
	}
	return append(list, r.mouseAction(), closing, screen.Action{ID: screen.RootQuit, Run: r.quit})
}

func hasAction(list []screen.Action, id screen.ActionID) bool {
	return slices.ContainsFunc(list, func(a screen.Action) bool { return a.ID == id })
}

func (r *root) signInAgainAction() screen.Action {
	page := r.page()
	return screen.Action{
		ID:    screen.RootSignIn,
		Quiet: true,
		Run:   func() tea.Cmd { return r.SignInAgain(page, "", nil) },
	}
}

func (r *root) checkAction() screen.Action {
	_, isHere := r.page().(*check.Model)
	return screen.Action{
		ID:    screen.RootCheck,
		Quiet: true,
		Reason: cmp.Or(
			screen.If(r.service == nil, "the session is not open yet"),
			screen.If(isHere, "this is the form for it"),
		),
		Run: func() tea.Cmd { return r.Check("") },
	}
}

func (r *root) suspendAction() screen.Action {
	return screen.Action{
		ID:     screen.RootSuspend,
		Reason: screen.If(!r.suspendable, "there is no shell to return to"),
		Run:    func() tea.Cmd { return r.pendingAnswers.before(tea.SuspendMsg{}) },
	}
}

// mouseAction turns the mouse on or off.
func (r *root) mouseAction() screen.Action {
	return screen.Action{
		ID:     screen.RootMouse,
		Reason: screen.If(!r.clicks, "this terminal reports no clicks"),
		Run:    r.switchMouse,
	}
}

// closeAction closes the innermost screen, as the first of the other actions that goes back does.
// On the outermost screen it quits; if that loses a session, it asks first.
func (r *root) closeAction(others []screen.Action) screen.Action {
	back := slices.IndexFunc(others, func(a screen.Action) bool { return r.env.Keys.GoesBack(a.ID) })
	if back >= 0 {
		return screen.Action{
			ID:    screen.RootClose,
			Quiet: true,
			Run:   func() tea.Cmd { return r.perform(others[back]) },
		}
	}
	leave := screen.Action{
		ID:          screen.RootClose,
		Title:       "quit",
		Description: r.quitText(),
		SaysTitle:   true,
		TitleOnly:   !r.hasSession(),
		Run:         r.quit,
	}
	if r.losesSession() {
		leave.Run = r.askToLeave
	}
	return leave
}

// quit ends the program.
func (r *root) quit() tea.Cmd {
	r.become(leaving)
	return r.pendingAnswers.before(tea.QuitMsg{})
}

// wheelLines is by how many lines one notch of the wheel scrolls.
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
