package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/desk/check"
	"gatehouse/internal/files"
	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/problem"
	"gatehouse/session"
)

func newConfigInit(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Set up a profile: ask for values, try the URLs, write the file",
		Long: `Asks for the address of the service and the client id, suggests the usual URLs, tries each
without credentials, and shows what answered. Then it shows the changes,
writes the profile file once you agree, stores the client secret in the keyring, and
offers to sign in. For an existing profile it proposes the current values.`,
		Example: "  gatehouse config init\n  gatehouse config init --profile test --accessible",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a.useLineMode()
			c, err := setUp(cmd.Context(), a)
			if err != nil {
				return err
			}
			return c.signIn(cmd.Context())
		},
	}
	a.addAccessibleFlag(cmd.Flags())
	return cmd
}

// setupDialogue sets one profile up by questions and answers.
type setupDialogue struct {
	*app
	file    string // its path
	profile string
	before  map[string]string // the values of the profile in the file, by key
	values  map[string]string // the values that it will have
	address string            // the domain of the installation, for proposals; may be ""
	email   string            // who will sign in, or ""
	domain  string            // the primary domain of email, or "" if it is not known yet
}

// setUp sets up a profile by asking, and makes the flags name it.
func setUp(ctx context.Context, a *app) (*setupDialogue, error) {
	if a.env.Ask == nil {
		return nil, usage("`config init` asks questions, and there is no terminal to answer them on",
			"Write the file by hand: `gatehouse help profiles` has every key.")
	}
	c := &setupDialogue{app: a, file: cmp.Or(a.flags.config, config.DefaultPath())}
	for _, step := range []func(context.Context) error{
		c.askProfile,
		c.askAddress,
		c.askKey("client_id", "Client id"),
		c.askURL("global_url", "Global service", check.GlobalPart),
		c.askPerson,
		c.askAuthority,
		c.askURL("base_url", "Client gateway", check.GatewayPart),
		c.askSecret,
		c.writeFile,
	} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	a.flags.config, a.flags.profile = c.file, c.profile
	return c, nil
}

// askProfile chooses the profile and begins with the values that it has in the file. If neither the
// flags nor the file name one, it is called main.
func (c *setupDialogue) askProfile(context.Context) error {
	document, err := os.ReadFile(c.file)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err == nil {
		c.profile, c.before, err = config.FileProfile(document, c.flags.profile)
	}
	if err == nil && c.profile == "" {
		c.profile, c.before, err = config.FileProfile(document, "main")
	}
	if err != nil {
		return c.fileProblem(err)
	}
	c.values = maps.Clone(c.before)
	c.say("Setting up the profile %q in %s.", c.profile, c.file)
	c.say("Enter takes the value in brackets.")
	return nil
}

// askAddress asks for the domain of a new installation, from which the proposals follow.
func (c *setupDialogue) askAddress(ctx context.Context) (err error) {
	if len(c.before) > 0 {
		return nil
	}
	c.say("No service to connect to? Run `gatehouse demo`.")
	const question = "Address of the service, such as example.com (leave empty to type each URL)"
	c.address, err = c.ask(ctx, question, "", func(text string) (string, error) {
		if u, err := url.Parse(text); err == nil && u.Host != "" { // copied from a browser
			text = u.Host
		}
		if text == "" {
			return "", nil
		}
		return config.CheckDomain(text)
	})
	return err
}

// proposal returns the value of a key in the file, or else the usual one for the address.
func (c *setupDialogue) proposal(key string) string {
	usual := config.Proposal(c.address)[key]
	if c.address == "" && !strings.Contains(usual, domainMark) {
		usual = ""
	}
	return cmp.Or(c.values[key], usual)
}

// askKey returns a step that asks for a value which the profile requires.
func (c *setupDialogue) askKey(key, question string) func(context.Context) error {
	return func(ctx context.Context) (err error) {
		c.values[key], err = c.ask(ctx, question, c.proposal(key), func(text string) (string, error) {
			if text == "" {
				return "", errors.New("it is needed")
			}
			return config.CheckValue(key, text)
		})
		return err
	}
}

// askPerson asks who will sign in. The primary domain of that person leads to the gateway.
func (c *setupDialogue) askPerson(ctx context.Context) (err error) {
	const question = "E-mail address to sign in with (leave empty to sign in later)"
	c.email, err = c.ask(ctx, question, "", func(text string) (string, error) {
		if text == "" {
			return "", nil
		}
		return hostname.ParseEmail(text)
	})
	if err != nil || c.email == "" {
		return err
	}
	service, err := c.trial()
	domain := ""
	if err == nil {
		domain, err = service.Lookup(ctx, c.email)
	}
	if err == nil {
		c.domain, err = config.CheckDomain(domain) // it becomes part of a URL
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		c.say("  %s", problem.Describe(err, commandLine).Sentence)
	default:
		c.say("  Primary domain: %s", hostname.Readable(c.domain))
	}
	return nil
}

