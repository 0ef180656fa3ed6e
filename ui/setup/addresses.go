package setup

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/check"
	"gatehouse/internal/problem"
	"gatehouse/internal/safetext"
	"gatehouse/internal/setup"
	view "gatehouse/ui/check"
	"gatehouse/ui/form"
	"gatehouse/ui/screen"
)

// addresses is the step with the URLs: each is tried as it stands, and again when it was
// changed.
type addresses struct {
	step
	parts  []setup.Part
	trials []trial // of the parts, in their order
	person *person // nil: nobody's domain is asked for
}

// trial is one part being tried, or what came of it.
type trial struct {
	part setup.Part
	// address and domain are what is tried; waits is set while the domain is not known yet.
	address, domain string
	waits           bool
	found           check.Check // [check.Running] while there is no answer
	trying          *trying     // nil: nobody was asked
}

// trying is a request to a part.
type trying struct{ cancel context.CancelFunc }

// person is the look-up of the domain of who will sign in.
type person struct {
	global string // the service that is asked
	domain string
	err    error
	cancel context.CancelFunc // nil: it is over
}

type triedMsg struct {
	trying *trying
	found  check.Check
}

type domainMsg struct {
	person *person
	domain string
	err    error
}

func newAddresses(f *flow) *addresses {
	s := &addresses{step: step{flow: f, title: "Addresses", least: 2}, parts: f.options.Draft.Parts()}
	var fields []form.Field
	for _, part := range s.parts {
		s.trials = append(s.trials, trial{part: part})
		fields = append(fields, form.Field{Key: part.Key, Label: part.Title, Value: f.options.Draft.Value(part.Key), Check: func(text string) error {
			_, err := setup.Check(part.Key, text)
			return err
		}})
	}
	s.form = form.New(f.env.Theme, fields...)
	return s
}

// Breadcrumbs implements [screen.Breadcrumbs].
func (s *addresses) Breadcrumbs() []string { return []string{s.title} }

// Init implements [screen.Screen].
func (s *addresses) Init() tea.Cmd {
	s.form.Init("")
	return s.tryAll()
}

// Close implements [screen.Screen].
func (s *addresses) Close() {
	for i := range s.trials {
		s.trials[i].stop()
	}
	s.person.stop()
}

// isOf reports whether two trials try the same.
func (t trial) isOf(other trial) bool {
	return t.address == other.address && t.domain == other.domain && t.waits == other.waits
}

func (t *trial) stop() {
	if t.trying != nil {
		t.trying.cancel()
	}
}

func (p *person) stop() {
	if p != nil && p.cancel != nil {
		p.cancel()
	}
}

// Actions implements [screen.Screen].
func (s *addresses) Actions() []screen.Action {
	list := s.form.Actions(s.submitTitle(), s.leave)
	if !slices.ContainsFunc(s.trials, func(t trial) bool { return t.address != "" }) {
		return list // none can be tried again
	}
	at := slices.IndexFunc(list, func(a screen.Action) bool { return a.ID == "form.next" })
	return slices.Insert(list, at+1, screen.Action{ID: "setup.again", Run: s.tryAll})
}

// submitTitle says what going on means now.
func (s *addresses) submitTitle() string {
	switch {
	case s.running():
		return "go on without waiting"
	case len(s.bad()) > 0:
		return "go on all the same"
	}
	return "go on"
}

func (s *addresses) running() bool {
	return slices.ContainsFunc(s.trials, func(t trial) bool { return t.found.State == check.Running })
}

// bad are the parts that did not answer as they should.
func (s *addresses) bad() []trial {
	return slices.DeleteFunc(slices.Clone(s.trials), func(t trial) bool { return !t.isBad() })
}

// Update implements [screen.Screen].
func (s *addresses) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case triedMsg:
		return s.answered(msg)
	case domainMsg:
		return s.foundDomain(msg)
	}
	if s.form.Update(msg); !s.form.Done() {
		return s.tryChanged(s.form.Focused())
	}
	s.form.Init(s.form.Focused())
	before := slices.Clone(s.trials)
	tries := s.tryChanged("")
	if slices.EqualFunc(before, s.trials, trial.isOf) {
		return s.goOn()
	}
	return tries // what was changed is tried first
}

