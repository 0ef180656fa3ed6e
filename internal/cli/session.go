package cli

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gatehouse/internal/files"
	"gatehouse/internal/lists"
	"gatehouse/internal/prompt"
	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
	"gatehouse/internal/text/secret"
	"gatehouse/session"
)

// loginFlags are the flags of commands that sign in.
type loginFlags struct {
	email         string
	passwordStdin bool // the password comes from standard input
	keep          bool // visitors only
}

// add adds the flags, except that of keep, to a command.
func (f *loginFlags) add(cmd *cobra.Command, usageOfEmail string) {
	addEmail(cmd.Flags(), &f.email, usageOfEmail)
	cmd.Flags().BoolVar(&f.passwordStdin, "password-stdin", false,
		"read the password from standard input")
}

func loginCommand(a *app) *cobra.Command {
	var flags loginFlags
	cmd := &cobra.Command{
		Use:   "login",
		Short: "Sign in and keep the session",
		Long: `Signs in with an e-mail address and a password, and keeps the session for the UI and the
other commands. Prompts for the address and the password if they are not given. The
password comes from the terminal or from standard input, never from a flag.`,
		Example: `  gatehouse login
  gatehouse login --email ada@harbor.example
  printf %s "$PASSWORD" | gatehouse login --email ada@harbor.example --password-stdin`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return signIn(cmd.Context(), a, flags, persistentVault, inStore)
		},
	}
	flags.add(cmd, "`EMAIL` address to sign in with")
	return cmd
}

// inStore says in which store a session is kept, as the end of a sentence.
func inStore(store string) string { return fmt.Sprintf("in the store %q", store) }

// signIn signs in and keeps the session in a vault. It asks for the address, unless the flags have
// one, and for the password. where returns where the session is kept, for the name of a store: it
// ends the sentence "The session is kept …".
func signIn(
	ctx context.Context, a *app, flags loginFlags, vault vaultOpener,
	where func(store string) string,
) error {
	service, err := a.open(ctx, vault, clientSecret)
	if err != nil {
		return err
	}
	email, err := a.addressToSignIn(ctx, flags.email)
	if err != nil {
		return err
	}
	if err := a.sayDomain(ctx, service, email); err != nil {
		return err
	}
	password, err := a.password(ctx, email, flags.passwordStdin)
	if err != nil {
		return err
	}
	in := session.SignIn{Username: email, Password: password, Keep: flags.keep}
	if err := service.Session.SignIn(ctx, in); err != nil {
		return err
	}
	if err := service.Close(); err != nil { // it has tried once more to save the session
		return err
	}
	status := service.Session.Status()
	a.say("Signed in as %s. The session is kept %s.", status.Username, where(status.Store))
	if !strings.EqualFold(status.Username, email) {
		a.say("gatehouse: the token is of %s, and not of %s, which was asked for: that may be an alias of it."+
			" What you list may belong to %s.", status.Username, email, status.Username)
	}
	return nil
}

// addressToSignIn returns the address that was given, or asks for it if that is "" and there is a
// terminal.
func (a *app) addressToSignIn(ctx context.Context, given string) (string, error) {
	email := given
	if email == "" && a.env.Ask != nil {
		typed, err := a.env.Ask.Line(ctx, "E-mail address: ")
		if err != nil {
			return "", err
		}
		email = typed
	}
	switch {
	case email == "":
		return "", usage("the e-mail address to sign in with is missing", "Use `--email`.")
	case given == "":
		return hostname.ParseEmail(email)
	}
	return email, nil
}

// sayDomain says which primary domain an address has, or why that is not known, so that a person at
// a terminal sees a wrong domain before they type the password. The only error is that of ctx.
func (a *app) sayDomain(ctx context.Context, service *session.Service, email string) error {
	if a.env.Ask == nil {
		return nil
	}
	domain, err := service.Lookup(ctx, email)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	a.say("%s", session.LookedUp(domain, err))
	return nil
}

