// Package serve runs the terminal UI and the read-only commands for visitors over SSH: the
// command `serve`, what the visitors of a server share, and what one of them may use. How
// a command is run for a visitor is up to the program, see [Program].
package serve

import (
	"cmp"
	"fmt"
	"math"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gatehouse/api"
	"gatehouse/internal/problem"
	"gatehouse/internal/sshd"
	"gatehouse/session"
)

// serveFlags are the flags of the command serve.
type serveFlags struct {
	options      sshd.Options
	demo         bool
	exposeSignIn bool
	desk         deskFlags
	sessions     sessionFlags
	proxies      []string
	networks     []string
	// secretDomains are the domains whose authority may be sent the client secret.
	secretDomains []string
	logFormat     string
	maxListMiB    int64
	maxMemoryMiB  int64
	helpAll       bool
	// types are the types of the flags that can also be settings, by their keys.
	types map[string]string
}

// The values of --log-format.
const (
	LogText = "text"
	LogJSON = "json"
)

const (
	defaultGrace = 30 * time.Second
	// finishKept is how long a server that ends waits for renewals of kept sessions: as long as
	// a request may take, and saving what it brings.
	finishKept = session.SendWithin + 15*time.Second
	// In MiB, for a host with a gigabyte of memory.
	defaultMaxListMiB   = 64
	defaultMaxMemoryMiB = 512
)

// Command returns the command serve of a program.
func Command(p Program) *cobra.Command {
	f := &serveFlags{options: sshd.Options{Limits: sshd.DefaultLimits()}}
	cmd := &cobra.Command{
		Use:   "serve (--authorized-keys FILE | --user-ca FILE | --demo --anyone)",
		Short: "Serve the terminal UI over SSH",
		Long: `Serves the terminal UI and the read-only commands over SSH. Each connection has a
session of its own, which ends with the connection and leaves nothing on disk.

With --sessions and --session-key, visitors can choose to stay signed in: the server seals
the session, binds it to their key and opens it at their next connection. --new-key creates
the key file. --rotate-key adds a key to it, at most one a day; servers start to use the new
key after ten minutes.

Nobody gets in unless you allow it. Allow the keys in a file, certificates signed by a
certificate authority that you trust or, with --demo, anyone. SSH passwords are never
accepted. The host key is created at the first start; its fingerprint is printed at every
start.

Most flags can also be set in the [serve] table of the profile file, under the same names,
such as authorized_keys = "/etc/gatehouse/authorized_keys". A variable such as
GATEHOUSE_SERVE_LISTEN overrides the file, and a flag overrides both.

After an interrupt or SIGTERM the server tells all visitors that it is shutting down. It
stops when they have left, or after 30 seconds (--grace). A second signal closes their
connections immediately. Either way, the server first finishes renewing kept sessions.`,
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
			f.options.Commands = slices.Clone(p.Commands)
			for i, name := range f.options.Access.Principals {
				f.options.Access.Principals[i] = strings.TrimSpace(name)
			}
			if f.sessions.ends() {
				return p.runAndEnd(cmd.Context(), f)
			}
			return p.serve(cmd.Context(), f)
		},
	}
	f.add(cmd)
	return cmd
}

