// Package serve serves the terminal UI and the read-only commands to visitors over SSH. It has
// the command `serve`, what all visitors of a server share, and what each of them may use. How a
// command runs for a visitor is up to the program, see [Program].
package serve

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"math"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/server/sessionstore"
	"gatehouse/internal/server/sshd"
	"gatehouse/internal/text/problem"
	"gatehouse/session"
)

// serveFlags are the flags of the command serve.
type serveFlags struct {
	options      sshd.Options
	demo         bool
	exposeSignIn bool
	deskKeys     string
	openCheck    bool

	sessions   string // the store of sessions
	sessionKey string // the file of the keys that seal them

	// With one of these flags the command does that alone, and serves nobody.
	newKey    string
	rotateKey bool
	forget    string

	proxies       []string
	networks      []string
	secretDomains []string
	logFormat     string
	maxListMiB    int64
	maxMemoryMiB  int64
	helpAll       bool

	// settings are the keys of the flags that the profile file may have, sorted.
	settings []string
}

// The values of --log-format.
const (
	logText = "text"
	logJSON = "json"
)

const (
	// defaultGrace is how long visitors may stay after the server began to shut down.
	defaultGrace = 30 * time.Second
	// finishTime is how long a server then waits for renewals of kept sessions: as long as a token
	// request may take, and 15 seconds to save the new tokens.
	finishTime = session.SendWithin + 15*time.Second
	// The default limits fit a host with a gigabyte of memory.
	defaultMaxListMiB   = 64
	defaultMaxMemoryMiB = 512
)

// Command returns the command serve for a program.
func Command(p Program) *cobra.Command {
	f := &serveFlags{options: sshd.Options{Limits: sshd.DefaultLimits()}}
	cmd := &cobra.Command{
		Use:   "serve (--authorized-keys FILE | --user-ca FILE | --demo --anyone)",
		Short: "Serve the terminal UI over SSH",
		Long: `Serves the terminal UI and the read-only commands over SSH. By default, each
connection has a session of its own, which ends with the connection and leaves nothing on disk.

With --sessions and --session-key, visitors can choose to stay signed in: the server seals
the session, binds it to their key and opens it at their next connection. --new-key creates
the key file. --rotate-key adds a key to it, at most one a day; servers start to use the new
key after ten minutes.

Nobody gets in unless you allow it. Choose who gets in: holders of the keys in a file, holders
of certificates signed by a certificate authority that you trust, or everybody (--demo
--anyone). SSH passwords are never accepted. The host key is created at the first start; its
fingerprint is printed at every start.

Most flags can also be set in the [serve] table of the profile file, with underscores for
hyphens, such as authorized_keys = "/etc/gatehouse/authorized_keys". A variable such as
GATEHOUSE_SERVE_LISTEN overrides the file, and a flag overrides both.`,
		Example: `  gatehouse serve --demo --anyone                      a demo for everybody on this machine
  gatehouse serve --listen :2222 --authorized-keys /etc/gatehouse/authorized_keys
  gatehouse serve --user-ca /etc/gatehouse/user_ca.pub --principals staff,support
  gatehouse serve --new-key /etc/gatehouse/session.key
  gatehouse serve --authorized-keys FILE --session-key /etc/gatehouse/session.key --sessions /var/lib/gatehouse/sessions
  gatehouse serve --session-key FILE --sessions postgres://gatehouse@db/gatehouse --forget SHA256:...
  ssh -p 2222 localhost`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.helpAll {
				return cmd.Help()
			}
			if err := p.fillIn(f, cmd.Flags()); err != nil {
				return err
			}
			if f.newKey != "" || f.rotateKey || f.forget != "" {
				return p.administer(cmd.Context(), f)
			}
			return p.serve(cmd.Context(), f)
		},
	}
	f.add(cmd.Flags())
	return cmd
}

