// Package shares is the screen that lists a user's shares in one domain.
package shares

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"gatehouse/api"
	"gatehouse/ui/browse"
	"gatehouse/ui/screen"
)

// Source asks for the shares of the signed-in user (interface section 4.2).
type Source interface {
	Shares(ctx context.Context, domain, userID string) (*api.Body, error)
}

// Model is the screen.
type Model struct {
	source Source
	domain string
	list   *browse.Model
}

// New makes the screen for a domain.
func New(env *screen.Env, source Source, domain string) *Model {
	m := &Model{source: source, domain: domain}
	m.list = browse.New(env, m, browse.Names{
		One: "share", Many: "shares",
		Empty: "Nothing is shared with you in " + domain + ". Press " + env.Keys.Key("browse.reload") + " to look again.",
	})
	return m
}

// Title implements [screen.Screen].
func (m *Model) Title() string { return "Shares" }

// Init implements [screen.Screen].
func (m *Model) Init() tea.Cmd {
	return m.list.Load(func(ctx context.Context) (*api.Body, error) {
		return m.source.Shares(ctx, m.domain, "")
	})
}

// Update implements [screen.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd { return m.list.Update(msg) }

// Actions implements [screen.Screen].
func (m *Model) Actions() []screen.Action { return m.list.Actions() }

// Typing implements [screen.Screen].
func (m *Model) Typing() bool { return m.list.Typing() }

// Layout implements [screen.Screen].
func (m *Model) Layout(width, height int) { m.list.Layout(width, height) }

// View implements [screen.Screen].
func (m *Model) View() string { return m.list.View() }

// Click implements [screen.MouseHandler].
func (m *Model) Click(x, y int) tea.Cmd { return m.list.Click(x, y) }

// Wheel implements [screen.MouseHandler].
func (m *Model) Wheel(_, _, lines int) tea.Cmd { return m.list.Wheel(lines) }

// Breadcrumbs implements [screen.Breadcrumbs].
func (m *Model) Breadcrumbs() []string {
	return m.list.Breadcrumbs()
}

// Close implements [screen.Screen].
func (m *Model) Close() { m.list.Close() }

// Help implements [screen.HelpProvider].
func (m *Model) Help() []string { return m.list.Help() }
