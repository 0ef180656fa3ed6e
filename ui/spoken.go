package ui

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/text/hostname"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// Spoken is the UI for people who hear it: the same screens, actions and messages, of which
// nothing is drawn. Its methods are called one after another.
type Spoken struct {
	root *root
	// messages are not handled yet; nil says only that waited has changed.
	messages chan tea.Msg
	// waited is how many commands are running whose end somebody waits for.
	waited atomic.Int64
}

// The room in which screens are laid out: with it they have the words for which there is room.
const spokenWidth, spokenHeight = 2 * screen.PaneWidth, 60

// NewSpoken opens the UI. The caller closes it.
func NewSpoken(ctx context.Context, o *Options) *Spoken {
	s := &Spoken{messages: make(chan tea.Msg, 1000)}
	s.root = newRoot(screen.WithAside(ctx, func(change int64) { s.waited.Add(-change); s.send(nil) }), o)
	r := s.root
	r.styling = styles.Options{NoColor: true, Spoken: true}
	r.env.Keys = r.env.Keys.Spoken()
	r.restyle()
	r.suspendable, r.send = false, s.send
	r.width, r.height = spokenWidth, spokenHeight
	s.run(r.open(r.options.Open))
	return s
}

// Close ends the UI.
func (s *Spoken) Close() { s.root.close() }

// send passes a message on to be handled, from any goroutine.
func (s *Spoken) send(msg tea.Msg) {
	select {
	case s.messages <- msg:
	case <-s.root.env.Context.Done():
	}
}

// run runs a command on a goroutine of its own, as the library does.
func (s *Spoken) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	s.waited.Add(1)
	go func() {
		msg := guarded(cmd)()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for _, c := range batch {
				s.run(c)
			}
		} else {
			s.send(msg)
		}
		s.waited.Add(-1)
		s.send(nil)
	}()
}

// Update handles a message, such as a key.
func (s *Spoken) Update(msg tea.Msg) {
	if panicked, ok := msg.(panicMsg); ok {
		panic(panicked) // on this goroutine, whose panics are reported
	}
	s.run(s.root.update(msg))
}

// Press presses a key.
func (s *Spoken) Press(key string) {
	if press, ok := screen.Press(key); ok {
		s.Update(press)
	}
}

// Do runs an action, or what else a screen offers.
func (s *Spoken) Do(run func() tea.Cmd) { s.run(tea.Batch(run(), s.root.settle())) }

// Working reports whether something is under way that somebody waits for, or has come to its end
// and was not handled yet.
func (s *Spoken) Working() bool { return s.waited.Load() > 0 || len(s.messages) > 0 }