// add defines the flags in the order of the help.
func (f *serveFlags) add(flags *pflag.FlagSet) {
	o, l := &f.options, &f.options.Limits
	flags.SortFlags = false
	flags.StringVar(&o.Listen, "listen", "127.0.0.1:2222", "`ADDR` to listen on (port 0 picks a free one)")
	flags.BoolVar(&f.demo, "demo", false, "give each connection an embedded service of its own")
	flags.StringVar(&o.Access.AuthorizedKeys, "authorized-keys", "", "let in the keys in `FILE`; changes apply to new connections")
	flags.StringVar(&o.Access.UserCA, "user-ca", "", "let in certificates of the certificate authorities in `FILE`")
	flags.StringSliceVar(&o.Access.Principals, "principals", nil, "a certificate must have one of these `NAMES` (default: the visitor's user name)")
	flags.StringVar(&o.Access.RevokedKeys, "revoked-keys", "", "reject the keys in `FILE`, and certificates for them or signed by them")
	flags.BoolVar(&o.Access.Anyone, "anyone", false, "with --demo: let everybody in")
	flags.BoolVar(&f.exposeSignIn, "expose-sign-in", false, "allow --anyone without --demo; strangers can then try passwords on your service from this host")
	flags.StringVar(&f.deskKeys, "desk-keys", "", "keep the results of checks as tickets for the support desk, whose keys are in `FILE`")
	flags.BoolVar(&f.openCheck, "open-check", false, "let anyone run 'ssh -t "+OpenUser+"@HOST check EMAIL --sign-in' without a key; strangers can then try passwords")
	flags.StringVar(&f.sessions, "sessions", sessionstore.InMemory, "`STORE` that keeps visitors' sessions: memory (until they disconnect), a directory (for one server), or postgres://...")
	flags.StringVar(&f.sessionKey, "session-key", "", "`FILE` with the keys that seal kept sessions; the same file for all servers that share a store")
	flags.StringVar(&f.newKey, "new-key", "", "create the key file `FILE`, and exit")
	flags.BoolVar(&f.rotateKey, "rotate-key", false, "add a key to --session-key if the newest is older than a day, count the rows sealed with older keys, and exit")
	flags.StringVar(&f.forget, "forget", "", "delete the kept sessions of `KEY`, and exit: a fingerprint, id:KEYID of a certificate (with --user-ca), or all")
	flags.StringSliceVar(&f.secretDomains, "secret-domains", nil, "`DOMAINS` whose authority may receive the client secret, if its URL contains {domain}")
	flags.StringSliceVar(&f.proxies, "proxy-protocol-from", nil, "`NETWORKS` of balancers, such as 192.0.2.0/28; their connections must start with a PROXY header")
	flags.StringSliceVar(&f.networks, "allow-network", nil, "private `NETWORKS`, such as 10.1.0.0/16, where visitors' requests may reach hosts that the service names")
	flags.StringVar(&o.HostKey, "host-key", "", "`FILE` with the private host key (default: created in the state directory)")
	flags.DurationVar(&o.Grace, "grace", defaultGrace, "when the server shuts down, visitors may stay for `DURATION`")
	flags.StringVar(&f.logFormat, "log-format", logText, "`FORMAT` of the log on stderr: text or json")
	flags.StringVar(&o.Metrics, "metrics", "", "loopback address `ADDR` for /healthz, /readyz and /metrics")
	flags.IntVar(&l.Connections, "max-connections", l.Connections, "at most `N` open connections (here and below, 0 means no limit)")
	flags.IntVar(&l.PerAddress, "max-per-address", l.PerAddress, "at most `N` open connections from an IPv4 address or an IPv6 /64")
	flags.Float64Var(&l.PerSecond, "rate-per-address", l.PerSecond, "at most `N` new connections per second from such an address, after a burst of ten")
	flags.DurationVar(&l.Idle, "idle-timeout", l.Idle, "end a connection without input after `DURATION`")
	flags.DurationVar(&l.Total, "session-timeout", l.Total, "end a connection after `DURATION`")
	flags.DurationVar(&l.Authenticate, "auth-timeout", l.Authenticate, "end a connection that has not started a session after `DURATION`")
	flags.IntVar(&l.Tries, "auth-tries", l.Tries, "a connection may try at most `N` keys")
	flags.DurationVar(&l.Stalled, "stall-timeout", l.Stalled, "end a connection that accepts no output for `DURATION`")
	flags.Int64Var(&f.maxListMiB, "max-records-memory", defaultMaxListMiB,
		fmt.Sprintf("longest list that a visitor can load, in `MiB` (0 means %d)", api.DefaultBodyLimit>>20))
	flags.Int64Var(&f.maxMemoryMiB, "max-memory", defaultMaxMemoryMiB, "memory for the lists of all connections, in `MiB`")
	flags.BoolVar(&f.helpAll, "help-all", false, "show all flags")
	flags.VisitAll(func(flag *pflag.Flag) { f.describe(flags, flag) })
	slices.Sort(f.settings)
}

// describe writes the default of a flag as people do, and notes whether the flag is in the short
// help and in the profile file.
func (f *serveFlags) describe(flags *pflag.FlagSet, flag *pflag.Flag) {
	noZeroes := strings.NewReplacer("h0m0s", "h", "m0s", "m") // in durations
	flag.DefValue = noZeroes.Replace(flag.DefValue)
	if !slices.Contains(basicFlags, flag.Name) {
		_ = flags.SetAnnotation(flag.Name, More, []string{"true"})
	}
	if !slices.Contains(perCallFlags, flag.Name) {
		f.settings = append(f.settings, strings.ReplaceAll(flag.Name, "-", "_"))
	}
}

