package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/internal/hostname"
	"gatehouse/internal/problem"
)

func (a *app) lookupCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "lookup EMAIL...",
		Short: "Find the primary domain of users",
		Long: `Asks the global service for the primary domain of each address, in the order given.
No sign-in is needed. The exit code is 1 if any of them failed; the others are
still printed.`,
		Example:           "  gatehouse lookup ada@harbor.example\n  gatehouse lookup -o csv ada@harbor.example ben@harbor.example",
		Args:              atLeastOneAddress,
		Annotations:       forVisitors(),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.lookup(cmd.Context(), args) },
	}
}

func atLeastOneAddress(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usage("there is no e-mail address to look up", "Give one or more: `gatehouse lookup ada@harbor.example`.")
	}
	return nil
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
		email = address(w.profile, email)
		all[i].Email = email
		answer, err := w.service.Lookup(ctx, email)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil {
			all[i].PrimaryDomain = answer.PrimaryDomain
		} else {
			p := problem.Describe(err, problem.CommandLine)
			a.say("gatehouse: %s", p.Sentence)
			all[i].Error = p.Sentence
			if p.Hint != "" && !slices.Contains(hints, p.Hint) {
				hints = append(hints, p.Hint)
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

func lookupResult(all []lookupEntry) result {
	csv := fixedGrid{names: []string{"email", "primary_domain", "error"}}
	table := fixedGrid{names: csv.names}
	if !slices.ContainsFunc(all, lookupEntry.failed) {
		table.names = table.names[:2]
	}
	for _, one := range all {
		row := []cell{textCell(one.Email), textCell(one.PrimaryDomain), textCell(one.Error)}
		csv.cells = append(csv.cells, row)
		readable := []cell{row[0], textCell(hostname.Readable(one.PrimaryDomain)), textCell(one.reason())}
		table.cells = append(table.cells, readable[:len(table.names)])
	}
	return result{
		json:  asJSON(all),
		csv:   csv,
		table: table,
	}
}

func (e lookupEntry) failed() bool { return e.Error != "" }

// reason is the error without what the row says anyway: what failed, for whom.
func (e lookupEntry) reason() string {
	if _, reason, ok := strings.Cut(e.Error, e.Email+": "); ok {
		return reason
	}
	return e.Error
}
