package cli

import (
	"context"

	"github.com/spf13/cobra"

	"gatehouse/session"
)

func (a *app) logoutCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "logout",
		Short: "Forget the session",
		Long: `Deletes the session of the profile from its store, also one that cannot be read any
more. It is no error if there is none.`,
		Example: "  gatehouse logout\n  gatehouse logout --profile main",
		Args:    noArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.logout(cmd.Context()) },
	}
}

func (a *app) logout(ctx context.Context) error {
	w, err := a.open(ctx, a.vaultFile)
	if err != nil {
		return err
	}
	defer w.close()
	was := exists(session.StatePath(w.profile.Name))
	if err := w.service.Session.SignOut(ctx); err != nil {
		return err
	}
	if was {
		a.say("Signed out of the profile %s.", w.profile.Name)
	} else {
		a.say("Nobody was signed in with the profile %s.", w.profile.Name)
	}
	return nil
}