// More is the annotation of the flags that are in `--help-all` only.
const More = "few need it"

var (
	// basicFlags are the flags that it takes to start a server. They are in `--help`.
	basicFlags = []string{
		"anyone", "authorized-keys", "demo", "help-all", "host-key", "listen", "new-key", "principals",
		"session-key", "sessions", "user-ca",
	}
	// perCallFlags say what one call does. All others describe an installation, so they can also be
	// set in the profile file.
	perCallFlags = []string{
		"anyone", "demo", "expose-sign-in", "forget", "help-all", "new-key", "rotate-key",
	}
	// pathFlags name a file or a directory. In the profile file a relative path starts at the
	// directory of that file.
	pathFlags = []string{
		"authorized-keys", "desk-keys", "host-key", "revoked-keys", "session-key", "sessions",
		"user-ca",
	}
)

// fillIn sets the flags that were not given from variables and the profile file. A demo, and the
// creation of a key file, use no settings of an installation.
func (p *Program) fillIn(f *serveFlags, flags *pflag.FlagSet) error {
	if f.demo || f.newKey != "" {
		return nil
	}
	settings, err := p.Sources().ServerSettings(f.settings)
	if err != nil {
		return err
	}
	for key, s := range settings {
		flag := flags.Lookup(strings.ReplaceAll(key, "_", "-"))
		isFromFile := s.Origin.File != ""
		if isFromFile && isRelative(flag.Name, s.Text) {
			s.Text = filepath.Join(filepath.Dir(s.Origin.File), s.Text)
		}
		if !flag.Changed && flag.Value.Set(s.Text) != nil {
			return s.Refuse("use " + config.Accepts(flag.Value.Type()))
		}
	}
	return nil
}

// isRelative reports whether the value of a flag is a relative path. --sessions also accepts values
// that are not paths; one that is refused counts as such, so that the message shows it unchanged.
func isRelative(name, value string) bool {
	if name == "sessions" && !namesDirectory(value) {
		return false
	}
	return slices.Contains(pathFlags, name) && !filepath.IsAbs(value)
}

// namesDirectory reports whether a value of --sessions is a directory.
func namesDirectory(sessions string) bool {
	isURL := strings.Contains(sessions, "://")
	return sessions != sessionstore.InMemory && !isURL && sessionstore.CheckName(sessions) == nil
}

// check refuses flags that do not fit together, before anything is started. The error of this and
// of the functions that it calls is a [problem.Error].
func (f *serveFlags) check() error {
	return cmp.Or(f.checkAccess(), f.checkLimits(), f.checkSessions())
}

// checkAccess checks the flags that say who is let in.
func (f *serveFlags) checkAccess() error {
	access := f.options.Access
	byKey := access.AuthorizedKeys != "" || access.UserCA != "" || access.RevokedKeys != "" ||
		f.deskKeys != "" || f.openCheck || f.keepsSessions()
	principalsFit := access.UserCA != "" && len(access.Principals) > 0 &&
		!slices.Contains(access.Principals, "")
	switch {
	case access.Anyone && byKey:
		return problem.BadUsage("--anyone cannot be combined with flags for keys, certificates, tickets, --open-check or --sessions: everybody gets in, and nobody is identified by a key",
			"Leave out --anyone or the others.")
	case access.Anyone && !f.demo && !f.exposeSignIn:
		return problem.BadUsage("flag --anyone lets strangers try passwords on your service from the address of this host",
			"Use --demo for a demo that is open to all, --authorized-keys FILE for people you know, or --expose-sign-in to allow it.")
	case !access.Anyone && access.AuthorizedKeys == "" && access.UserCA == "":
		return problem.BadUsage("no one would be able to connect, because no keys or certificate authorities are given",
			"Use --authorized-keys FILE with a public key on each line, --user-ca FILE with the keys of certificate authorities, or --demo --anyone for a demo that is open to all.")
	case access.Principals != nil && !principalsFit:
		return problem.BadUsage("flag --principals has an empty name, or there is no certificate authority", "Use it with --user-ca FILE and names such as staff,support.")
	}
	return nil
}

