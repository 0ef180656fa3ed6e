package browse

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"gatehouse/api"
	"gatehouse/ui/screen"
)

// SharesSource asks for the shares of the signed-in user (interface section 4.2).
type SharesSource interface {
	Shares(ctx context.Context, domain, userID string) (*api.Body, error)
}

// Shares is the screen.
type Shares struct {
	source SharesSource
	domain string
	list   *Model
}

// NewShares makes the screen for a domain.
func NewShares(env *screen.Env, source SharesSource, domain string) *Shares {
	s := &Shares{source: source, domain: domain}
	s.list = New(env, s, Names{
		One: "share", Many: "shares",
		Empty: "Nothing is shared with you in " + domain + ". Press " + env.Keys.Key("reload") + " to look again.",
	})
	return s
}

// Title implements [screen.Screen].
func (s *Shares) Title() string { return "Shares" }

// Init implements [screen.Screen].
func (s *Shares) Init() tea.Cmd {
	return s.list.Load(func(ctx context.Context) (*api.Body, error) {
		return s.source.Shares(ctx, s.domain, "")
	})
}

// Update implements [screen.Screen].
func (s *Shares) Update(msg tea.Msg) tea.Cmd { return s.list.Update(msg) }

// Actions implements [screen.Screen].
func (s *Shares) Actions() []screen.Action { return s.list.Actions() }

// Typing implements [screen.Screen].
func (s *Shares) Typing() bool { return s.list.Typing() }

// Layout implements [screen.Screen].
func (s *Shares) Layout(width, height int) { s.list.Layout(width, height) }

// View implements [screen.Screen].
func (s *Shares) View() string { return s.list.View() }

// Click implements [screen.MouseHandler].
func (s *Shares) Click(x, y int) tea.Cmd { return s.list.Click(x, y) }

// Wheel implements [screen.MouseHandler].
func (s *Shares) Wheel(_, _, lines int) tea.Cmd { return s.list.Wheel(lines) }

// Breadcrumbs implements [screen.Breadcrumbs].
func (s *Shares) Breadcrumbs() []string {
	return s.list.Breadcrumbs()
}

// Close implements [screen.Screen].
func (s *Shares) Close() { s.list.Close() }

// Help implements [screen.HelpProvider].
func (s *Shares) Help() []string { return s.list.Help() }
