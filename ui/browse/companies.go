package browse

import (
	"context"
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/api"
	"gatehouse/internal/hostname"
	"gatehouse/internal/safetext"
	"gatehouse/internal/secret"
	"gatehouse/ui/form"
	"gatehouse/ui/layout"
	"gatehouse/ui/screen"
)

// CompaniesSource asks for the companies of a reseller (interface section 4.3). An empty
// key stands for the profile's own.
type CompaniesSource interface {
	Companies(ctx context.Context, domain, resellerID string, key secret.Text) (*api.Body, error)
}

// CompaniesOptions say what the screen starts with.
type CompaniesOptions struct {
	Domain string
	// ResellerID is the profile's, or empty.
	ResellerID string
	// HasKey is true when the profile has an API key.
	HasKey bool
}

// Companies is the screen.
type Companies struct {
	env    *screen.Env
	source CompaniesSource
	domain string
	hasKey bool
	key    secret.Text
	list   *Model
	// form asks for the id and the key; nil while the list is shown.
	form     *form.Model
	reseller string
	shown    string // the id of whose companies the list holds
	// formAt is the line on which the form was last drawn.
	formAt        int
	width, height int // of the last Layout
}

// NewCompanies makes the screen for a domain.
func NewCompanies(env *screen.Env, source CompaniesSource, o CompaniesOptions) *Companies {
	c := &Companies{env: env, source: source, domain: o.Domain, hasKey: o.HasKey, reseller: o.ResellerID}
	c.list = New(env, c, Names{
		One: "company", Many: "companies",
		Empty: "The reseller has none in " + hostname.Readable(o.Domain) + ". Press " + env.Keys.Key("companies.ask") + " for another reseller.",
	})
	return c
}

// Found takes a reseller's id that a device login brought to light. It is used
// where none is known yet; the screen then has to be begun again, and says so.
func (c *Companies) Found(resellerID string) (begin bool) {
	if c.reseller != "" {
		return false
	}
	c.reseller, c.form = resellerID, nil
	return true
}

// Title implements [screen.Screen].
func (c *Companies) Title() string { return "Companies" }

// Init implements [screen.Screen].
func (c *Companies) Init() tea.Cmd {
	if c.reseller == "" || !c.hasKey {
		return c.ask()
	}
	return c.load()
}

// Update implements [screen.Screen].
func (c *Companies) Update(msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg:
		if c.form != nil {
			return c.typed(msg)
		}
	}
	return c.list.Update(msg)
}

func (c *Companies) typed(msg tea.Msg) tea.Cmd {
	if c.form.Update(msg); !c.form.Done() {
		return nil
	}
	c.reseller = c.form.Value("reseller")
	if key := c.form.Take("key"); !key.IsEmpty() {
		c.key, c.hasKey = key, true
	}
	c.form = nil
	return c.load()
}

// Actions implements [screen.Screen].
func (c *Companies) Actions() []screen.Action {
	if c.form != nil {
		return c.formActions()
	}
	return append(c.list.Actions(), screen.Action{ID: "companies.ask", Run: c.ask})
}

func (c *Companies) formActions() []screen.Action {
	if c.reseller != "" && c.hasKey {
		return c.form.Actions("load the companies", c.closeForm)
	}
	return c.form.Actions("load the companies", nil)
}

// Typing implements [screen.Screen].
func (c *Companies) Typing() bool {
	if c.form != nil {
		return c.form.Typing()
	}
	return c.list.Typing()
}

// Layout implements [screen.Screen].
func (c *Companies) Layout(width, height int) { c.width, c.height = width, height }

// View implements [screen.Screen].
func (c *Companies) View() string {
	width, height := c.width, c.height
	if c.form == nil {
		c.list.Layout(width, height)
		return c.list.View()
	}
	intro := "Companies belong to a reseller and are read with an API key: a reseller key stands in the API Information area of My Account; a company key works too."
	text := c.env.Theme.Muted.Render(layout.Wrap(intro, width))
	if c.formAt = 0; height < 9 {
		c.form.Layout(width, height)
		return c.form.View()
	}
	c.formAt = strings.Count(text, "\n") + 2
	c.form.Layout(width, height-5)
	return text + "\n\n" + c.form.View()
}

// Click implements [screen.MouseHandler].
func (c *Companies) Click(x, y int) tea.Cmd {
	if c.form == nil {
		return c.list.Click(x, y)
	}
	c.form.Click(y - c.formAt)
	return nil
}

// Wheel implements [screen.MouseHandler].
func (c *Companies) Wheel(_, _, lines int) tea.Cmd {
	if c.form == nil {
		return c.list.Wheel(lines)
	}
	c.form.Wheel(lines)
	return nil
}

// Breadcrumbs implements [screen.Breadcrumbs].
func (c *Companies) Breadcrumbs() []string {
	if c.form != nil {
		return nil
	}
	return c.list.Breadcrumbs()
}

// Close implements [screen.Screen].
func (c *Companies) Close() { c.list.Close() }

func (c *Companies) load() tea.Cmd {
	reseller, key := c.reseller, c.key
	if reseller != c.shown {
		c.shown = reseller
		c.list.Forget("reseller " + safetext.Clip(reseller, 12))
	}
	return c.list.Load(func(ctx context.Context) (*api.Body, error) {
		return c.source.Companies(ctx, c.domain, reseller, key)
	})
}

func (c *Companies) ask() tea.Cmd {
	keyHint := "reseller key or company key; kept in memory only"
	if c.hasKey {
		keyHint = "leave empty to use the key there is"
	}
	c.form = form.New(c.env.Theme,
		form.Field{Key: "reseller", Label: "Reseller id", Value: c.reseller, Hint: "a device login shows it, too", Check: required("the reseller's id is needed")},
		form.Field{Key: "key", Label: "API key", Secret: true, Hint: keyHint, Check: c.checkKey},
	)
	focus := "reseller"
	if c.reseller != "" {
		focus = "key"
	}
	c.form.Init(focus)
	return nil
}

func (c *Companies) closeForm() tea.Cmd {
	c.form = nil
	return nil
}

func (c *Companies) checkKey(key string) error {
	if c.hasKey {
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
func (c *Companies) Help() []string { return c.list.Help() }
