// Package companies is the screen that lists the companies of a reseller. It
// asks for the reseller's id and an API key where it has none.
package companies

import (
	"context"
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/api"
	"gatehouse/internal/hostname"
	"gatehouse/internal/safetext"
	"gatehouse/internal/secret"
	"gatehouse/ui/browse"
	"gatehouse/ui/form"
	"gatehouse/ui/layout"
	"gatehouse/ui/screen"
)

// Source asks for the companies of a reseller (interface section 4.3). An empty
// key stands for the profile's own.
type Source interface {
	Companies(ctx context.Context, domain, resellerID string, key secret.Text) (*api.Body, error)
}

// Options say what the screen starts with.
type Options struct {
	Domain string
	// ResellerID is the profile's, or empty.
	ResellerID string
	// HasKey is true when the profile has an API key.
	HasKey bool
}

// Model is the screen.
type Model struct {
	env    *screen.Env
	source Source
	domain string
	hasKey bool
	key    secret.Text
	list   *browse.Model
	// form asks for the id and the key; nil while the list is shown.
	form     *form.Model
	reseller string
	shown    string // the id of whose companies the list holds
	// formAt is the line on which the form was last drawn.
	formAt        int
	width, height int // of the last Layout
}

// New makes the screen for a domain.
func New(env *screen.Env, source Source, o Options) *Model {
	m := &Model{env: env, source: source, domain: o.Domain, hasKey: o.HasKey, reseller: o.ResellerID}
	m.list = browse.New(env, m, browse.Names{
		One: "company", Many: "companies",
		Empty: "The reseller has none in " + hostname.Readable(o.Domain) + ". Press " + env.Keys.Key("companies.ask") + " for another reseller.",
	})
	return m
}

// Found takes a reseller's id that a device login brought to light. It is used
// where none is known yet; the screen then has to be begun again, and says so.
func (m *Model) Found(resellerID string) (begin bool) {
	if m.reseller != "" {
		return false
	}
	m.reseller, m.form = resellerID, nil
	return true
}

// Title implements [screen.Screen].
func (m *Model) Title() string { return "Companies" }

// Init implements [screen.Screen].
func (m *Model) Init() tea.Cmd {
	if m.reseller == "" || !m.hasKey {
		return m.ask()
	}
	return m.load()
}

// Update implements [screen.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg:
		if m.form != nil {
			return m.typed(msg)
		}
	}
	return m.list.Update(msg)
}

func (m *Model) typed(msg tea.Msg) tea.Cmd {
	if m.form.Update(msg); !m.form.Done() {
		return nil
	}
	m.reseller = m.form.Value("reseller")
	if key := m.form.Take("key"); !key.IsEmpty() {
		m.key, m.hasKey = key, true
	}
	m.form = nil
	return m.load()
}

// Actions implements [screen.Screen].
func (m *Model) Actions() []screen.Action {
	if m.form != nil {
		return m.formActions()
	}
	return append(m.list.Actions(), screen.Action{ID: "companies.ask", Run: m.ask})
}

func (m *Model) formActions() []screen.Action {
	if m.reseller != "" && m.hasKey {
		return m.form.Actions("load the companies", m.closeForm)
	}
	return m.form.Actions("load the companies", nil)
}

// Typing implements [screen.Screen].
func (m *Model) Typing() bool {
	if m.form != nil {
		return m.form.Typing()
	}
	return m.list.Typing()
}

// Layout implements [screen.Screen].
func (m *Model) Layout(width, height int) { m.width, m.height = width, height }

// View implements [screen.Screen].
func (m *Model) View() string {
	width, height := m.width, m.height
	if m.form == nil {
		m.list.Layout(width, height)
		return m.list.View()
	}
	intro := "Companies belong to a reseller and are read with an API key: a reseller key stands in the API Information area of My Account; a company key works too."
	text := m.env.Theme.Muted.Render(layout.Wrap(intro, width))
	if m.formAt = 0; height < 9 {
		m.form.Layout(width, height)
		return m.form.View()
	}
	m.formAt = strings.Count(text, "\n") + 2
	m.form.Layout(width, height-5)
	return text + "\n\n" + m.form.View()
}

// Click implements [screen.MouseHandler].
func (m *Model) Click(x, y int) tea.Cmd {
	if m.form == nil {
		return m.list.Click(x, y)
	}
	m.form.Click(y - m.formAt)
	return nil
}

// Wheel implements [screen.MouseHandler].
func (m *Model) Wheel(_, _, lines int) tea.Cmd {
	if m.form == nil {
		return m.list.Wheel(lines)
	}
	m.form.Wheel(lines)
	return nil
}

// Breadcrumbs implements [screen.Breadcrumbs].
func (m *Model) Breadcrumbs() []string {
	if m.form != nil {
		return nil
	}
	return m.list.Breadcrumbs()
}

// Close implements [screen.Screen].
func (m *Model) Close() { m.list.Close() }

func (m *Model) load() tea.Cmd {
	reseller, key := m.reseller, m.key
	if reseller != m.shown {
		m.shown = reseller
		m.list.Forget("reseller " + safetext.Clip(reseller, 12))
	}
	return m.list.Load(func(ctx context.Context) (*api.Body, error) {
		return m.source.Companies(ctx, m.domain, reseller, key)
	})
}

func (m *Model) ask() tea.Cmd {
	keyHint := "reseller key or company key; kept in memory only"
	if m.hasKey {
		keyHint = "leave empty to use the key there is"
	}
	m.form = form.New(m.env.Theme,
		form.Field{Key: "reseller", Label: "Reseller id", Value: m.reseller, Hint: "a device login shows it, too", Check: required("the reseller's id is needed")},
		form.Field{Key: "key", Label: "API key", Secret: true, Hint: keyHint, Check: m.checkKey},
	)
	focus := "reseller"
	if m.reseller != "" {
		focus = "key"
	}
	m.form.Init(focus)
	return nil
}

func (m *Model) closeForm() tea.Cmd {
	m.form = nil
	return nil
}

func (m *Model) checkKey(key string) error {
	if m.hasKey {
		return nil
	}
	return required("an API key is needed")(key)
}

func required(message string) func(string) error {
	return func(value string) error {
		if value == "" {
			return errors.New(message)
		}
		return nil
	}
}

// Help implements [screen.HelpProvider].
func (m *Model) Help() []string { return m.list.Help() }