// password returns the password of an account. It asks for it if there is a terminal, and otherwise
// reads it from standard input, but only if fromStdin is set.
func (a *app) password(ctx context.Context, email string, fromStdin bool) (secret.Text, error) {
	if err := a.canAsk(fromStdin); err != nil {
		return secret.Text{}, err
	}
	if a.env.Ask == nil {
		example := `printf %s "$PASSWORD" | ` + a.called.command + ` ... --password-stdin`
		return prompt.ReadSecret(ctx, a.env.Stdin, "password", example)
	}
	password, err := a.env.Ask.Secret(ctx, "Password for "+safetext.Line(email)+": ")
	if err == nil && password.IsEmpty() {
		err = usage("the password is empty", "Type it, or pipe it in with `--password-stdin`.")
	}
	return password, err
}

// canAsk returns an error if there is no terminal to ask for a password on and none comes from
// standard input.
func (a *app) canAsk(fromStdin bool) error {
	if a.env.Ask != nil || fromStdin {
		return nil
	}
	return usage("there is no terminal to type the password on",
		"Pipe it in with `--password-stdin`. Over SSH, `ssh -t` asks for a terminal.")
}

func logoutCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "logout",
		Short: "Sign out and delete the saved session",
		Long: `Deletes the saved session of the profile, even one that can no longer be read. Without a
session it does nothing.`,
		Example: "  gatehouse logout\n  gatehouse logout --profile main",
		RunE: func(cmd *cobra.Command, _ []string) error {
			// The file of the session can be deleted without its key, in whichever store that is,
			// and even if other values of the profile are wrong.
			a.nameOnly = true
			vault := storedVault(session.VaultOptions{Kind: session.StoreFile, Explicit: true})
			service, err := a.open(cmd.Context(), vault)
			if err != nil {
				return err
			}
			if err = service.Session.SignOut(cmd.Context()); err == nil {
				a.say("Signed out. No session is saved for the profile %s.", service.Profile.Name)
			}
			return err
		},
	}
}

func whoamiCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "whoami",
		Short: "Show who is signed in, where, and until when",
		Long: `Shows who is signed in, at which authority, with which domains, and until when. The
domains come from the access token, primary first. The token is decoded, not verified,
and its claims date from the last sign-in.`,
		Example: "  gatehouse whoami\n  gatehouse whoami -o json",
		RunE:    func(cmd *cobra.Command, _ []string) error { return showIdentity(cmd.Context(), a) },
	}
}

// warnOf warns about claims of the access token that are left out.
func (a *app) warnOf(claims session.Claims) {
	for _, note := range claims.Notes() {
		a.warn(note)
	}
}

// identity is the JSON of whoami.
type identity struct {
	Username      string   `json:"username"`
	PrimaryDomain string   `json:"primary_domain"`
	Domains       []string `json:"domains"`
	ExpiresAt     *string  `json:"expires_at"` // RFC 3339 in UTC, null if unknown
	Renewable     bool     `json:"renewable"`
	Authority     string   `json:"authority"`
	Profile       string   `json:"profile"`
}