// checkLimits checks the limits and the format of the log.
func (f *serveFlags) checkLimits() error {
	l := f.options.Limits
	minCount := min(l.Connections, l.PerAddress, l.Tries)
	minTime := min(f.options.Grace, l.Idle, l.Total, l.Authenticate, l.Stalled)
	minMiB, maxMiB := min(f.maxListMiB, f.maxMemoryMiB), max(f.maxListMiB, f.maxMemoryMiB)
	isBelowZero := minCount < 0 || l.PerSecond < 0 || minTime < 0 || minMiB < 0
	isTooLarge := maxMiB > math.MaxInt64>>20
	switch {
	case isBelowZero, isTooLarge:
		return problem.BadUsage("a limit is below zero or too large", "Use 0 for no limit; `gatehouse serve --help-all` lists the limits and their defaults.")
	case f.logFormat != logText && f.logFormat != logJSON:
		return problem.BadUsage(fmt.Sprintf("flag --log-format is %q", f.logFormat), "Use text or json.")
	}
	return nil
}

// What --forget takes beside a fingerprint.
const (
	forgetAll = "all"
	forgetID  = "id:" // before the key id of certificates
)

// keepsSessions reports whether sessions outlive their connection.
func (f *serveFlags) keepsSessions() bool { return f.sessions != sessionstore.InMemory }

// checkSessions checks the flags about kept sessions, also those with which the command serves
// nobody.
func (f *serveFlags) checkSessions() error {
	nameErr := sessionstore.CheckName(f.sessions)
	id, certificate := strings.CutPrefix(f.forget, forgetID)
	forgetsOne := f.forget != "" && f.forget != forgetAll
	serves := f.newKey == "" && !f.rotateKey && f.forget == ""
	makesKeyAndMore := f.newKey != "" && (f.rotateKey || f.forget != "" || f.sessionKey != "")
	switch {
	case nameErr != nil:
		// The value is not repeated: it may be a URL with a password.
		return problem.BadUsage("flag --sessions cannot be used: "+nameErr.Error(),
			"Use memory, a directory as a path such as /var/lib/gatehouse/sessions or ./sessions, or postgres://USER@HOST/DATABASE with the password in a file that PGPASSFILE names.")
	case makesKeyAndMore, f.rotateKey && f.forget != "":
		return problem.BadUsage("--new-key, --rotate-key and --forget cannot be combined", "Use one at a time, and --new-key without --session-key.")
	case f.sessionKey == "" && (f.rotateKey || forgetsOne || serves && f.keepsSessions()):
		return problem.BadUsage("flag --session-key is missing: its keys name and seal the kept sessions",
			"Add --session-key FILE, the same for all servers that share the store. `gatehouse serve --new-key FILE` creates one.")
	case f.forget != "" && !f.keepsSessions():
		return problem.BadUsage("flag --forget needs the place where sessions are kept", "Add --sessions DIR or --sessions postgres://..., as the servers have it.")
	case certificate && f.options.Access.UserCA == "":
		return problem.BadUsage("flag --forget names a certificate, whose row depends on its authority", "Add --user-ca FILE, as the servers have it.")
	case forgetsOne && id == "", forgetsOne && !certificate && !isFingerprint(f.forget):
		return problem.BadUsage(fmt.Sprintf("flag --forget is %q", f.forget), "Use a fingerprint as `ssh-keygen -l -f KEY` shows it (SHA256:...), id:KEYID of a certificate, or all.")
	case serves && !f.keepsSessions() && f.sessionKey != "":
		return problem.BadUsage("flag --session-key has no effect while sessions end with their connection", "Add --sessions DIR or --sessions postgres://..., or leave out --session-key.")
	}
	return nil
}

// isFingerprint reports whether a text is the fingerprint of a key as ssh shows it, SHA256:...
func isFingerprint(text string) bool {
	encoded, hasPrefix := strings.CutPrefix(text, "SHA256:")
	sum, err := base64.RawStdEncoding.Strict().DecodeString(encoded)
	return hasPrefix && err == nil && len(sum) == sha256.Size
}

// proxyNetworks parses the networks of balancers. One that has every address is refused, as any
// client could claim any address then.
func proxyNetworks(list []string) ([]netip.Prefix, error) {
	networks, err := readNetworks("--proxy-protocol-from", list)
	for i, network := range networks {
		if network.Bits() == 0 {
			return nil, problem.BadUsage(fmt.Sprintf("flag --proxy-protocol-from has %q, which means everybody: "+
				"any client could claim any address", list[i]), "Name the addresses of your balancers.")
		}
	}
	return networks, err
}

// readNetworks parses the networks of the flag with this name.
func readNetworks(name string, list []string) ([]netip.Prefix, error) {
	networks := make([]netip.Prefix, 0, len(list))
	for _, text := range list {
		network, ok := sshd.ParseNetwork(text)
		if !ok {
			return nil, problem.BadUsage(fmt.Sprintf("flag %s has %q, which is not a network", name, text),
				"Use networks such as 192.0.2.0/28 or addresses such as 2001:db8::7; do not write IPv4 as IPv6, and set no host bits in a network.")
		}
		networks = append(networks, network)
	}
	return networks, nil
}
