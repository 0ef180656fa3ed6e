// Package setup is the screens on which a person sets a profile up: what is known of the
// installation, its addresses and what each of them answers, the client secret, and the
// file that is written. What is proposed, tried and written is the business of a
// [setup.Draft].
package setup

import (
	"errors"
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/config"
	"gatehouse/internal/mailaddress"
	"gatehouse/internal/problem"
	"gatehouse/internal/secret"
	"gatehouse/internal/setup"
	"gatehouse/ui/form"
	"gatehouse/ui/screen"
)

// Options say what is set up, and what the person can go on to.
type Options struct {
	Draft *setup.Draft
	// Demo leaves for the demo; nil offers none, and neither does a profile that is there
	// already.
	Demo func() tea.Cmd
	// Written goes on to sign in with the profile that was written, perhaps as somebody
	// whose e-mail is known. unsaved is the client secret if it is in no keyring.
	Written func(email string, unsaved secret.Text) tea.Cmd
	// SecretVariable is the variable that can have the client secret, and SecretGiven is set
	// if it has.
	SecretVariable string
	SecretGiven    bool
}

// flow is what the person has said so far, for the steps that follow each other.
type flow struct {
	env     *screen.Env
	options Options
	email   string // who will sign in, or ""
	// tried are the addresses and what came of each, in their order.
	tried []trial
	// secret is the client secret if it is only in memory; kept is set when it is in the
	// keyring.
	secret secret.Text
	kept   bool
}

// Model is the first step: what is known of the installation.
type Model struct {
	step
}

// The fields of the first step.
const (
	fieldAddress   = "address"
	fieldClient    = "client_id"
	fieldEmail     = "email"
	fieldAuthority = "authority"
	fieldName      = "name"
)

// New makes the first step; the others follow from it.
func New(env *screen.Env, o Options) *Model {
	if !o.Draft.IsNew() {
		o.Demo = nil
	}
	m := &Model{step: step{flow: &flow{env: env, options: o}, title: "Set up"}}
	m.form = form.New(env.Theme, m.fields()...)
	return m
}

func (m *Model) fields() []form.Field {
	d := m.options.Draft
	list := []form.Field{
		{Key: fieldClient, Label: "Client id", Value: d.Value("client_id"), Hint: "from the operator of the service", Check: func(text string) error {
			_, err := setup.Check("client_id", text)
			return asked(err)
		}},
		{Key: fieldEmail, Label: "E-mail", Hint: "yours, to find the gateway (or empty)", Check: checkEmail},
		{Key: fieldAuthority, Label: "Authority", Hint: "←/→ choose who checks the password", Options: authorities()},
	}
	if d.IsNew() {
		list = slices.Insert(list, 0, form.Field{
			Key: fieldAddress, Label: "Installation", Hint: "such as example.com (empty: type URLs)",
			Check: func(text string) error {
				_, err := setup.CheckAddress(text)
				return err
			},
		})
	}
	if name := d.Name(); d.IsNew() {
		if name == "" {
			name = "main"
		}
		list = append(list, form.Field{Key: fieldName, Label: "Profile", Value: name, Hint: "its name in the profile file", Folded: !d.HasFile(), Check: func(text string) error {
			_, err := config.CheckProfileName(text)
			return err
		}})
	}
	return list
}

func authorities() []form.Option {
	var list []form.Option
	for _, name := range []string{config.AuthorityMain, config.AuthorityDomain, config.AuthorityTest} {
		list = append(list, form.Option{Label: setup.AuthorityTitle(name), Value: name})
	}
	return list
}

// asked says what to type where nothing was.
func asked(err error) error {
	if errors.Is(err, setup.ErrMissing) {
		return errors.New("type it: the service knows the program by it")
	}
	return err
}

func checkEmail(text string) error {
	if text == "" {
		return nil
	}
	if _, err := mailaddress.Parse(text); err != nil {
		return errors.New("type an address such as ann@example.com, or nothing")
	}
	return nil
}

// Init implements [screen.Screen].
func (m *Model) Init() tea.Cmd {
	m.form.Set(fieldAuthority, m.options.Draft.Authority())
	m.form.Init("")
	return nil
}

// Actions implements [screen.Screen].
func (m *Model) Actions() []screen.Action {
	list := m.form.Actions("try the addresses", nil)
	for i, a := range list {
		if a.ID == "form.fold" {
			list[i].Title, list[i].Description = "profile", "name the profile"
		}
	}
	if m.options.Demo != nil {
		list = slices.Insert(list, 1, screen.Action{ID: "setup.demo", Run: m.options.Demo})
	}
	return list
}

// Update implements [screen.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if m.form.Update(msg); !m.form.Done() {
		return nil
	}
	m.form.Init(fieldClient) // for when the person comes back
	if err := m.take(); err != nil {
		m.say(problem.Describe(err, problem.Screen))
		return nil
	}
	m.said = nil
	return m.env.Root.Push(m, newAddresses(m.flow))
}

// take puts what stands in the form into the draft.
func (m *Model) take() error {
	d := m.options.Draft
	if name := m.form.Value(fieldName); name != "" {
		if err := d.SetName(name); err != nil {
			return err
		}
	} else if d.Name() == "" {
		if err := d.SetName("main"); err != nil {
			return err
		}
	}
	if d.IsNew() {
		address, err := setup.CheckAddress(m.form.Value(fieldAddress))
		if err != nil {
			return err
		}
		d.Propose(address)
	}
	d.SetAuthority(m.form.Value(fieldAuthority))
	m.email = m.form.Value(fieldEmail)
	return d.Set("client_id", m.form.Value(fieldClient))
}

// leastForWordmark is the height from which on there is a wordmark.
const leastForWordmark = 24

// Layout implements [screen.Screen].
func (m *Model) Layout(width, height int) {
	t, d := m.env.Theme, m.options.Draft
	m.note = "a new profile"
	if !d.IsNew() {
		m.note = "the profile " + d.Name()
	}
	var below []string
	if m.options.Demo != nil {
		below = []string{"", t.Muted.Render("No installation at hand? ") + t.Key.Render(m.env.Keys.Key("setup.demo")) + t.Muted.Render(" starts the demo, with a service of its own.")}
	}
	var above []string
	if height >= leastForWordmark {
		above = append(screen.Wordmark(t), "")
	}
	m.lay(width, height, above, below)
}
