package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"gatehouse/api"
	"gatehouse/internal/problem"
	"gatehouse/internal/secret"
	"gatehouse/session"
)

type loginFlags struct {
	username      string
	passwordStdin bool
}

func (a *app) loginCommand() *cobra.Command {
	var flags loginFlags
	cmd := &cobra.Command{
		Use:   "login",
		Short: "Sign in and keep the session",
		Long: `Signs in with an e-mail address and a password and keeps the session for the
other commands and the UI. What is not given is asked for at the terminal; the
password is read from there or from standard input, never from a flag.`,
		Example: `  gatehouse login
  gatehouse login --username ada@harbor.example
  printf %s "$PASSWORD" | gatehouse login --username ada@harbor.example --password-stdin`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.login(cmd.Context(), flags) },
	}
	cmd.Flags().StringVarP(&flags.username, "username", "u", "", "e-mail address of the user")
	cmd.Flags().BoolVar(&flags.passwordStdin, "password-stdin", false, "read the password from standard input")
	return cmd
}

func (a *app) login(ctx context.Context, flags loginFlags) error {
	w, err := a.open(ctx, a.lastingVault, clientSecret)
	if err != nil {
		return err
	}
	defer w.close()
	username, err := a.username(ctx, flags)
	if err != nil {
		return err
	}
	password, err := a.loginPassword(ctx, w, username, flags)
	if err != nil {
		return err
	}
	if err := w.service.Session.SignIn(ctx, session.SignIn{Username: username, Password: password}); err != nil {
		return err
	}
	status := w.service.Session.Status()
	if !status.Saved {
		return status.Reason
	}
	a.welcome(status)
	return nil
}

// username is the one of the flag, else of the person at the terminal.
func (a *app) username(ctx context.Context, flags loginFlags) (string, error) {
	switch {
	case flags.username != "":
		return flags.username, nil
	case a.env.Ask == nil:
		return "", usage("the e-mail address to sign in with is missing", "Use `--username`.")
	}
	name, err := a.env.Ask.Line(ctx, "E-mail address: ")
	if err == nil && name == "" {
		err = usage("the e-mail address to sign in with is missing", "Use `--username`, or type the address.")
	}
	return name, err
}

func (a *app) loginPassword(ctx context.Context, w *work, username string, flags loginFlags) (secret.Text, error) {
	if a.env.Ask != nil {
		if err := a.showPrimaryDomain(ctx, w.service, username); err != nil {
			return secret.Text{}, err
		}
	}
	return a.password(ctx, flags.passwordStdin)
}

// showPrimaryDomain lets the person see a mistyped address before the password
// is typed. That it cannot be looked up stops nobody from signing in.
func (a *app) showPrimaryDomain(ctx context.Context, service *session.Service, username string) error {
	found, err := service.Lookup(ctx, username)
	_, unknown := errors.AsType[*api.NoDomainError](err)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case unknown:
		a.say("The service knows no primary domain for %s: check the address.", username)
	case err != nil:
		a.say("The primary domain is not known: %s", problem.Describe(err, problem.CommandLine).Sentence)
	default:
		a.say("Primary domain: %s", found.PrimaryDomain)
	}
	return nil
}

func (a *app) welcome(s session.Status) {
	a.say("Signed in as %s. The session is kept in the store %q.", s.Username, s.Store)
	if !s.Renewable {
		a.say("It cannot be renewed. It expires: %s", lifeLeft(s.ExpiresAt, a.env.Now()))
	}
	for _, rejected := range s.Claims.Rejected {
		a.say("The token names a domain that is no host name, which is left out: %s", rejected)
	}
}
