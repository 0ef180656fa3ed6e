package ui

import (
	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/secret"
	engine "gatehouse/internal/setup"
	"gatehouse/ui/setup"
)

// Setup is a profile to be set up. The UI ends when the person has chosen how to go on;
// the function of that choice was called by then, or neither if the person has left.
type Setup struct {
	Draft *engine.Draft
	// Demo is called for the demo.
	Demo func()
	// Written is called when the file is written and the person goes on to sign in, perhaps
	// as somebody whose e-mail is known. unsaved is the client secret if it is in no keyring.
	Written func(email string, unsaved secret.Text)
	// SecretVariable is the variable that can have the client secret, and SecretGiven is set
	// if it has.
	SecretVariable string
	SecretGiven    bool
}

// showSetup shows the first step of setting a profile up.
func (r *root) showSetup() tea.Cmd {
	s := r.options.Setup
	return r.stack.Push(setup.New(r.env, setup.Options{
		Draft: s.Draft, SecretVariable: s.SecretVariable, SecretGiven: s.SecretGiven,
		Demo: func() tea.Cmd {
			s.Demo()
			return tea.Quit
		},
		Written: func(email string, unsaved secret.Text) tea.Cmd {
			s.Written(email, unsaved)
			return tea.Quit
		},
	}))
}
