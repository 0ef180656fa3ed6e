package cli

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"gatehouse/internal/config"
	"gatehouse/internal/hostname"
	"gatehouse/internal/problem"
	"gatehouse/internal/secret"
	"gatehouse/internal/setup"
	"gatehouse/session"
	"gatehouse/ui"
)

func (a *app) configInitCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Set a profile up: ask for what it needs, try it, write the file",
		Long: `Asks for the address of the service and the client id, proposes what is usual, tries
each address without a credential, and says what answered. Then it shows what
changes, writes the profile file, keeps the client secret in the keyring, and goes on
to sign in. For a profile that is there already it proposes what stands there.
The file is not written before you agree.

It is a screen of the terminal UI; with --accessible, or on a terminal without one, it
is a conversation in lines.`,
		Example: "  gatehouse config init\n  gatehouse config init --profile test --accessible",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			defer a.useLineMode()()
			return a.initConfig(cmd.Context())
		},
	}
	a.addAccessibleFlag(cmd)
	return cmd
}

// initConfig sets a profile up on the screen, or in lines where there is none.
func (a *app) initConfig(ctx context.Context) error {
	inLines := a.env.RunUI == nil || a.flags.accessible
	if inLines && a.env.Ask == nil {
		return usage("setting a profile up is a conversation, and there is no terminal to have it on",
			"Write the file by hand: gatehouse-config(5) has every key.")
	}
	draft, err := a.openDraft()
	if err != nil {
		return err
	}
	if inLines {
		return a.setUpInLines(ctx, draft)
	}
	chosen, err := a.setUpOnScreen(ctx, draft)
	if err == nil && !chosen {
		err = usage("nothing was written", "Start `gatehouse config init` again to set a profile up.")
	}
	return err
}

// openDraft begins to set up the profile of the flags.
func (a *app) openDraft() (*setup.Draft, error) {
	var rings keyrings
	return setup.Open(setup.Options{
		File:    cmp.Or(a.flags.config, config.DefaultPath()),
		Profile: a.flags.profile,
		Service: func(p *config.Profile) *session.Service { return a.service(p, session.NewMemoryVault(), nil, nil) },
		Keep: func(ctx context.Context, profile string, value secret.Text) error {
			if err := clientSecret.check(value); err != nil {
				return err
			}
			err := rings.of(a, profile).Set(ctx, clientSecret.name, value)
			if err != nil {
				err = clientSecret.keyringError(err)
			}
			return err
		},
	})
}

// keyrings are the secrets of the profile that was set up last. One that hangs is not asked
// again meanwhile.
type keyrings struct {
	mu      sync.Mutex
	profile string
	ring    *session.Secrets
}

func (k *keyrings) of(a *app, profile string) *session.Secrets {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.ring == nil || k.profile != profile {
		k.profile, k.ring = profile, a.secrets(&config.Profile{Name: profile})
	}
	return k.ring
}

// nameFromSetup is the profile that reports of a crash go with, while there is none.
const nameFromSetup = "setup"

// setUpOnScreen shows the screen, and goes on with what the person has chosen there: to sign
// in, or the demo. If it was left, nothing is chosen.
func (a *app) setUpOnScreen(ctx context.Context, draft *setup.Draft) (chosen bool, err error) {
	sources := a.sources()
	if !draft.HasFile() {
		sources.File = os.DevNull // one that was named need not exist here
	}
	preferences, keys, err := preferencesOf(sources)
	if err != nil {
		return false, err
	}
	o := &ui.Options{Keys: keys, NoMouse: a.flags.noMouse || !preferences.Mouse, Now: a.env.Now, Late: a.reportLate, Version: Version()}
	if o.Theme, err = a.theme(preferences); err != nil {
		return false, err
	}
	o.Clipboard, o.Browser = desktopClipboard(a.env.LookupEnv), desktopBrowser(a.env.LookupEnv)
	o.Reports = filepath.Dir(session.StatePath(nameFromSetup))
	var next func() error
	given, _ := a.env.LookupEnv(clientSecret.variable())
	o.Setup = &ui.Setup{
		Draft: draft, SecretVariable: clientSecret.variable(), SecretGiven: given != "",
		Demo: func() { next = func() error { return a.browseDemo(ctx) } },
		Written: func(email string, unsaved secret.Text) {
			next = func() error {
				a.flags.config, a.flags.profile = draft.File(), draft.Name()
				a.giveSecret(unsaved)
				return a.browseWith(ctx, &ui.Options{SignInAs: email})
			}
		},
	}
	if err := a.env.RunUI(ctx, o); err != nil || next == nil {
		return false, err
	}
	return true, next()
}