func (f *serveFlags) add(cmd *cobra.Command) {
	flags, o, l := cmd.Flags(), &f.options, &f.options.Limits
	flags.SortFlags = false
	flags.StringVar(&o.Listen, "listen", "127.0.0.1:2222", "`ADDR` to listen on (port 0 picks a free one)")
	flags.BoolVar(&f.demo, "demo", false, "give each connection an embedded service of its own")
	flags.StringVar(&o.Access.AuthorizedKeys, "authorized-keys", "", "let in the keys in `FILE`; changes take effect immediately")
	flags.StringVar(&o.Access.UserCA, "user-ca", "", "let in certificates of the certificate authorities in `FILE`")
	flags.StringSliceVar(&o.Access.Principals, "principals", nil, "a certificate must have one of these `NAMES` (default: the visitor's user name)")
	flags.StringVar(&o.Access.RevokedKeys, "revoked-keys", "", "reject the keys in `FILE`, and certificates for them or signed by them")
	flags.BoolVar(&o.Access.Anyone, "anyone", false, "let everybody in")
	flags.BoolVar(&f.exposeSignIn, "expose-sign-in", false, "allow --anyone without --demo; strangers can then try passwords on your service from this host")
	f.desk.add(cmd)
	f.sessions.add(cmd)
	flags.StringSliceVar(&f.secretDomains, "secret-domains", nil, "`DOMAINS` whose authority may receive the client secret, if its URL contains {domain}")
	flags.StringSliceVar(&f.proxies, "proxy-protocol-from", nil, "`NETWORKS` of balancers, such as 192.0.2.0/28; their connections must start with a PROXY header")
	flags.StringSliceVar(&f.networks, "allow-network", nil, "private `NETWORKS`, such as 10.1.0.0/16, where visitors' requests may reach hosts that the service names")
	flags.StringVar(&o.HostKey, "host-key", "", "`FILE` with the private host key (default: created in the state directory)")
	flags.DurationVar(&o.Grace, "grace", defaultGrace, "when the server shuts down, visitors may stay for `DURATION`")
	flags.StringVar(&f.logFormat, "log-format", LogText, "`FORMAT` of the log on stderr: text or json")
	flags.StringVar(&o.Metrics, "metrics", "", "loopback address `ADDR` for /healthz, /readyz and /metrics")
	flags.IntVar(&l.Connections, "max-connections", l.Connections, "at most `N` open connections (here and below, 0 means no limit)")
	flags.IntVar(&l.PerAddress, "max-per-address", l.PerAddress, "at most `N` open connections from an IPv4 address or an IPv6 /64")
	flags.Float64Var(&l.PerSecond, "rate-per-address", l.PerSecond, "at most `N` new connections per second from such an address, after a burst of ten")
	flags.DurationVar(&l.Idle, "idle-timeout", l.Idle, "end a connection without input after `DURATION`")
	flags.DurationVar(&l.Total, "session-timeout", l.Total, "end a connection after `DURATION`")
	flags.DurationVar(&l.Authenticate, "auth-timeout", l.Authenticate, "end a connection that has not started a session after `DURATION`")
	flags.IntVar(&l.Tries, "auth-tries", l.Tries, "a connection may try at most `N` keys")
	flags.DurationVar(&l.Stalled, "stall-timeout", l.Stalled, "end a connection that accepts less than 2 KiB of output per second for `DURATION`")
	flags.Int64Var(&f.maxListMiB, "max-records-memory", defaultMaxListMiB,
		fmt.Sprintf("longest list that a visitor can load, in `MiB` (0 means %d)", api.DefaultBodyLimit>>20))
	flags.Int64Var(&f.maxMemoryMiB, "max-memory", defaultMaxMemoryMiB, "memory for the lists of all connections, in `MiB`")
	flags.BoolVar(&f.helpAll, "help-all", false, "show all flags")
	f.sort(flags)
}

// check refuses flags that contradict each other, before anything is started.
func (f *serveFlags) check() error {
	access := f.options.Access
	return cmp.Or(f.refuseAnyone(access), f.refuseAccess(access), f.refuseLimits(), f.sessions.refuse(access))
}

// refuseAnyone is check for a server that is open to all.
func (f *serveFlags) refuseAnyone(access sshd.Access) error {
	if !access.Anyone {
		return nil
	}
	for _, flag := range []struct{ name, value string }{
		{"--authorized-keys", access.AuthorizedKeys}, {"--user-ca", access.UserCA}, {"--revoked-keys", access.RevokedKeys}, {"--desk-keys", f.desk.keys},
	} {
		if flag.value != "" {
			return problem.BadUsage("--anyone and "+flag.name+" cannot be combined: with --anyone nobody is identified by a key", "Use one of them.")
		}
	}
	switch {
	case f.desk.openCheck:
		return problem.BadUsage("--anyone and --open-check cannot be combined: with --anyone everybody gets in already", "Use one of them.")
	case f.sessions.kept():
		return problem.BadUsage("--anyone and --sessions cannot be combined: a session is kept for a key, and with --anyone nobody is identified by one",
			"Use --authorized-keys FILE or --user-ca FILE, or leave --sessions out.")
	case !f.demo && !f.exposeSignIn:
		return problem.BadUsage("flag --anyone lets strangers try passwords on your service from the address of this host",
			"Use --demo for a demo that is open to all, --authorized-keys FILE for people you know, or --expose-sign-in to allow it.")
	}
	return nil
}