// Click implements [screen.MouseHandler].
func (s *addresses) Click(x, y int) tea.Cmd {
	s.step.Click(x, y)
	return s.tryChanged(s.form.Focused())
}

// Wheel implements [screen.MouseHandler].
func (s *addresses) Wheel(x, y, lines int) tea.Cmd {
	s.step.Wheel(x, y, lines)
	return s.tryChanged(s.form.Focused())
}

// goOn takes the addresses over, and asks for the client secret.
func (s *addresses) goOn() tea.Cmd {
	for _, t := range s.trials {
		if err := s.options.Draft.Set(t.part.Key, s.form.Value(t.part.Key)); err != nil {
			s.say(problem.Problem{Sentence: problem.Sentence(t.part.Title + ": " + err.Error())})
			return nil
		}
	}
	s.tried = slices.Clone(s.trials)
	return s.env.Root.Push(s, newSecret(s.flow))
}

// leave goes back; what was typed and is fine stands there again the next time.
func (s *addresses) leave() tea.Cmd {
	for _, part := range s.parts {
		_ = s.options.Draft.Set(part.Key, s.form.Value(part.Key)) // else it stays as it was
	}
	return s.env.Root.Pop(s)
}

// tryAll tries each address again.
func (s *addresses) tryAll() tea.Cmd {
	for i := range s.trials {
		s.trials[i].stop()
		s.trials[i] = trial{part: s.trials[i].part}
	}
	s.person.stop()
	s.person = nil
	return s.tryChanged("")
}

// tryChanged tries the addresses that are others than those that were tried, but for the one
// that is being typed: that one only if it stands as it was confirmed.
func (s *addresses) tryChanged(typing string) tea.Cmd {
	tries := []tea.Cmd{s.askDomain(typing)}
	for i := range s.trials {
		if t := &s.trials[i]; t.part.Key != typing || t.waits && s.stands(t) {
			tries = append(tries, s.try(t))
		}
	}
	if tries = slices.DeleteFunc(tries, func(cmd tea.Cmd) bool { return cmd == nil }); len(tries) == 0 {
		return nil
	}
	return tea.Batch(tries...)
}

// stands reports whether what is tried is what stands in the form.
func (s *addresses) stands(t *trial) bool {
	address, err := setup.Check(t.part.Key, s.form.Value(t.part.Key))
	return err == nil && address == t.address
}

// try tries a part, unless it has been tried as it stands.
func (s *addresses) try(t *trial) tea.Cmd {
	address, err := setup.Check(t.part.Key, s.form.Value(t.part.Key))
	if err != nil {
		t.stop()
		*t = trial{part: t.part}
		return nil
	}
	domain, waits := "", false
	if setup.NeedsDomain(address) && s.person != nil {
		domain, waits = s.person.domain, s.person.cancel != nil
	}
	next := trial{part: t.part, address: address, domain: domain, waits: waits, found: check.Check{State: check.Running}}
	if t.found.State != "" && t.isOf(next) {
		return nil
	}
	t.stop()
	*t = next
	if waits {
		return nil
	}
	ctx, cancel := context.WithCancel(s.env.Context)
	part, current := t.part, &trying{cancel}
	t.trying = current
	return screen.Reply(s, func() tea.Msg {
		defer cancel()
		return triedMsg{current, s.options.Draft.Try(ctx, part, address, domain)}
	})
}

// answered notes what a part answered, unless it was changed or is tried again meanwhile.
func (s *addresses) answered(msg triedMsg) tea.Cmd {
	for i := range s.trials {
		if t := &s.trials[i]; t.trying == msg.trying {
			t.found = msg.found
		}
	}
	return nil
}

