package cli

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"gatehouse/internal/human"
	"gatehouse/internal/records"
	"gatehouse/internal/sessionstore"
	"gatehouse/session"
)

// sessionsCommand is one for visitors alone.
func (a *app) sessionsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "sessions",
		Short: "List the sessions that are kept for your key",
		Long: `Lists the sessions that are kept for the key, or the certificate, that the connection
was opened with: whose, at which authority, until when, how often they were renewed, and
how often a refresh token was sent once more as nobody knew what had become of it.`,
		Example:     "  gatehouse sessions\n  gatehouse sessions -o json",
		Args:        noArguments,
		Annotations: forVisitors(needsStore),
		RunE:        func(cmd *cobra.Command, _ []string) error { return a.sessions(cmd.Context()) },
	}
}

// keptSession is one element of the JSON of sessions.
type keptSession struct {
	Account   string  `json:"account"`
	Authority string  `json:"authority"`
	EndsAt    *string `json:"ends_at"` // RFC 3339 in UTC, null if it is not known
	Renewals  int     `json:"renewals"`
	InDoubt   int     `json:"in_doubt"`
}

// sessions lists what is kept for the key of the connection: one session at most.
func (a *app) sessions(ctx context.Context) error {
	w, err := a.openKept(ctx)
	if err != nil {
		return err
	}
	defer w.close()
	kept, err := a.visitor.kept.list(ctx, w.service.Session)
	if err != nil {
		return err
	}
	rows := fixedGrid{names: []string{"account", "authority", "ends_at", "renewals", "in_doubt"}}
	table := fixedGrid{names: rows.names}
	for _, s := range kept {
		ends, readable := "", "unknown"
		if s.EndsAt != nil {
			ends = *s.EndsAt
			at, _ := time.Parse(time.RFC3339, ends)
			readable = human.Time(at, time.UTC) + " UTC"
		}
		cells := []cell{textCell(s.Account), textCell(s.Authority), textCell(ends), numberCell(s.Renewals), numberCell(s.InDoubt)}
		rows.cells = append(rows.cells, cells)
		shown := append([]cell{}, cells...)
		shown[2] = textCell(readable)
		table.cells = append(table.cells, shown)
	}
	return a.print(ctx, result{json: asJSON(kept), csv: rows, table: table, empty: "No session is kept for " + a.visitor.kept.owner + "."})
}

// list is the session that is kept. The list is never nil.
func (k keeping) list(ctx context.Context, s *session.Session) ([]keptSession, error) {
	err := s.Restore(ctx)
	if errors.Is(err, session.ErrSignedOut) {
		return []keptSession{}, nil
	}
	if err != nil {
		return nil, notRestored(err)
	}
	record, err := k.vault.Load(ctx)
	if err != nil {
		return nil, err
	}
	row, err := k.row(ctx)
	if errors.Is(err, sessionstore.ErrNoRow) {
		return []keptSession{}, nil // signed out meanwhile
	}
	if err != nil {
		return nil, err
	}
	status := s.Status()
	kept := keptSession{Account: status.Username, Authority: status.Authority, Renewals: record.Renewals, InDoubt: row.Doubts}
	ends := status.RefreshEndsAt
	if !status.Renewable {
		ends = status.ExpiresAt
	}
	if !ends.IsZero() {
		at := ends.UTC().Format(time.RFC3339)
		kept.EndsAt = &at
	}
	return []keptSession{kept}, nil
}

func numberCell(n int) cell { return cell{kind: records.Number, text: strconv.Itoa(n)} }
