package browse

import (
	"cmp"
	"context"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"gatehouse/api"
	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/safetext"
	"gatehouse/internal/text/secret"
	"gatehouse/ui/explain"
	"gatehouse/ui/form"
	"gatehouse/ui/screen"
)

// SharesSource requests the shares of the signed-in user, or of another user by their id (interface section
// 4.2).
type SharesSource interface {
	Shares(ctx context.Context, domain, userID string) (*api.Body, error)
}

// Shares is the screen that lists a user's shares in one domain.
type Shares struct {
	source SharesSource
	domain string
	*List
}

// NewShares makes the screen for a domain.
func NewShares(env *screen.Env, source SharesSource, domain string) *Shares {
	s := &Shares{source: source, domain: domain}
	s.List = NewList(env, s, Options{
		Title: "Shares", One: "share", Many: "shares",
		Explains: explain.Share,
		Empty: "Nothing is shared with you in " + domain + ". " +
			env.Keys.Press(screen.BrowseReload) + " to refresh.",
	})
	s.ofWhole = domain
	return s
}

func (s *Shares) Init() tea.Cmd {
	return s.load(func(ctx context.Context) (Body, error) {
		return responseOf(s.source.Shares(ctx, s.domain, ""))
	})
}

// CompaniesSource requests the companies of a reseller (interface section 4.3). An empty key
// stands for the API key of the profile.
type CompaniesSource interface {
	Companies(ctx context.Context, domain, resellerID string, key secret.Text) (*api.Body, error)
}

// CompaniesOptions say what the screen of the companies starts with.
type CompaniesOptions struct {
	Domain string
	// ResellerID is the id of the reseller in the profile; empty if it has none.
	ResellerID string
	// HasKey means that the profile has an API key.
	HasKey bool
}

// Companies is the screen that lists the companies of a reseller. It asks for the id of the
// reseller and an API key if it has none.
type Companies struct {
	env    *screen.Env
	source CompaniesSource
	domain string
	key    *apiKey

	reseller string // the id of the reseller that was asked for
	shown    string // the id of the reseller whose companies the list has
	place    *Place // where the person was in a list that is not loaded yet; nil for nowhere
	// form is the form that was opened last, nil if none was.
	form *resellerForm
	*List
}

// apiKey is the API key, which the tab shares with the screens that its links lead to.
type apiKey struct {
	typed secret.Text
	known bool // there is one, typed or in the profile
}

// NewCompanies makes the screen of the companies in a domain.
func NewCompanies(env *screen.Env, source CompaniesSource, o CompaniesOptions) *Companies {
	c := &Companies{
		env:      env,
		source:   source,
		domain:   o.Domain,
		key:      &apiKey{known: o.HasKey},
		reseller: o.ResellerID,
	}
	c.List = NewList(env, c, Options{
		Title: companiesTitle, One: "company", Many: "companies",
		Explains: explain.Company,
		Empty: "The reseller has none in " + hostname.Readable(o.Domain) + ". " +
			env.Keys.Press(screen.CompaniesAsk) + " for another reseller.",
	})
	return c
}

// Linked makes the screen that a link in a record leads to: the companies of a reseller, or only
// the one with companyID if that is not empty. Without resellerID it is the reseller of this
// screen.
func (c *Companies) Linked(resellerID, companyID string) screen.Screen {
	l := NewCompanies(c.env, c.source, CompaniesOptions{
		Domain:     c.domain,
		ResellerID: cmp.Or(resellerID, c.reseller),
	})
	l.key, l.link.followed = c.key, true
	if companyID != "" {
		l.link.filter = "Id=" + strconv.Quote(companyID)
	}
	return l
}

// NameOf is the name of the company with an id, safe for a terminal; "" if the list does not have
// it.
func (c *Companies) NameOf(id string) string {
	if c.List.source == nil {
		return ""
	}
	return c.List.source.nameOf(id)
}

func (c *Companies) Init() tea.Cmd {
	if c.reseller == "" || !c.key.known {
		asked := c.ask()
		if !c.link.followed { // the next key may be meant for the tabs rather than for the form
			c.form.Leave()
		}
		return asked
	}
	return tea.Batch(c.closeOverlay(), c.loadCompanies())
}

func (c *Companies) Actions() []screen.Action {
	return append(c.List.Actions(), c.TabActions(c)...)
}