// askDomain asks for the domain of who will sign in, unless the same service was asked.
func (s *addresses) askDomain(typing string) tea.Cmd {
	global, err := setup.Check(setup.Global.Key, s.form.Value(setup.Global.Key))
	if s.email == "" || err != nil || typing == setup.Global.Key || s.person != nil && s.person.global == global {
		return nil
	}
	s.person.stop()
	ctx, cancel := context.WithCancel(s.env.Context)
	asked := &person{global: global, cancel: cancel}
	s.person = asked
	email := s.email
	return screen.Reply(s, func() tea.Msg {
		defer cancel()
		domain, err := s.options.Draft.PrimaryDomain(ctx, global, email)
		return domainMsg{asked, domain, err}
	})
}

func (s *addresses) foundDomain(msg domainMsg) tea.Cmd {
	if msg.person != s.person {
		return nil
	}
	s.person.domain, s.person.err, s.person.cancel = msg.domain, msg.err, nil
	return s.tryChanged(s.form.Focused())
}

// Layout implements [screen.Screen].
func (s *addresses) Layout(width, height int) {
	t := s.env.Theme
	s.note = s.email
	carded := hasCard(width, height)
	for i := range s.trials {
		tried := &s.trials[i]
		label := tried.part.Title
		sign, style := view.Mark(t, tried.found.State)
		if !carded && tried.found.State != "" {
			label = sign + " " + label
		}
		hint := ""
		if s.form.Value(tried.part.Key) == "" {
			hint = "such as " + tried.part.Example()
		}
		s.form.SetLabel(tried.part.Key, label, hint)
		note := ""
		if tried.found.State != "" {
			text := t.Muted
			if tried.isBad() {
				text = t.Text
			}
			note = style.Render(sign) + " " + text.Render(tried.summary(t.Glyphs.More))
		}
		s.form.SetNote(tried.part.Key, note)
	}
	s.said = s.message(carded, width)
	s.lay(width, height, nil, nil)
}

// summary is what a part answered, in a few words; the host is left out where the URL has it.
// It is safe on a terminal.
func (t *trial) summary(more string) string {
	switch {
	case t.waits:
		return "waiting for the primary domain" + more
	case t.found.State == check.Running:
		return "trying" + more
	}
	text := t.found.Summary
	if host, rest, found := strings.Cut(text, " · "); found && strings.Contains(t.address, "://"+host) {
		text = rest
	} else if t.found.State == check.OK && text == t.found.Host {
		text = "answers"
		if setup.NeedsDomain(t.address) {
			text = t.found.Host + " " + text
		}
	}
	return safetext.Line(text)
}

// isBad reports whether a part did not answer as it should.
func (t *trial) isBad() bool {
	return t.found.State != "" && t.found.State != check.Running && !setup.Answered(t.found)
}

// noteWidth is how many cells a note has beside the longest label, and behind its sign.
func (s *addresses) noteWidth(width int) int {
	const gap, sign = 3, 2
	label := 0
	for _, part := range s.parts {
		label = max(label, safetext.Width(part.Title))
	}
	return min(width, cardWidth) - 2 - 2*cardPadding - label - gap - sign
}

// message is what stands below the form: how it looks altogether. Where there is no card,
// the answer of the focused part comes first.
func (s *addresses) message(carded bool, width int) []remark {
	var said []remark
	for i := range s.trials {
		tried := &s.trials[i]
		text := tried.summary(s.env.Theme.Glyphs.More)
		isCut := !carded || safetext.Width(text) > s.noteWidth(width)
		if tried.part.Key == s.form.Focused() && tried.found.State != "" && isCut {
			said = append(said, remark{tried.found.State, problem.Sentence(text)})
		}
	}
	if p := s.person; p != nil && p.err != nil && !s.trials[0].isBad() {
		said = append(said, remark{check.Warn, problem.Describe(p.err, problem.Screen).Sentence})
	}
	switch {
	case s.running():
	case len(s.bad()) > 0:
		said = append(said, remark{text: "Correct the URL, or go on all the same; " + s.env.Keys.Key("setup.again") + " tries again."})
	case (s.person == nil || s.person.err == nil) && !slices.ContainsFunc(s.trials, func(t trial) bool { return t.found.State == "" }):
		said = append(said, remark{check.OK, "Every part that can be tried now has answered."})
	}
	return said
}