// Settle handles messages until nothing is under way. It calls still whenever the time of after
// has passed. The error is the context's.
func (s *Spoken) Settle(after func() <-chan time.Time, still func()) error {
	ctx := s.root.env.Context
	late := after()
	for {
		if !s.Working() {
			return ctx.Err()
		}
		select {
		case msg := <-s.messages:
			if msg != nil {
				s.Update(msg)
			}
		case <-late:
			still()
			late = after()
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Screen is the uppermost screen, or that of the tab inside a domain; nil while the session is
// being opened or closed.
func (s *Spoken) Screen() screen.Screen {
	top := s.root.stack.Top()
	if inside, ok := top.(*domainPage); ok {
		return inside.pane().Top()
	}
	return top
}

// Has reports whether a screen is still there.
func (s *Spoken) Has(shown screen.Screen) bool { return s.root.stackOf(shown) != nil }

// Title is where the person is: "harbor.example, Shares, Board minutes".
func (s *Spoken) Title() string {
	names := s.root.names()
	if inside := s.root.domain(); inside != nil {
		names = append([]string{hostname.Readable(inside.domain)}, names...)
	}
	if title := s.root.stack.TopView().Title; title != "" && s.root.stack.Top() != s.root.page() {
		names = append(names, title)
	}
	return strings.Join(names, ", ")
}

// Heard is what has happened since it was called last: who has signed in, what an action came
// to, what the session has done.
func (s *Spoken) Heard() []string {
	r := s.root
	heard := r.heard
	r.heard = nil
	if r.warning != "" {
		heard = append(heard, r.warning)
		r.warning = ""
	}
	return heard
}

// Asking is the form of the screen, nil if it asks for nothing now.
func (s *Spoken) Asking() screen.Form {
	if shown := s.Screen(); shown != nil {
		return shown.View().Form
	}
	return nil
}

// Choice is something that a person can do now.
type Choice struct {
	// Word is what it is called. Note says what it does or, if Names is set, what it belongs to. With
	// SaysWord the note says the word as well.
	Word, Note      string
	Names, SaysWord bool
	// Typed is set for those that can be done in a form. Unlisted is set for those that lead back,
	// for which there is another word, and for those that only say why they cannot be done now.
	Typed, Unlisted bool
	// ID is the action, [screen.NoAction] for a place to go to; Short is another word for it.
	ID    screen.ActionID
	Short string
	Run   func() tea.Cmd
}

// InForm is what is typed for it in place of the answer to a field: its word, or where that is a
// sentence, the short one.
func (c Choice) InForm() string { return screen.OneWord(c.Word, c.Short) }

// Choices are what can be done on the screen, and where one can go. What a person who hears the UI
// does in other ways is left out, such as moving and going back.
func (s *Spoken) Choices() []Choice {
	r := s.root
	shown := s.Screen()
	listed := shown != nil && shown.View().Rows != nil
	var choices []Choice
	for _, a := range r.actions {
		known := slices.ContainsFunc(choices, func(d Choice) bool { return d.ID == a.ID })
		opens := listed && !a.Typing && slices.Contains(a.Keys, "enter")
		global := a.ID == screen.RootSignIn && a.Quiet
		if known || opens || a.ForEyes || global {
			continue
		}
		choices = append(choices, Choice{
			ID: a.ID, Word: a.Title, Note: a.Description, SaysWord: a.SaysTitle,
			Short: r.env.Keys.ShortName(a.ID), Typed: a.Typing,
			Unlisted: !a.Enabled() || r.env.Keys.GoesBack(a.ID),
			Run:      func() tea.Cmd { return r.perform(a) },
		})
	}
	for _, report := range r.reportItems() {
		choices = append(choices, Choice{Word: report.Said, Note: report.Title + ": " + report.Note, Names: true, Run: report.Run})
	}
	if r.modal() || r.signingIn() || r.domains() == nil {
		return choices
	}
	for _, i := range slices.Concat(r.pageItems(), r.screenItems(), r.accountItems()) {
		if !slices.ContainsFunc(choices, func(known Choice) bool { return strings.EqualFold(known.Word, i.Title) }) {
			choices = append(choices, Choice{
				Word: i.Title, Note: i.Note, SaysWord: i.SaysTitle, Names: i.Group != accountGroup, Run: i.Run,
			})
		}
	}
	return choices
}

// Open opens the row under the cursor of a list, and reports whether that can be opened.
func (s *Spoken) Open() bool {
	a, ok := screen.FindAction(s.root.actions, "enter", false)
	if ok {
		s.Do(func() tea.Cmd { return s.root.perform(a) })
	}
	return ok
}

// Back leaves the screen, and reports whether there is one to go back to.
func (s *Spoken) Back() bool {
	r := s.root
	for _, a := range r.env.Keys.Fill(r.stack.Actions()) {
		if !r.env.Keys.GoesBack(a.ID) || !a.Enabled() || a.Within {
			continue
		}
		s.Do(func() tea.Cmd { return r.perform(a) })
		return true
	}
	return false
}

// CanCheck reports whether an address can be checked from here.
func (s *Spoken) CanCheck() bool { return s.root.service != nil && !s.root.modal() }

// Check checks an address, or proposes what is not a whole one in the form for it.
func (s *Spoken) Check(address string) {
	s.Do(func() tea.Cmd { return s.root.Check(address) })
}

// filterAction is the index of the action that opens the filter of a list, -1 if there is none.
func (s *Spoken) filterAction() int {
	return slices.IndexFunc(s.root.actions, func(a screen.Action) bool { return a.ID == screen.FilterOpen })
}

// HasFilter reports whether the screen has a list that can be filtered.
func (s *Spoken) HasFilter() bool { return s.filterAction() >= 0 }

// Filter filters a list by words. Without any it shows everything again.
func (s *Spoken) Filter(words string) {
	open := s.filterAction()
	if open < 0 {
		return
	}
	s.Do(s.root.actions[open].Run)
	if s.Press("ctrl+u"); words == "" {
		s.Press("esc")
		return
	}
	s.Update(tea.PasteMsg{Content: words})
	s.Press("enter")
}
