package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/internal/hostname"
	"gatehouse/internal/mailaddress"
	"gatehouse/internal/problem"
	"gatehouse/session"
)

func (a *app) lookupCommand() *cobra.Command {
	var list batchFlags
	cmd := &cobra.Command{
		Use:   "lookup EMAIL... | --from FILE",
		Short: "Find the primary domain of users",
		Long: `Asks the global service for the primary domain of each address, in the order given.
No sign-in is needed. The exit code is 1 if any of them failed; the others are
still printed.` + a.aboutLists(),
		Example:     "  gatehouse lookup ada@harbor.example\n  gatehouse lookup -o csv ada@harbor.example ben@harbor.example" + a.listExamples("lookup"),
		Args:        a.addressesOrList(&list),
		Annotations: forVisitors(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if list.from != "" {
				return a.runBatch(cmd.Context(), &list, a.lookupOfList)
			}
			return a.lookup(cmd.Context(), args)
		},
	}
	a.addBatchFlags(cmd, &list)
	return cmd
}

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
	entries, err := a.lookupAll(ctx, w, emails)
	if err != nil {
		return err
	}
	if a.format() != formatNDJSON { // of which each line is there already
		if err := a.print(ctx, lookupResult(entries)); err != nil {
			return err
		}
	}
	if slices.ContainsFunc(entries, lookupEntry.failed) {
		return errReported
	}
	return nil
}

// lookupAll looks up each address. It reports failures on stderr as they happen, and
// hints at the end; as NDJSON it prints each answer at once. Its only other error is that
// of the context.
func (a *app) lookupAll(ctx context.Context, w *work, emails []string) ([]lookupEntry, error) {
	all := make([]lookupEntry, len(emails))
	var hints []string
	for i, email := range emails {
		email, _ = mailaddress.Parse(email) // the service says what is none
		entry, err := lookupOne(ctx, w.service, address(w.profile, email))
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		all[i] = entry
		if err != nil {
			a.say("gatehouse: %s", entry.Error)
			if hint := problem.Describe(err, problem.CommandLine).Hint; hint != "" && !slices.Contains(hints, hint) {
				hints = append(hints, hint)
			}
		}
		if a.format() == formatNDJSON {
			if err := a.print(ctx, lookupResult(all[i:i+1])); err != nil {
				return nil, err
			}
		}
	}
	for _, hint := range hints {
		a.say("%s", hint)
	}
	return all, nil
}

// lookupOne looks up an address. The error is described in the entry.
func lookupOne(ctx context.Context, service *session.Service, email string) (lookupEntry, error) {
	answer, err := service.Lookup(ctx, email)
	if err != nil {
		return lookupEntry{Email: email, Error: problem.Describe(err, problem.CommandLine).Sentence}, err
	}
	return lookupEntry{Email: email, PrimaryDomain: answer.PrimaryDomain}, nil
}

func lookupResult(all []lookupEntry) result {
	failed := slices.ContainsFunc(all, lookupEntry.failed)
	csv, table := fixedGrid{names: lookupColumns}, fixedGrid{names: lookupTable(failed)}
	for _, one := range all {
		csv.cells = append(csv.cells, one.csvRow())
		table.cells = append(table.cells, one.tableRow()[:len(table.names)])
	}
	return result{
		json:  asJSON(all),
		csv:   csv,
		table: table,
	}
}

var lookupColumns = []string{"email", "primary_domain", "error"}

// lookupTable is the columns of a table: without that of errors if there are none.
func lookupTable(failed bool) []string {
	if failed {
		return lookupColumns
	}
	return lookupColumns[:2]
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
