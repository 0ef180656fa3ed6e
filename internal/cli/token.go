package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"gatehouse/internal/safetext"
)

func (a *app) tokenCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "token",
		Short: "Print a valid access token",
		Long: `Prints the access token of the session, renewed when needed, and nothing else,
whatever --output says. Whoever has it can act as the user until it expires.`,
		Example: `  curl -H "Authorization: Bearer $(gatehouse token)" https://...`,
		Args:    noArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.token(cmd.Context()) },
	}
}

func (a *app) token(ctx context.Context) error {
	w, token, err := a.signedIn(ctx)
	if err != nil {
		return err
	}
	defer w.close()
	text := token.Reveal()
	if a.env.StdoutIsTerminal {
		text = safetext.Line(text) // it comes from outside, like all else
	}
	_, err = fmt.Fprintln(contextWriter{ctx, a.env.Stdout}, text)
	return err
}
