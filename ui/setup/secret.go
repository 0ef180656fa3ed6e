package setup

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/check"
	"gatehouse/internal/problem"
	"gatehouse/internal/secret"
	"gatehouse/ui/form"
	"gatehouse/ui/screen"
)

// fieldSecret is the only field of this step.
const fieldSecret = "client_secret"

// secretStep asks for the client secret, which goes into the keyring. The keyring may show a
// prompt of its own, and answers late or never.
type secretStep struct {
	step
	keeping *keeping
	refused secret.Text // what the keyring did not take, "" if there is none
}

// keeping is a secret on its way into the keyring.
type keeping struct{ cancel context.CancelFunc }

type keptMsg struct {
	keeping *keeping
	err     error
}

func newSecret(f *flow) *secretStep {
	hint := "goes into the keyring (empty: none, or stored)"
	if f.options.SecretGiven {
		hint = "leave this empty: " + f.options.SecretVariable + " has one"
	}
	s := &secretStep{step: step{flow: f, title: "Client secret", least: 2}}
	s.form = form.New(f.env.Theme, form.Field{Key: fieldSecret, Label: "Client secret", Secret: true, Hint: hint})
	return s
}

// Breadcrumbs implements [screen.Breadcrumbs].
func (s *secretStep) Breadcrumbs() []string { return []string{s.title} }

// Init implements [screen.Screen].
func (s *secretStep) Init() tea.Cmd {
	s.secret, s.kept = secret.Text{}, false
	s.form.Init("")
	return nil
}

// Typing implements [screen.Screen].
func (s *secretStep) Typing() bool { return s.keeping == nil && s.form.Typing() }

// Close implements [screen.Screen].
func (s *secretStep) Close() {
	s.form.Take(fieldSecret)
	s.refused = secret.Text{}
	if s.keeping != nil {
		s.keeping.cancel()
	}
}

// Actions implements [screen.Screen].
func (s *secretStep) Actions() []screen.Action {
	if s.keeping != nil {
		return []screen.Action{{ID: "setup.cancel", Run: s.cancel}}
	}
	list := s.form.Actions("go on", func() tea.Cmd { return s.env.Root.Pop(s) })
	if !s.refused.IsEmpty() {
		at := slices.IndexFunc(list, func(a screen.Action) bool { return a.ID == "form.next" })
		list = slices.Insert(list, at+1, screen.Action{ID: "setup.again", Run: func() tea.Cmd { return s.keep(s.refused) }}, screen.Action{ID: "setup.memory", Run: s.remember})
	}
	return list
}

// Update implements [screen.Screen].
func (s *secretStep) Update(msg tea.Msg) tea.Cmd {
	if msg, ok := msg.(keptMsg); ok {
		return s.keptOrNot(msg)
	}
	if s.keeping != nil {
		return nil
	}
	if s.form.Update(msg); !s.form.Done() {
		return nil
	}
	value := s.form.Take(fieldSecret)
	s.form.Init("")
	if value.IsEmpty() {
		return s.goOn()
	}
	return s.keep(value)
}

// keep puts the secret into the keyring.
func (s *secretStep) keep(value secret.Text) tea.Cmd {
	s.said, s.refused = nil, value
	s.secret, s.kept = secret.Text{}, false
	ctx, cancel := context.WithCancel(s.env.Context)
	current := &keeping{cancel}
	s.keeping = current
	return screen.Reply(s, func() tea.Msg {
		defer cancel()
		return keptMsg{current, s.options.Draft.Keep(ctx, value)}
	})
}

func (s *secretStep) cancel() tea.Cmd {
	s.keeping.cancel()
	s.keeping, s.refused = nil, secret.Text{}
	s.say(problem.Problem{Sentence: "Nobody waits for the keyring any more.", Hint: "Type the secret to try again, or go on without it."})
	return nil
}

func (s *secretStep) keptOrNot(msg keptMsg) tea.Cmd {
	if msg.keeping != s.keeping {
		return nil
	}
	s.keeping = nil
	if msg.err != nil {
		s.say(problem.Describe(msg.err, problem.Screen))
		s.said = append(s.said, remark{text: s.env.Keys.Key("setup.memory") + " keeps it in memory, for this run alone."})
		return nil
	}
	s.refused, s.kept = secret.Text{}, true
	return s.goOn()
}

// remember goes on with the secret in memory, until the program ends.
func (s *secretStep) remember() tea.Cmd {
	s.secret, s.refused, s.said = s.refused, secret.Text{}, nil
	return s.goOn()
}

func (s *secretStep) goOn() tea.Cmd {
	s.said = nil
	plan, err := s.options.Draft.Plan()
	if err != nil {
		s.say(problem.Describe(err, problem.Screen))
		return nil
	}
	return s.env.Root.Push(s, newReview(s.flow, plan))
}

// Layout implements [screen.Screen].
func (s *secretStep) Layout(width, height int) {
	s.note = "of the profile " + s.options.Draft.Name()
	if s.keeping != nil {
		s.said = []remark{{check.Running, "putting it into the keyring, which may show a prompt of its own" + s.env.Theme.Glyphs.More}}
	}
	s.lay(width, height, nil, nil)
}