// giveSecret is for a client secret that is not saved: for the rest of this run it is as if
// its variable were set.
func (a *app) giveSecret(unsaved secret.Text) {
	if unsaved.IsEmpty() {
		return
	}
	before := a.env.LookupEnv
	a.env.LookupEnv = func(name string) (string, bool) {
		if name == clientSecret.variable() {
			return unsaved.Reveal(), true
		}
		return before(name)
	}
}

// interview sets a profile up by questions and answers.
type interview struct {
	*app
	*setup.Draft
	email  string // who will sign in, or ""
	domain string // the primary domain of email, or "" while it is not known
}

func (a *app) setUpInLines(ctx context.Context, draft *setup.Draft) error {
	c := &interview{app: a, Draft: draft}
	for _, ask := range []func(context.Context) error{
		c.askName, c.askAddress, c.askClient, c.askGlobal, c.askPerson, c.askAuthority, c.askGateway, c.askSecret, c.writeFile, c.signIn,
	} {
		if err := ask(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (c *interview) askName(ctx context.Context) error {
	if c.Name() == "" {
		name, err := c.ask(ctx, "Name of the profile", "main", config.CheckProfileName)
		if err == nil {
			err = c.SetName(name)
		}
		if err != nil {
			return err
		}
	}
	if !c.IsNew() {
		c.say("Changing the profile %s of %s. Enter keeps what stands in brackets.", c.Name(), c.File())
		return nil
	}
	c.say("A new profile %s, for %s.", c.Name(), c.File())
	return nil
}

// askAddress proposes the addresses of a new profile.
func (c *interview) askAddress(ctx context.Context) error {
	if !c.IsNew() {
		return nil
	}
	c.say("Without an installation at hand, `gatehouse demo --accessible` needs none.")
	address, err := c.ask(ctx, "Address of the installation, such as example.com (empty: type each URL)", "", setup.CheckAddress)
	c.Propose(address)
	return err
}

func (c *interview) askClient(ctx context.Context) error {
	return c.askKey(ctx, "client_id", "Client id")
}

// askKey asks for a value of the profile that need not be tried.
func (c *interview) askKey(ctx context.Context, key, question string) error {
	value, err := c.ask(ctx, question, c.Value(key), func(text string) (string, error) { return setup.Check(key, text) })
	if err != nil {
		return err
	}
	return c.Set(key, value)
}

func (c *interview) askGlobal(ctx context.Context) error { return c.askPart(ctx, setup.Global) }

// askPerson asks who will sign in: the domain of that person says where the gateway is.
func (c *interview) askPerson(ctx context.Context) error {
	email, err := c.ask(ctx, "E-mail address to sign in with (nothing: later)", "", func(text string) (string, error) { return text, nil })
	if err != nil || email == "" {
		return err
	}
	c.email = email
	c.domain, err = c.PrimaryDomain(ctx, c.Value(setup.Global.Key), email)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		c.say("  %s", problem.Describe(err, problem.CommandLine).Sentence)
		return nil
	}
	c.say("  Primary domain: %s", hostname.Readable(c.domain))
	return nil
}

func (c *interview) askAuthority(ctx context.Context) error {
	authority, err := c.ask(ctx, "Authority to sign in at: main, domain or test", c.Authority(), func(text string) (string, error) {
		return config.CheckValue("authority", text)
	})
	if err != nil {
		return err
	}
	c.SetAuthority(authority)
	return c.askPart(ctx, c.AuthorityPart())
}

func (c *interview) askGateway(ctx context.Context) error { return c.askPart(ctx, setup.Gateway) }

// askPart asks for a URL and tries it, until one answers or the person keeps it all the same:
// whoever leaves it as it was the second time is taken to mean that.
func (c *interview) askPart(ctx context.Context, part setup.Part) error {
	for tried := ""; ; tried = c.Value(part.Key) {
		if err := c.askKey(ctx, part.Key, part.Title); err != nil {
			return err
		}
		found := c.Try(ctx, part, c.Value(part.Key), c.domain)
		c.say("  %s", found.Summary)
		if err := ctx.Err(); err != nil || setup.Answered(found) {
			return err
		}
		if keep, err := c.agrees(ctx, "Keep it all the same?", c.Value(part.Key) == tried); err != nil || keep {
			return err
		}
	}
}

// askSecret asks for the client secret, which goes to the keyring.
func (c *interview) askSecret(ctx context.Context) error {
	value, err := c.env.Ask.Secret(ctx, "Client secret (nothing: there is none, or it is stored): ")
	if err != nil || value.IsEmpty() {
		return err
	}
	if err := c.Keep(ctx, value); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		p := problem.Describe(err, problem.CommandLine)
		c.say("  %s %s", p.Sentence, p.Hint)
		if clientSecret.check(value) == nil {
			c.giveSecret(value)
			c.say("  It is in memory, for this run alone.")
		}
		return nil
	}
	c.say("  Stored in the keyring.")
	return nil
}

// writeFile shows what changes, and writes the file if the person agrees.
func (c *interview) writeFile(ctx context.Context) error {
	plan, err := c.Plan()
	if err != nil {
		return err
	}
	if len(plan.Changes) == 0 {
		c.say("%s stays as it is.", c.File())
		return nil
	}
	for _, change := range plan.Changes {
		if change.Before == "" {
			c.say("  + %s = %s", change.Key, change.After)
		} else {
			c.say("  ~ %s = %s, was %s", change.Key, change.After, change.Before)
		}
	}
	agreed, err := c.agrees(ctx, "Write "+c.File()+"?", true)
	if err != nil {
		return err
	}
	if !agreed {
		return usage("nothing was written", "Start `gatehouse config init` again to set a profile up.")
	}
	if err := c.Write(ctx, plan); err != nil {
		return err
	}
	c.say("Wrote %s.", c.File())
	return nil
}

func (c *interview) signIn(ctx context.Context) error {
	if c.email == "" {
		c.say("`gatehouse` opens it.")
		return nil
	}
	now, err := c.agrees(ctx, "Sign in as "+c.email+" now?", true)
	if err != nil || !now {
		return err
	}
	c.flags.config, c.flags.profile = c.File(), c.Name()
	return newLogin(c.app, loginFlags{username: c.email}).run(ctx)
}

// ask asks until the answer is accepted. An empty one is the proposal.
func (c *interview) ask(ctx context.Context, question, proposal string, accept func(string) (string, error)) (string, error) {
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

// agrees asks a question with two answers. An empty one is the usual one.
func (a *app) agrees(ctx context.Context, question string, usual bool) (bool, error) {
	choice := "[y/N] "
	if usual {
		choice = "[Y/n] "
	}
	if a.flags.accessible {
		choice = "Type yes or no, or nothing for " + yesNo(usual) + ": "
	}
	answer, err := a.env.Ask.Line(ctx, question+" "+choice)
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return true, err
	case "":
		return usual, err
	}
	return false, err
}
