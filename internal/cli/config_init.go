package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/internal/check"
	"gatehouse/internal/config"
	"gatehouse/internal/files"
	"gatehouse/internal/hostname"
	"gatehouse/internal/problem"
	"gatehouse/session"
)

func (a *app) configInitCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "init",
		Short: "Set a profile up: ask for what it needs, try it, write the file",
		Long: `Asks for the addresses of the service and the client id, proposes what is usual, tries
each address without a credential, and says what answered. Then it shows what
changes, writes the profile file, keeps the client secret in the keyring, and offers
to sign in. For a profile that is there already it proposes what stands there.
Nothing is written before you agree.`,
		Example: "  gatehouse config init\n  gatehouse config init --profile test",
		Args:    noArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.initConfig(cmd.Context()) },
	}
}

// setup is a profile that is being asked for.
type setup struct {
	*app
	path     string
	document []byte            // of the file; nil if there is none
	name     string            // of the profile
	before   map[string]string // its values in the file, by key
	values   map[string]string // as they will be
	email    string            // who will sign in, or ""
	domain   string            // the primary domain of email, or "" while it is not known
}

func (a *app) initConfig(ctx context.Context) error {
	if a.env.Ask == nil {
		return usage("setting a profile up is a conversation, and there is no terminal to have it on",
			"Write the file by hand: gatehouse-config(5) and docs/profiles.md have every key.")
	}
	s, err := a.beginSetup()
	if err != nil {
		return err
	}
	for _, ask := range []func(context.Context) error{
		s.askName, s.askAddress, s.askClient, s.askGlobal, s.askPerson, s.askAuthority, s.askGateway, s.askSecret, s.write, s.signIn,
	} {
		if err := ask(ctx); err != nil {
			return err
		}
	}
	return nil
}

// beginSetup reads the profile file, if there is one.
func (a *app) beginSetup() (*setup, error) {
	s := &setup{app: a, path: cmp.Or(a.flags.config, config.DefaultPath())}
	document, err := os.ReadFile(s.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, a.fileProblem("read", s.path, err)
	}
	s.document = document
	s.name, s.before, err = config.FileProfile(document, a.flags.profile)
	if err != nil {
		return nil, a.fileProblem("changed", s.path, err)
	}
	s.values = map[string]string{}
	for key, value := range s.before {
		s.values[key] = value
	}
	return s, nil
}

// fileProblem says that the profile file could not be read, changed or written.
func (a *app) fileProblem(done, path string, err error) error {
	return &problem.Error{Problem: problem.Problem{
		Kind:     problem.Usage,
		Sentence: fmt.Sprintf("the profile file %s could not be %s: %v", path, done, err),
		Hint:     "Correct the file in an editor, or name another one with `--config FILE`.",
	}}
}

func (s *setup) askName(ctx context.Context) error {
	if s.name == "" {
		name, err := s.ask(ctx, "Name of the profile", "main", config.CheckProfileName)
		if err != nil {
			return err
		}
		s.name = name
	}
	if len(s.before) > 0 {
		s.say("Changing the profile %s of %s. Enter keeps what stands in brackets.", s.name, s.path)
		return nil
	}
	s.say("A new profile %s, for %s.", s.name, s.path)
	return nil
}

// askAddress proposes the addresses of a new profile.
func (s *setup) askAddress(ctx context.Context) error {
	if len(s.before) > 0 {
		return nil
	}
	address, err := s.ask(ctx, "Address of the installation, such as example.com (empty: type each URL)", "", checkInstallation)
	if err != nil || address == "" {
		return err
	}
	s.values = config.Proposal(address)
	return nil
}

// checkInstallation takes a domain, also where it was copied with what stands around it.
func checkInstallation(text string) (string, error) {
	if u, err := url.Parse(text); err == nil && u.Host != "" {
		text = u.Host
	}
	if text == "" {
		return "", nil
	}
	return config.CheckDomain(strings.TrimSuffix(text, "/"))
}

func (s *setup) askClient(ctx context.Context) error { return s.askKey(ctx, "client_id", "Client id") }

