package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/internal/hostname"
	"gatehouse/internal/problem"
	"gatehouse/session"
)

func (a *app) lookupCommand() *cobra.Command {
	var list batchFlags
	cmd := &cobra.Command{
		Use:         "lookup EMAIL... | --from FILE",
		Short:       "Find the primary domain of users",
		Long:        aboutLookup + aboutLists,
		Example:     "  gatehouse lookup ada@harbor.example\n  gatehouse lookup -o csv ada@harbor.example ben@harbor.example" + listExample("lookup"),
		Args:        a.addressesOrList(&list),
		Annotations: forVisitors(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if list.from != "" {
				return runList(cmd.Context(), a, &list, a.lookupOfList)
			}
			return a.lookup(cmd.Context(), args)
		},
	}
	a.addBatchFlags(cmd, &list)
	return cmd
}

const aboutLookup = `Asks the global service for the primary domain of each address, in the order given.
No sign-in is needed. The exit code is 1 if any of them failed; the others are
still printed.`

// lookupEntry is one element of the JSON of lookup: a domain or an error.
type lookupEntry struct {
	Email         string `json:"email"`
	PrimaryDomain string `json:"primary_domain,omitempty"`
	Error         string `json:"error,omitempty"`
}

func (a *app) lookup(ctx context.Context, emails []string) error {
	w, err := a.open(ctx, noVault)
	if err != nil {
		return err
	}
	defer w.close()
	failed, hints := false, []string{}
	printer := a.lookupPrinter(ctx, emails)
	for _, email := range emails {
		email, _ = hostname.ParseEmail(email) // the service says what is none
		entry, err := lookupOne(ctx, w.service, address(w.profile, email))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			failed = true
			a.say("gatehouse: %s", entry.Error)
			if hint := problem.Describe(err, problem.CommandLine).Hint; hint != "" && !slices.Contains(hints, hint) {
				hints = append(hints, hint)
			}
		}
		if err := printer.print(entry); err != nil {
			return err
		}
	}
	for _, hint := range hints {
		a.say("%s", hint)
	}
	if err := printer.close(); err != nil {
		return err
	}
	if failed {
		return errReported
	}
	return nil
}

// lookupOne looks up an address. The error is described in the entry.
func lookupOne(ctx context.Context, service *session.Service, email string) (lookupEntry, error) {
	answer, err := service.Lookup(ctx, email)
	if err != nil {
		return lookupEntry{Email: email, Error: problem.Describe(err, problem.CommandLine).Sentence}, err
	}
	return lookupEntry{Email: email, PrimaryDomain: answer.PrimaryDomain}, nil
}

// lookupPrinter prints look-ups, however many there are.
func (a *app) lookupPrinter(ctx context.Context, _ []string) *answers[lookupEntry] {
	return newAnswers(ctx, a, form[lookupEntry]{columns: lookupColumns, row: lookupEntry.csvRow, table: lookupTable})
}

var lookupColumns = []string{"email", "primary_domain", "error"}

// lookupTable is a table without the column of errors if there are none.
func lookupTable(all []lookupEntry) grid {
	table := fixedGrid{names: lookupColumns[:2]}
	if slices.ContainsFunc(all, lookupEntry.failed) {
		table.names = lookupColumns
	}
	for _, one := range all {
		table.cells = append(table.cells, one.tableRow()[:len(table.names)])
	}
	return table
}

func (e lookupEntry) csvRow() []cell {
	return []cell{textCell(e.Email), textCell(e.PrimaryDomain), textCell(e.Error)}
}

func (e lookupEntry) tableRow() []cell {
	return []cell{textCell(e.Email), textCell(hostname.Readable(e.PrimaryDomain)), textCell(e.reason())}
}

func (e lookupEntry) failed() bool { return e.Error != "" }

// reason is the error without what the row says anyway: what failed, for whom.
func (e lookupEntry) reason() string {
	if _, reason, ok := strings.Cut(e.Error, e.Email+": "); ok {
		return reason
	}
	return e.Error
}
