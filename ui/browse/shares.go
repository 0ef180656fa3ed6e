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
		One: "share", Many: "shares",
		Empty: "Nothing is shared with you in " + domain + ". Press " + env.Keys.Key("browse.reload") + " to refresh.",
	})
	s.ofWhole = domain
	return s
}

func (s *Shares) Title() string { return "Shares" }

func (s *Shares) Init() tea.Cmd {
	return s.load(func(ctx context.Context) (Body, error) {
		return s.source.Shares(ctx, s.domain, "")
	})
}