// askKey asks for a value of the profile that need not be tried.
func (s *setup) askKey(ctx context.Context, key, question string) error {
	value, err := s.ask(ctx, question, s.values[key], func(text string) (string, error) {
		if text == "" {
			return "", errors.New("it is needed")
		}
		return config.CheckValue(key, text)
	})
	s.values[key] = value
	return err
}

func (s *setup) askGlobal(ctx context.Context) error {
	return s.askURL(ctx, "global_url", "Global service", check.Global)
}

// askPerson asks who will sign in: the domain of that person says where the gateway is.
func (s *setup) askPerson(ctx context.Context) error {
	email, err := s.ask(ctx, "E-mail address to sign in with (nothing: later)", "", func(text string) (string, error) { return text, nil })
	if err != nil || email == "" {
		return err
	}
	s.email = email
	service, err := s.service()
	if err != nil {
		return err
	}
	defer func() { _ = service.Close() }() // nobody is signed in
	answer, err := service.Lookup(ctx, email)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		s.say("  %s", problem.Describe(err, problem.CommandLine).Sentence)
		return nil
	}
	s.domain = answer.PrimaryDomain
	s.say("  Primary domain: %s", hostname.Readable(s.domain))
	return nil
}

// authorities are the keys and titles of the authorities.
var authorities = map[string]struct{ key, title string }{
	config.AuthorityMain:   {"auth_url", "Main authority"},
	config.AuthorityDomain: {"domain_auth_url", "Authority of the domain"},
	config.AuthorityTest:   {"auth_test_url", "Development authority"},
}

func (s *setup) askAuthority(ctx context.Context) error {
	authority, err := s.ask(ctx, "Authority to sign in at: main, domain or test", cmp.Or(s.values["authority"], config.AuthorityMain), func(text string) (string, error) {
		return config.CheckValue("authority", text)
	})
	if err != nil {
		return err
	}
	s.values["authority"] = authority
	for name, other := range authorities {
		if name != authority && s.before[other.key] == "" {
			delete(s.values, other.key) // it was proposed, and nobody has tried it
		}
	}
	if authority == config.AuthorityDomain && s.values["domain_auth_url"] == "" {
		s.values["domain_auth_url"] = config.Proposal("")["domain_auth_url"]
	}
	return s.askURL(ctx, authorities[authority].key, authorities[authority].title, check.Authority)
}

func (s *setup) askGateway(ctx context.Context) error {
	return s.askURL(ctx, "base_url", "Client gateway", check.Gateway)
}

// askURL asks for a URL and tries it, until one answers or the person keeps it all the same.
func (s *setup) askURL(ctx context.Context, key, title, kind string) error {
	for {
		if err := s.askKey(ctx, key, title); err != nil {
			return err
		}
		fine, err := s.try(ctx, key, kind)
		if err != nil || fine {
			return err
		}
		if keep, err := s.agrees(ctx, "Keep it all the same?", false); err != nil || keep {
			return err
		}
	}
}

// try asks a host without a credential, and says what answered.
func (s *setup) try(ctx context.Context, key, kind string) (fine bool, err error) {
	address := s.values[key]
	if strings.Contains(address, "{domain}") {
		if s.domain == "" {
			s.say("  It depends on the domain, and is tried when somebody signs in.")
			return true, nil
		}
		address = strings.ReplaceAll(address, "{domain}", s.domain)
	}
	service, err := s.service()
	if err != nil {
		return false, err
	}
	defer func() { _ = service.Close() }() // nobody is signed in
	found := check.Host(ctx, service, kind, address)
	s.say("  %s", found.Summary)
	return found.State == check.OK || found.State == check.Info || found.State == check.Warn, ctx.Err()
}