// authorityURLs are the keys with the URLs of the authorities.
var authorityURLs = map[string]string{
	config.AuthorityMain:   "auth_url",
	config.AuthorityDomain: "domain_auth_url",
	config.AuthorityTest:   "auth_test_url",
}

// askAuthority asks which authority signs people in, and for its URL.
func (c *setupDialogue) askAuthority(ctx context.Context) error {
	c.values["authority"] = cmp.Or(c.values["authority"], config.AuthorityMain)
	const question = "Authority (the server that checks passwords): main, domain or test"
	if err := c.askKey("authority", question)(ctx); err != nil {
		return err
	}
	key := authorityURLs[c.values["authority"]]
	return c.askURL(key, "URL of the authority", check.AuthorityPart)(ctx)
}

// askURL returns a step that asks for the URL of a part of the service and tries it. It asks again
// until the host answers, or the person keeps the URL anyway.
func (c *setupDialogue) askURL(
	key, question string, part check.ServicePart,
) func(context.Context) error {
	return func(ctx context.Context) error {
		for {
			if err := c.askKey(key, question)(ctx); err != nil {
				return err
			}
			found := c.try(ctx, part, c.values[key])
			c.say("  %s", found.Summary)
			if err := ctx.Err(); err != nil || !found.State.Failed() {
				return err
			}
			if keep, err := c.agrees(ctx, "Keep it anyway?", false); err != nil || keep {
				return err
			}
		}
	}
}

// domainMark stands for the domain in a URL.
const domainMark = "{domain}"

// try checks a host without a credential. If its URL needs a domain that is not known yet, the check
// is skipped.
func (c *setupDialogue) try(
	ctx context.Context, part check.ServicePart, address string,
) check.Check {
	if strings.Contains(address, domainMark) {
		if c.domain == "" {
			return check.Check{
				State:   check.Skipped,
				Summary: check.Summary{"depends on the domain: tried when you sign in"},
			}
		}
		address = strings.ReplaceAll(address, domainMark, c.domain)
	}
	service, err := c.trial()
	if err != nil {
		return check.Check{State: check.Fail, Summary: check.Summary{err.Error()}}
	}
	found := check.Host(ctx, service, part, address)
	// A token endpoint refuses a GET; anything else answers it or does not know it.
	isNoTokenEndpoint := found.Status == http.StatusNotFound || found.Status < http.StatusBadRequest
	switch {
	case found.State.Failed():
	case part == check.AuthorityPart && isNoTokenEndpoint:
		text := fmt.Sprintf("%s answered %d: it has no token endpoint at this URL",
			found.Host, found.Status)
		found.State, found.Summary = check.Fail, check.Summary{text}
	case part == check.GlobalPart:
		_, err := service.Lookup(ctx, "nobody@example.com")
		if _, unknown := errors.AsType[*api.NoDomainError](err); err != nil && !unknown {
			text := problem.Describe(err, commandLine).Sentence
			found.State, found.Summary = check.Fail, check.Summary{text}
		}
	}
	return found
}

// trial returns a service with the values known so far, in which nobody is signed in.
func (c *setupDialogue) trial() (*session.Service, error) {
	const unknown = "https://unknown.invalid"
	variables := map[string]string{
		"GATEHOUSE_PROFILE":    "setup",
		"GATEHOUSE_STORE":      session.StoreMemory,
		"GATEHOUSE_CLIENT_ID":  "unknown",
		"GATEHOUSE_CA_FILE":    c.before["ca_file"],
		"GATEHOUSE_AUTH_URL":   unknown,
		"GATEHOUSE_BASE_URL":   unknown,
		"GATEHOUSE_GLOBAL_URL": c.values["global_url"],
	}
	profile, err := config.Resolve(config.Sources{
		File:      os.DevNull,
		Stores:    session.StoreNames(),
		LookupEnv: lookupIn(variables),
	})
	if err != nil {
		return nil, err
	}
	service := c.service(profile, session.NewMemoryVault(), slog.New(slog.DiscardHandler))
	c.ends = append(c.ends, func() { _ = service.Close() })
	return service, nil
}