// showIdentity writes who is signed in.
func showIdentity(ctx context.Context, a *app) error {
	service, _, err := a.openSignedIn(ctx)
	if err != nil {
		return err
	}
	status := service.Session.Status()
	a.warnOf(status.Claims)
	who := identity{
		Username:      status.Username,
		PrimaryDomain: status.Claims.PrimaryDomain,
		Domains:       append([]string{}, status.Claims.AllDomains()...), // [] in JSON, never null
		Renewable:     status.Renewable,
		Authority:     status.Authority,
		Profile:       service.Profile.Name,
	}
	if !status.ExpiresAt.IsZero() {
		at := status.ExpiresAt.UTC().Format(time.RFC3339)
		who.ExpiresAt = &at
	}
	return show(ctx, a, form[identity]{
		alone: true,
		columns: []column[identity]{
			{name: "username", text: func(i identity) string { return i.Username }},
			{name: "primary_domain", text: func(i identity) string { return i.PrimaryDomain }},
			{
				name: "domains",
				text: func(i identity) string { return strings.Join(i.Domains, " ") },
			},
			{
				name: "expires_at",
				text: func(i identity) string { return *cmp.Or(i.ExpiresAt, new(string)) },
			},
			{
				name: "renewable",
				text: func(i identity) string { return strconv.FormatBool(i.Renewable) },
			},
			{name: "authority", text: func(i identity) string { return i.Authority }},
			{name: "profile", text: func(i identity) string { return i.Profile }},
		},
		lines: func(i identity) []labelled { return i.lines(status.ExpiresAt, a.env.Now()) },
	}, who)
}

// lines returns the identity as lines for people. expires is zero if it is unknown.
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
		labelled{"Authority", session.AuthorityTitle(i.Authority)},
		labelled{"Profile", i.Profile},
		labelled{"Expires", lifeLeft(expires, now)},
		labelled{"Renewable", yesNo(i.Renewable)},
	)
}

// lifeLeft says when a token expires, which is zero if it is unknown, and how long that is from now.
func lifeLeft(at, now time.Time) string {
	if at.IsZero() {
		return "unknown, the authority does not say"
	}
	text := human.Moment(at.UTC())
	if left := at.Sub(now).Round(time.Second); left > 0 {
		return text + " (in " + human.Span(left) + ")"
	}
	return text + " (expired)"
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func tokenCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "token",
		Short: "Print a valid access token",
		Long: `Prints the access token of the session, renewed if needed, and nothing else, whatever
--output says. Anyone who has the token can act as the user until it expires.`,
		Example: `  curl -H "Authorization: Bearer $(gatehouse token)" https://...`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, token, err := a.openSignedIn(cmd.Context())
			if err != nil {
				return err
			}
			text := token.Reveal()
			if a.env.StdoutIsTerminal {
				text = safetext.Line(text) // it comes from outside, too
			}
			_, err = fmt.Fprintln(files.Interruptible(cmd.Context(), a.env.Stdout), text)
			return err
		},
	}
}

func domainsCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "domains",
		Short: "List the domains of the user, primary first",
		Long: `Lists the domains that the access token names: the primary one first, then the
others in the token's order, at most 10,000. The token is decoded, not verified, and
its claims date from the last sign-in: sign in again to see new domains.`,
		Example: "  gatehouse domains\n  gatehouse domains -o json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			service, _, err := a.openSignedIn(cmd.Context())
			if err != nil {
				return err
			}
			claims := service.Session.Status().Claims
			a.warnOf(claims)
			var list []domain
			for _, name := range claims.AllDomains() {
				list = append(list, domain{name, name == claims.PrimaryDomain})
			}
			form := formOfDomains
			if len(claims.Rejected) > 0 {
				form.empty = "The access token names domains, and none that can be read."
			}
			return show(cmd.Context(), a, form, list...)
		},
	}
	a.writes(cmd, lists.Lists)
	return cmd
}

// domain is an element of the JSON of domains.
type domain struct {
	Domain  string `json:"domain"`
	Primary bool   `json:"primary"`
}

// mark returns the cell that tells the primary domain from the others.
func (d domain) mark() tableCell {
	if d.Primary {
		return textCell("primary")
	}
	return tableCell{}
}

// formOfDomains is how the domains are written.
var formOfDomains = form[domain]{
	columns: []column[domain]{
		{
			name: "domain", host: true, title: "Domain",
			text: func(d domain) string { return d.Domain },
		},
		{
			name: "primary", kind: lists.BoolColumn,
			text: func(d domain) string { return strconv.FormatBool(d.Primary) },
			cell: domain.mark,
		},
	},
	empty: "The access token names no domain.",
}