// TabActions are the actions of the tab, which are also offered on a screen over the list, such
// as a record.
func (c *Companies) TabActions(top screen.Screen) []screen.Action {
	if top == screen.Screen(c.form) {
		return nil
	}
	return []screen.Action{{ID: screen.CompaniesAsk, Run: c.ask}}
}

// loadCompanies loads the companies of the reseller that was asked for. For another one than
// before the list is reset.
func (c *Companies) loadCompanies() tea.Cmd {
	const maxReseller = 12 // cells of the id in the title
	reseller, key := c.reseller, c.key.typed
	if reseller != c.shown {
		c.shown = reseller
		c.forget("reseller " + safetext.Clip(reseller, maxReseller))
		c.ofWhole = reseller
		c.filter.Set(c.link.filter)
		if c.place != nil && c.place.Reseller == reseller {
			c.List.Return(*c.place)
		}
		c.place = nil
	}
	return c.load(func(ctx context.Context) (Body, error) {
		return responseOf(c.source.Companies(ctx, c.domain, reseller, key))
	})
}

// Place returns where the person is in the list of a reseller. The API key is never part of it.
func (c *Companies) Place() Place {
	if c.shown == "" && c.place != nil {
		return *c.place
	}
	p := c.List.Place()
	p.Reseller = c.shown
	return p.Clean()
}

// Return goes to a place in a list that is not loaded yet, see [List.Return]. If an API key is
// needed, it does so after the key was typed.
func (c *Companies) Return(to Place) {
	to = to.Clean()
	if to.Reseller != "" {
		c.reseller, c.place = to.Reseller, &to
	}
}

// ask asks for a reseller and an API key.
func (c *Companies) ask() tea.Cmd {
	c.form = newResellerForm(c)
	return c.Over(c.form)
}

// resellerForm is the box over the companies that asks for the id of a reseller and an API key.
type resellerForm struct {
	*form.Card
	companies *Companies
	// needed means that there is no list without the form. Then it is a screen instead of a box.
	needed bool
}

func newResellerForm(c *Companies) *resellerForm {
	keyHint, noKey := "reseller or company key; kept in memory only", "an API key is needed"
	if c.key.known {
		keyHint, noKey = "leave empty to keep the current key", ""
	}
	f := &resellerForm{
		companies: c,
		needed:    c.reseller == "" || !c.key.known,
		Card:      &form.Card{Heading: "Reseller", Cells: resellerCells},
	}
	f.About = func() screen.Part {
		return screen.Text{Style: c.env.Theme.Muted, Text: aboutResellers}
	}
	f.Effect = f.effect
	f.Model = form.New(c.env.Theme,
		form.Field{
			Key:      "reseller",
			Label:    "Reseller id",
			Value:    c.reseller,
			Hint:     "a device login shows it as well",
			Required: "the reseller's id is needed",
		},
		form.Field{Key: "key", Label: "API key", Secret: true, Hint: keyHint, Required: noKey},
	)
	f.Submit = func() tea.Cmd {
		c.reseller = f.Value("reseller")
		if key := f.Take("key"); !key.IsEmpty() {
			c.key.typed, c.key.known = key, true
		}
		return tea.Batch(c.closeOverlay(), c.loadCompanies())
	}
	f.Start(screen.If(c.reseller != "", "key"))
	return f
}

// effect says in the lower border of the card what sending the form does; "" while there is no id.
func (f *resellerForm) effect() string {
	if f.Value("reseller") == "" {
		return ""
	}
	return "loads the companies of this reseller"
}

// View implements [screen.Screen].
func (f *resellerForm) View() screen.View {
	v := f.Card.View()
	v.Title = companiesTitle
	if f.needed {
		v.Body = f.Alone()
	}
	return v
}

// Frame implements [screen.Screen].
func (f *resellerForm) Frame() screen.Frame {
	if f.needed {
		return screen.Bare
	}
	return screen.InBox
}

// Actions implements [screen.Screen]. If there is no list to go back to, back leaves the whole
// tab or link.
func (f *resellerForm) Actions() []screen.Action {
	c := f.companies
	if !f.needed {
		return f.Model.Actions("load the companies", false)
	}
	list := f.Model.Actions("load the companies", !c.link.followed)
	back := func() tea.Cmd { return c.env.Root.Pop(c) }
	return append(list, screen.Action{ID: screen.RootBack, Run: back})
}

const (
	companiesTitle = "Companies"
	aboutResellers = "Companies belong to a reseller, and reading them needs an API key. " +
		"The reseller key is under API Information in My Account; a company key works too."
	// resellerCells is the width of the form.
	resellerCells = 76
)
