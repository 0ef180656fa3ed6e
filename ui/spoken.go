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

// Spoken is the UI for people who hear it. It has the same screens, actions and messages, but draws
// nothing. Its methods must not be called at the same time.
type Spoken struct {
	root *root
	// messages are the messages that are not handled yet. A nil one says that running has changed.
	messages chan tea.Msg
	// running is how many commands are running for which a person waits.
	running atomic.Int64
}

// The size for which screens are laid out. It is large enough for all their words.
const spokenWidth, spokenHeight = 2 * screen.PaneWidth, 60

// maxMessages is how many messages may wait to be handled before their senders have to wait.
const maxMessages = 1000

// NewSpoken opens the UI. The caller closes it.
func NewSpoken(ctx context.Context, o *Options) *Spoken {
	s := &Spoken{messages: make(chan tea.Msg, maxMessages)}
	aside := func(change int64) {
		s.running.Add(-change)
		s.send(nil)
	}
	s.root = newRoot(screen.WithAside(ctx, aside), o)
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

// send has a message handled. It may be called on any goroutine.
func (s *Spoken) send(msg tea.Msg) {
	select {
	case s.messages <- msg:
	case <-s.root.env.Context.Done():
	}
}

// run runs a command, and each command of a batch, on a goroutine of its own.
func (s *Spoken) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	s.running.Add(1)
	go func() {
		msg := guarded(cmd)()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for _, c := range batch {
				s.run(c)
			}
		} else {
			s.send(msg)
		}
		s.running.Add(-1)
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

// Do runs an action or an entry of a screen.
func (s *Spoken) Do(run func() tea.Cmd) {
	cmd := run()
	s.root.changed()
	s.run(tea.Batch(cmd, s.root.settle()))
}

// Working reports whether a person has to wait: a command is running, or its message was not
// handled yet.
func (s *Spoken) Working() bool { return s.running.Load() > 0 || len(s.messages) > 0 }

// Settle handles messages until no person has to wait. It calls still each time that the channel of
// after receives. The error is that of the context.
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

// Screen is the uppermost screen, in a domain that of the active tab; nil while the session is being
// opened or closed.
func (s *Spoken) Screen() screen.Screen {
	top := s.root.stack.Top()
	if inside, ok := top.(*domainPage); ok {
		return inside.pane().Top()
	}
	return top
}

// Has reports whether a screen is still open.
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

// Heard returns the messages since it was called last: who has signed in, whether an action
// worked, what the session has done.
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

// Asking is the form of the screen; nil if the screen asks for nothing now.
func (s *Spoken) Asking() screen.Form {
	if shown := s.Screen(); shown != nil {
		return shown.View().Form
	}
	return nil
}

// Choice is something that a person can do now, or a place to go to.
type Choice struct {
	// Word is its name, which the person types. Note says what it does, or if Names is set, what
	// it belongs to. SaysWord means that the note contains the word.
	Word, Note      string
	Names, SaysWord bool
	// Typed means that it can be done in a form. Unlisted means that it is not listed, as it goes
	// back, for which there is another word, or only says why it cannot be done now.
	Typed, Unlisted bool
	// ID is the action, or [screen.NoAction] for a place to go to. Short is another word for it.
	ID    screen.ActionID
	Short string
	// InForm is what a person types to choose it in place of the answer to a field. Only actions
	// have it.
	InForm string
	Run    func() tea.Cmd
}

// Choices are what a person can do on the screen, and where they can go. Left out is what a person
// who hears the UI does in another way, such as moving and going back.
func (s *Spoken) Choices() []Choice {
	r := s.root
	choices := s.actionChoices()
	for _, report := range r.reportItems() {
		choices = append(choices, Choice{
			Word:  report.Said,
			Note:  report.Title + ": " + report.Note,
			Names: true,
			Run:   report.Run,
		})
	}
	if r.modal() || r.signingIn() || r.domains() == nil {
		return choices
	}
	add := func(entries []screen.Entry, names bool) {
		for _, entry := range entries {
			action := entry.ID.Action
			doesSame := func(c Choice) bool { return action != screen.NoAction && c.ID == action }
			if slices.ContainsFunc(choices, doesSame) {
				continue
			}
			choices = append(choices, Choice{
				Word:     entry.Title,
				Note:     entry.Note,
				SaysWord: entry.SaysTitle,
				Names:    names,
				Run:      entry.Run,
			})
		}
	}
	add(slices.Concat(r.pageItems(), r.screenItems()), true)
	add(r.accountItems(), false)
	return choices
}

// actionChoices are the choices for the actions of the screen.
func (s *Spoken) actionChoices() []Choice {
	r := s.root
	shown := s.Screen()
	isList := shown != nil && shown.View().Rows != nil
	var choices []Choice
	for _, a := range r.actions {
		isThere := slices.ContainsFunc(choices, func(c Choice) bool { return c.ID == a.ID })
		opensRow := isList && r.env.Keys.OpensRow(a.ID)     // by its number
		isOfAccount := a.ID == screen.RootSignIn && a.Quiet // accountItems has it
		if isThere || opensRow || a.ForEyes || isOfAccount {
			continue
		}
		choices = append(choices, Choice{
			ID:       a.ID,
			Word:     a.Title,
			Note:     a.Description,
			SaysWord: a.SaysTitle,
			Short:    r.env.Keys.ShortName(a.ID),
			InForm:   r.env.Keys.Word(a.ID, a.Title),
			Typed:    a.Typing,
			Unlisted: !a.Enabled() || r.env.Keys.GoesBack(a.ID),
			Run:      func() tea.Cmd { return r.perform(a) },
		})
	}
	return choices
}

// Open opens the row under the cursor of a list, and reports whether there is an action for that.
func (s *Spoken) Open() bool {
	r := s.root
	opensRow := func(a screen.Action) bool { return r.env.Keys.OpensRow(a.ID) }
	at := slices.IndexFunc(r.actions, opensRow)
	if at < 0 {
		return false
	}
	s.Do(func() tea.Cmd { return r.perform(r.actions[at]) })
	return true
}

// Back goes back to the screen before, and reports whether there is one.
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

// Check checks an address. If the address is not whole, it fills the form with it.
func (s *Spoken) Check(address string) {
	s.Do(func() tea.Cmd { return s.root.Check(address) })
}

// HasFilter reports whether the screen has a list that can be filtered.
func (s *Spoken) HasFilter() bool {
	shown := s.Screen()
	return shown != nil && shown.View().Filter != nil
}

// Filter filters a list by words; "" shows everything again.
func (s *Spoken) Filter(words string) {
	if s.HasFilter() {
		filter := s.Screen().View().Filter
		s.Do(func() tea.Cmd { return filter(words) })
	}
}
