package cli

import (
	"github.com/spf13/cobra"

	"gatehouse/internal/sessionstore"
)

const (
	ticketName = "ticket"
	// ticketTries is how many tickets somebody may ask for in an hour.
	ticketTries = 60
)

// ticketCommand is the command of a visitor who was told the id of a ticket, or left it.
func (a *app) ticketCommand() *cobra.Command {
	var remove bool
	cmd := &cobra.Command{
		Use:   ticketName + " ID",
		Short: "Show the result of a check that was left for the support desk, or delete it",
		Long: `Shows to the support desk the result of a check that somebody has left, as check showed it to
them. The ID is that of the report, and the last line of what check says: twelve digits and
letters, in which an O is the digit 0 and I and L are the digit 1.

With --delete the ticket is deleted, by the support desk or by whoever left it.`,
		Example: `  gatehouse ticket K7QD-M2XA-9FHT
  gatehouse ticket K7QD-M2XA-9FHT -o markdown
  gatehouse ticket K7QD-M2XA-9FHT --delete`,
		Args:        oneTicket,
		Annotations: forVisitors(writesMarkdown, withoutKey),
		RunE: func(cmd *cobra.Command, args []string) error {
			code, _ := sessionstore.ParseCode(args[0])
			if err := a.countTicket(cmd.Context()); err != nil {
				return err
			}
			if remove {
				return a.deleteTicket(cmd.Context(), code)
			}
			return a.readTicket(cmd.Context(), code)
		},
	}
	cmd.Flags().StringVarP(&a.flags.output, "output", "o", "", "table, json, ndjson, csv or markdown (default: table on a terminal, json elsewhere)")
	cmd.Flags().BoolVar(&remove, "delete", false, "delete the ticket")
	return cmd
}

// oneTicket accepts what may be the id of a ticket.
func oneTicket(_ *cobra.Command, args []string) error {
	const hint = "An id is like K7QD-M2XA-9FHT, the last line of what the command check has said. One of eight digits is that of a report that was not left here: ask for the report itself."
	if len(args) != 1 {
		return usage("the id of one ticket is needed", hint)
	}
	if _, ok := sessionstore.ParseCode(args[0]); !ok {
		return usage("this is not the id of a ticket", hint)
	}
	return nil
}
