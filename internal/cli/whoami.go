package cli

import (
	"context"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gatehouse/internal/hostname"
	"gatehouse/session"
)

func (a *app) whoamiCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "whoami",
		Short: "Show who is signed in, where, and until when",
		Long: `Shows the session: who, at which authority, which domains, until when. The domains
are all that the access token names, primary first. What the token says is
decoded, not verified, and as old as the last sign-in.`,
		Example: "  gatehouse whoami\n  gatehouse whoami -o json",
		Args:    noArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.whoami(cmd.Context()) },
	}
}

// identity is the JSON of whoami.
type identity struct {
	Username      string   `json:"username"`
	PrimaryDomain string   `json:"primary_domain"`
	Domains       []string `json:"domains"`
	ExpiresAt     *string  `json:"expires_at"` // RFC 3339 in UTC, null if nobody knows
	Renewable     bool     `json:"renewable"`
	Authority     string   `json:"authority"`
	Profile       string   `json:"profile"`
}

func (a *app) whoami(ctx context.Context) error {
	w, _, err := a.signedIn(ctx)
	if err != nil {
		return err
	}
	defer w.close()
	status := w.service.Session.Status()
	who := identify(status, w.profile.Name)
	return a.print(ctx, result{
		json:  func(out io.Writer) error { return encodeJSON(out, who) },
		csv:   who.row(),
		lines: who.lines(status.ExpiresAt, a.env.Now()),
	})
}

func identify(s session.Status, profile string) identity {
	who := identity{
		Username:      s.Username,
		PrimaryDomain: s.Claims.PrimaryDomain,
		Domains:       append([]string{}, s.Claims.AllDomains()...), // [] in JSON, never null
		Renewable:     s.Renewable,
		Authority:     s.Authority,
		Profile:       profile,
	}
	if !s.ExpiresAt.IsZero() {
		at := s.ExpiresAt.UTC().Format(time.RFC3339)
		who.ExpiresAt = &at
	}
	return who
}

// row is the CSV of whoami; the domains are separated by blanks.
func (i identity) row() sheet {
	var expires string
	if i.ExpiresAt != nil {
		expires = *i.ExpiresAt
	}
	return fixedGrid{
		names: []string{"username", "primary_domain", "domains", "expires_at", "renewable", "authority", "profile"},
		cells: [][]cell{{
			textCell(i.Username), textCell(i.PrimaryDomain), textCell(strings.Join(i.Domains, " ")),
			textCell(expires), boolCell(i.Renewable), textCell(i.Authority), textCell(i.Profile),
		}},
	}
}

func (i identity) lines(expires, now time.Time) []labelled {
	lines := []labelled{{"User", i.Username}}
	label := "Domains"
	for _, domain := range i.Domains {
		shown := hostname.Readable(domain)
		if domain == i.PrimaryDomain {
			shown += " (primary)"
		}
		lines = append(lines, labelled{label, shown})
		label = ""
	}
	if len(i.Domains) > 0 {
		lines = append(lines, labelled{"Claims", "decoded from the access token, not verified"})
	}
	return append(lines,
		labelled{"Authority", i.Authority},
		labelled{"Profile", i.Profile},
		labelled{"Expires", lifeLeft(expires, now)},
		labelled{"Renewable", yesNo(i.Renewable)},
	)
}

// lifeLeft says when a token expires, and how long that is from now.
func lifeLeft(at, now time.Time) string {
	if at.IsZero() {
		return "nobody knows"
	}
	text := at.UTC().Format("2006-01-02 15:04:05") + " UTC"
	if left := at.Sub(now).Round(time.Second); left > 0 {
		return text + " (in " + left.String() + ")"
	}
	return text + " (expired)"
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