// refuseAccess is check for whom the server lets in.
func (f *serveFlags) refuseAccess(access sshd.Access) error {
	switch {
	case !access.Anyone && access.AuthorizedKeys == "" && access.UserCA == "":
		return problem.BadUsage("nobody could connect: no keys or certificate authorities are given",
			"Use --authorized-keys FILE with a public key on each line, --user-ca FILE with the keys of certificate authorities, or --demo --anyone for a demo that is open to all.")
	case access.Principals != nil && access.UserCA == "":
		return problem.BadUsage("flag --principals needs a trusted certificate authority", "Use it with --user-ca FILE.")
	case access.Principals != nil && (len(access.Principals) == 0 || slices.Contains(access.Principals, "")):
		return problem.BadUsage("flag --principals has an empty name", "Use names with commas between them, such as staff,support.")
	}
	return nil
}

// refuseLimits is check for the log and the memory.
func (f *serveFlags) refuseLimits() error {
	l := f.options.Limits
	switch {
	case min(l.Connections, l.PerAddress, l.Tries) < 0, l.PerSecond < 0, min(f.options.Grace, l.Idle, l.Total, l.Authenticate, l.Stalled) < 0,
		min(f.maxListMiB, f.maxMemoryMiB) < 0, max(f.maxListMiB, f.maxMemoryMiB) > math.MaxInt64>>20:
		return problem.BadUsage("a limit is below zero or too large", "Use 0 for no limit; `gatehouse serve --help-all` lists the limits and their defaults.")
	case f.logFormat != LogText && f.logFormat != LogJSON:
		return problem.BadUsage(fmt.Sprintf("flag --log-format is %q", f.logFormat), "Use text or json.")
	case f.maxMemoryMiB > 0 && f.longestListMiB() > f.maxMemoryMiB:
		return problem.BadUsage(fmt.Sprintf("flag --max-memory is %d MiB for all lists, less than the %d MiB of a single list", f.maxMemoryMiB, f.longestListMiB()),
			"Use a larger --max-memory, or a smaller --max-records-memory.")
	}
	return nil
}

// proxyNetworks reads the networks that PROXY headers are taken from. A network of everybody is
// refused: anybody could claim any address.
func proxyNetworks(list []string) ([]netip.Prefix, error) {
	networks, err := readNetworks("--proxy-protocol-from", list)
	for i, network := range networks {
		if network.Bits() == 0 {
			return nil, problem.BadUsage(fmt.Sprintf("flag --proxy-protocol-from has %q, which means everybody: any client could claim any address", list[i]), "Name the addresses of your balancers.")
		}
	}
	return networks, err
}

// readNetworks reads the networks of a flag. An address is a network of one.
func readNetworks(name string, list []string) ([]netip.Prefix, error) {
	networks := make([]netip.Prefix, 0, len(list))
	for _, text := range list {
		network, err := netip.ParsePrefix(text)
		if address, is := netip.ParseAddr(text); is == nil && address.Zone() == "" {
			network, err = netip.PrefixFrom(address, address.BitLen()), nil
		}
		if err != nil || network.Addr().Is4In6() || network != network.Masked() {
			return nil, problem.BadUsage(fmt.Sprintf("flag %s has %q, which is not a network", name, text),
				"Use networks such as 192.0.2.0/28 or addresses such as 2001:db8::7; do not write IPv4 as IPv6, and set no host bits in a network.")
		}
		networks = append(networks, network)
	}
	return networks, nil
}

func (f *serveFlags) longestListMiB() int64 { return cmp.Or(f.maxListMiB, api.DefaultBodyLimit>>20) }