// askSecret asks for the client secret, which goes to the keyring.
func (c *setupDialogue) askSecret(ctx context.Context) error {
	const question = "Client secret (leave empty if there is none, or if it is already stored): "
	value, err := c.env.Ask.Secret(ctx, question)
	if err != nil || value.IsEmpty() {
		return err
	}
	if err := clientSecret.check(value); err != nil {
		p := problem.Describe(err, commandLine)
		c.say("  %s %s", p.Sentence, p.Hint)
		return c.askSecret(ctx)
	}
	err = c.secretsOf(c.profile).Set(ctx, clientSecret.name, value)
	switch {
	case err == nil:
		c.say("  Stored in the keyring.")
	case ctx.Err() != nil:
		return ctx.Err()
	default:
		p := problem.Describe(clientSecret.keyringError(err), commandLine)
		c.say("  %s %s", p.Sentence, p.Hint)
		c.say("  It is kept in memory for this run only.")
		saved := c.env.LookupEnv
		c.env.LookupEnv = func(name string) (string, bool) { // as if its variable were set
			if name == clientSecret.variable() {
				return value.Reveal(), true
			}
			return saved(name)
		}
	}
	return nil
}

// writeFile shows what changes, and writes the file if the person agrees.
func (c *setupDialogue) writeFile(ctx context.Context) error {
	if maps.Equal(c.before, c.values) {
		c.say("%s is unchanged.", c.file)
		return nil
	}
	for _, key := range config.Keys() {
		switch before, after := c.before[key], c.values[key]; {
		case before == after:
		case before == "":
			c.say("  + %s = %s", key, after)
		default:
			c.say("  ~ %s = %s, was %s", key, after, before)
		}
	}
	agreed, err := c.agrees(ctx, "Write "+c.file+"?", true)
	if err != nil {
		return err
	}
	if !agreed {
		return usage("nothing was written", "Run `gatehouse config init` again to set up a profile.")
	}
	if err := c.write(ctx); err != nil {
		return c.fileProblem(err)
	}
	c.say("Wrote %s.", c.file)
	return nil
}

// write changes the profile in the file as it is now. An existing file keeps its owner and mode, as a
// server that runs as another user may read it.
func (c *setupDialogue) write(ctx context.Context) error {
	now, err := os.ReadFile(c.file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	document, err := config.Edit(now, c.profile, c.values)
	switch {
	case err != nil:
		return err
	case now != nil:
		return files.Replace(c.file, document)
	}
	if err := os.MkdirAll(filepath.Dir(c.file), 0o700); err != nil {
		return err
	}
	return files.Export(ctx, c.file, false, func(w io.Writer) error {
		_, err := w.Write(document)
		return err
	})
}

// fileProblem returns the error for a profile file that could not be read or written.
func (c *setupDialogue) fileProblem(err error) error {
	return usage(fmt.Sprintf("the profile file %s could not be changed: %v", c.file, err),
		"Correct the file in an editor, or name another one with `--config FILE`.")
}

// signIn offers to sign in with the new profile, if a session would outlive the command.
func (c *setupDialogue) signIn(ctx context.Context) error {
	if c.email == "" {
		c.say("Run `gatehouse` to open it.")
		return nil
	}
	profile, err := c.place.profile()
	if err != nil {
		return err
	}
	vault, _, err := savedVault(ctx, c.app, profile)
	if err == nil && vault.Kind() == session.StoreMemory {
		c.say("A session would end with this command. To keep one in a file, set" +
			" GATEHOUSE_STORE=file, then run `gatehouse login`.")
		return nil
	}
	now, err := c.agrees(ctx, "Sign in as "+c.email+" now?", true)
	if err != nil || !now {
		return err
	}
	return signIn(ctx, c.app, loginFlags{email: c.email}, persistentVault, inStore)
}

// ask asks until accept returns no error, and returns the value that it made of the answer. An empty
// answer stands for the proposal.
func (c *setupDialogue) ask(
	ctx context.Context, question, proposal string, accept func(string) (string, error),
) (string, error) {
	if proposal != "" {
		question += " [" + proposal + "]"
	}
	for {
		answer, err := c.env.Ask.Line(ctx, question+": ")
		if err != nil {
			return "", err
		}
		value, err := accept(cmp.Or(strings.TrimSpace(answer), proposal))
		if err == nil {
			return value, nil
		}
		c.say("  That cannot be used: %v.", err)
	}
}

// agrees asks a question to be answered with yes or no. An empty answer stands for the usual one.
func (a *app) agrees(ctx context.Context, question string, usual bool) (bool, error) {
	answer, err := a.env.Ask.Line(ctx, question+" (yes/no, enter for "+yesNo(usual)+"): ")
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return true, err
	case "":
		return usual, err
	}
	return false, err
}