// service is the service of the profile as far as it is known. What is missing is not asked.
func (s *setup) service() (*session.Service, error) {
	const unknown = "https://unknown.invalid"
	values := map[string]string{"auth_url": unknown, "base_url": unknown, "global_url": unknown, "client_id": "unknown", "profile": s.name, "store": config.StoreMemory}
	for _, key := range []string{"global_url", "client_id", "ca_file"} {
		if s.values[key] != "" {
			values[key] = s.values[key]
		}
	}
	profile, err := config.Resolve(config.Sources{File: os.DevNull, LookupEnv: func(name string) (string, bool) {
		value, ok := values[strings.ToLower(strings.TrimPrefix(name, "GATEHOUSE_"))]
		return value, ok
	}})
	if err != nil {
		return nil, err
	}
	return s.app.service(profile, session.NewMemoryVault(), nil, nil), nil
}

// askSecret asks for the client secret, which goes to the keyring.
func (s *setup) askSecret(ctx context.Context) error {
	secret, err := s.env.Ask.Secret(ctx, "Client secret (nothing: there is none, or it is stored): ")
	if err != nil || secret.IsEmpty() {
		return err
	}
	kept := secretByName("client-secret")
	if err := s.secrets(&config.Profile{Name: s.name}).Set(ctx, kept.name, secret); err != nil {
		s.say("%s", problem.Describe(kept.keyringError(err), problem.CommandLine).Sentence)
		return nil
	}
	s.say("  Stored in the keyring.")
	return nil
}

// write shows what changes, and writes the file if the person agrees.
func (s *setup) write(ctx context.Context) error {
	document, err := config.Edit(s.document, s.name, s.values)
	if err != nil {
		return s.fileProblem("changed", s.path, err)
	}
	if string(document) == string(s.document) {
		s.say("%s stays as it is.", s.path)
		return nil
	}
	for _, key := range config.Keys() {
		before, after := s.before[key], s.values[key]
		switch {
		case before == after:
		case before == "":
			s.say("  + %s = %s", key, after)
		default:
			s.say("  ~ %s = %s, was %s", key, after, before)
		}
	}
	agreed, err := s.agrees(ctx, "Write "+s.path+"?", true)
	if err != nil {
		return err
	}
	if !agreed {
		return usage("nothing was written", "Start `gatehouse config init` again to set a profile up.")
	}
	if err := s.save(ctx, document); err != nil {
		return s.fileProblem("written", s.path, err)
	}
	s.say("Wrote %s.", s.path)
	return nil
}

// save writes the file. One that is there keeps its owner and mode: a server that runs as
// another user may read it.
func (s *setup) save(ctx context.Context, document []byte) error {
	if s.document != nil {
		return files.Replace(s.path, document)
	}
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return err
	}
	return files.Export(ctx, s.path, false, func(w io.Writer) error {
		_, err := w.Write(document)
		return err
	})
}

func (s *setup) signIn(ctx context.Context) error {
	if s.email == "" {
		s.say("`gatehouse` opens it.")
		return nil
	}
	now, err := s.agrees(ctx, "Sign in as "+s.email+" now?", true)
	if err != nil || !now {
		return err
	}
	s.flags.config, s.flags.profile = s.path, s.name
	return s.login(ctx, loginFlags{username: s.email})
}

// ask asks until the answer is accepted. An empty one is the proposal.
func (s *setup) ask(ctx context.Context, question, proposal string, accept func(string) (string, error)) (string, error) {
	if proposal != "" {
		question += " [" + proposal + "]"
	}
	for {
		answer, err := s.env.Ask.Line(ctx, question+": ")
		if err != nil {
			return "", err
		}
		value, err := accept(cmp.Or(strings.TrimSpace(answer), proposal))
		if err == nil {
			return value, nil
		}
		s.say("  That cannot be used: %v.", err)
	}
}

// agrees asks a question with two answers. An empty one is the usual one.
func (s *setup) agrees(ctx context.Context, question string, usual bool) (bool, error) {
	choice := "[y/N] "
	if usual {
		choice = "[Y/n] "
	}
	if s.flags.accessible {
		choice = "Type yes or no, or nothing for " + yesNo(usual) + ": "
	}
	answer, err := s.env.Ask.Line(ctx, question+" "+choice)
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return true, err
	case "":
		return usual, err
	}
	return false, err
}
