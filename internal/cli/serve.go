package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net"
	"net/netip"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/problem"
	"gatehouse/internal/records"
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
}

const (
	logText = "text"
	logJSON = "json"

	defaultGrace = 30 * time.Second
	// finishKept is how long a server that ends waits for renewals of kept sessions: as long as
	// a request may take, and saving what it brings.
	finishKept = session.SendWithin + 15*time.Second
	// In MiB, for a host with a gigabyte of memory.
	defaultMaxListMiB   = 64
	defaultMaxMemoryMiB = 512
)

func (a *app) serveCommand() *cobra.Command {
	f := &serveFlags{options: sshd.Options{Limits: sshd.DefaultLimits()}}
	cmd := &cobra.Command{
		Use:   "serve (--authorized-keys FILE | --user-ca FILE | --demo --anyone)",
		Short: "Serve the terminal UI over SSH",
		Long: `Serves the terminal UI and the read-only commands over SSH. Each connection has a
session of its own, which ends with it; nothing of a visitor is written to disk.
With --sessions and --session-key, visitors may have their session kept for their
key, sealed, and find it again at the next connection. --new-key makes the key file;
--rotate-key adds a key to it, at most one a day, which is used ten minutes later.

Nobody gets in unless you allow it: the owners of the keys in a file, those of
certificates from an authority that you trust or, with --demo, anyone. There are no
passwords. The host key is created at the first start; its fingerprint is printed at
every start.

An interrupt or SIGTERM tells all visitors and stops the server when they have
left, after --grace at the latest; a second one closes their connections at once.
Renewals of kept sessions are finished in any case.`,
		Example: `  gatehouse serve --demo --anyone                      a demo for everybody on this machine
  gatehouse serve --listen :2222 --authorized-keys /etc/gatehouse/authorized_keys
  gatehouse serve --user-ca /etc/gatehouse/user_ca.pub --principals staff,support
  gatehouse serve --new-key /etc/gatehouse/session.key
  gatehouse serve --authorized-keys FILE --session-key /etc/gatehouse/session.key --sessions /var/lib/gatehouse/sessions
  gatehouse serve --session-key FILE --sessions postgres://gatehouse@db/gatehouse --forget SHA256:...
  ssh -p 2222 localhost`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f.options.Commands = a.visitorCommands(cmd.Root())
			for i, name := range f.options.Access.Principals {
				f.options.Access.Principals[i] = strings.TrimSpace(name)
			}
			if f.sessions.ends() {
				return a.runAndEnd(cmd.Context(), f)
			}
			return a.serve(cmd.Context(), f)
		},
	}
	f.add(cmd)
	return cmd
}

func (f *serveFlags) add(cmd *cobra.Command) {
	flags, o, l := cmd.Flags(), &f.options, &f.options.Limits
	flags.SortFlags = false
	flags.StringVar(&o.Listen, "listen", "127.0.0.1:2222", "address to listen on (port 0 takes a free one)")
	flags.BoolVar(&f.demo, "demo", false, "give each connection an embedded service of its own")
	flags.StringVar(&o.Access.AuthorizedKeys, "authorized-keys", "", "let in the owners of the keys in this `file`; it is read again when it changes")
	flags.StringVar(&o.Access.UserCA, "user-ca", "", "let in the owners of certificates from the authorities whose public keys are in this `file`")
	flags.StringSliceVar(&o.Access.Principals, "principals", nil, "certificates need one of these `names` (default: the name that the visitor gives)")
	flags.StringVar(&o.Access.RevokedKeys, "revoked-keys", "", "refuse the public keys in this `file`, and certificates that are for them or signed by them")
	flags.BoolVar(&o.Access.Anyone, "anyone", false, "let everybody in")
	flags.BoolVar(&f.exposeSignIn, "expose-sign-in", false, "with --anyone and without --demo: strangers may try passwords on your service from here")
	f.desk.add(cmd)
	f.sessions.add(cmd)
	flags.StringSliceVar(&f.secretDomains, "secret-domains", nil, "where the authority has {domain} in its address: the `domains` whose authority may be sent the client secret")
	flags.StringSliceVar(&f.proxies, "proxy-protocol-from", nil, "`networks` of balancers, such as 192.0.2.0/28: connections from there have to name their client with the PROXY protocol")
	flags.StringSliceVar(&f.networks, "allow-network", nil, "`networks` that are not public, such as 10.1.0.0/16, in which visitors' requests may reach hosts that the service names")
	flags.StringVar(&o.HostKey, "host-key", "", "`file` with the private key of the host (default: made once below the state directory)")
	flags.DurationVar(&o.Grace, "grace", defaultGrace, "how long visitors may stay when the server shuts down")
	flags.StringVar(&f.logFormat, "log-format", logText, "text or json, on stderr")
	flags.StringVar(&o.Metrics, "metrics", "", "loopback `address` for /healthz, /readyz and /metrics")
	flags.IntVar(&l.Connections, "max-connections", l.Connections, "connections open at once (here and below, 0 is no limit)")
	flags.IntVar(&l.PerAddress, "max-per-address", l.PerAddress, "connections open at once from an IPv4 address or an IPv6 /64")
	flags.Float64Var(&l.PerSecond, "rate-per-address", l.PerSecond, "new connections a second from one of these, after a burst of ten")
	flags.DurationVar(&l.Idle, "idle-timeout", l.Idle, "end a connection without input after this time")
	flags.DurationVar(&l.Total, "session-timeout", l.Total, "end a connection after this time")
	flags.DurationVar(&l.Authenticate, "auth-timeout", l.Authenticate, "end a connection that starts no session in this time")
	flags.IntVar(&l.Tries, "auth-tries", l.Tries, "keys that may be tried on a connection")
	flags.DurationVar(&l.Stalled, "stall-timeout", l.Stalled, "end a connection that takes less than 2 KiB of output a second for this time")
	flags.Int64Var(&f.maxListMiB, "max-records-memory", defaultMaxListMiB,
		fmt.Sprintf("the longest list that is read in a connection, in MiB (0 is %d)", api.DefaultBodyLimit>>20))
	flags.Int64Var(&f.maxMemoryMiB, "max-memory", defaultMaxMemoryMiB, "memory for the lists of all connections together, in MiB")
}

// check refuses flags that contradict each other, before anything is started.
func (f *serveFlags) check() error {
	access := f.options.Access
	return cmp.Or(f.refuseAccess(access), f.refuseLimits(), f.sessions.refuse(access), f.desk.refuse(access))
}

// refuseAccess is check for whom the server lets in.
func (f *serveFlags) refuseAccess(access sshd.Access) error {
	switch {
	case !access.Anyone && !access.ByKey():
		return usage("nobody could connect: the server does not know whom to let in",
			"Use --authorized-keys FILE with a public key on each line, --user-ca FILE with the keys of certificate authorities, or --demo --anyone for a demo that is open to all.")
	case access.Anyone && access.AuthorizedKeys != "":
		return usage("flags --anyone and --authorized-keys contradict each other", "Use one of them.")
	case access.Anyone && access.UserCA != "":
		return usage("flags --anyone and --user-ca contradict each other", "Use one of them.")
	case access.Anyone && access.RevokedKeys != "":
		return usage("flags --anyone and --revoked-keys contradict each other", "Use one of them.")
	case access.Principals != nil && access.UserCA == "":
		return usage("flag --principals is about certificates, and no authority is trusted", "Use it with --user-ca FILE.")
	case access.Principals != nil && (len(access.Principals) == 0 || slices.Contains(access.Principals, "")):
		return usage("flag --principals holds an empty name", "Use names with commas between them, such as staff,support.")
	case access.Anyone && !f.demo && !f.exposeSignIn:
		return usage("flag --anyone lets strangers try passwords on your service, from the address of this host",
			"Use --demo for a demo that is open to all, --authorized-keys FILE for people you know, or --expose-sign-in if you mean it.")
	}
	return nil
}

// refuseLimits is check for the log and the memory.
func (f *serveFlags) refuseLimits() error {
	switch {
	case f.logFormat != logText && f.logFormat != logJSON:
		return usage(fmt.Sprintf("flag --log-format is %q", f.logFormat), "Use text or json.")
	case f.maxListMiB < 0 || f.maxListMiB > math.MaxInt64>>20:
		return usage(fmt.Sprintf("flag --max-records-memory is %d", f.maxListMiB), "Use a number of MiB, such as 64.")
	case f.maxMemoryMiB < 0 || f.maxMemoryMiB > math.MaxInt64>>20:
		return usage(fmt.Sprintf("flag --max-memory is %d", f.maxMemoryMiB), "Use a number of MiB, such as 512.")
	case f.maxMemoryMiB > 0 && f.longestListMiB() > f.maxMemoryMiB:
		return usage(fmt.Sprintf("flag --max-memory is %d MiB for all lists together, and one may have %d", f.maxMemoryMiB, f.longestListMiB()),
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
			return nil, usage(fmt.Sprintf("flag --proxy-protocol-from has %q, which is everybody: anybody could claim any address", list[i]), "Name the addresses of your balancers.")
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
		flag := fmt.Sprintf("flag %s has %q", name, text)
		switch {
		case err != nil:
			return nil, usage(flag+", which is no network", "Use networks or addresses, such as 192.0.2.0/28,2001:db8::7.")
		case network.Addr().Is4In6():
			return nil, usage(flag+", an IPv4 network written as IPv6", "Write it as IPv4, such as 192.0.2.0/28.")
		case network != network.Masked():
			return nil, usage(fmt.Sprintf("%s, which is an address in the network %s", flag, network.Masked()), "Use the network, or the address alone.")
		}
		networks = append(networks, network)
	}
	return networks, nil
}

func (f *serveFlags) longestListMiB() int64 { return cmp.Or(f.maxListMiB, api.DefaultBodyLimit>>20) }

// serve runs the server until the context ends and its visitors have left.
func (a *app) serve(ctx context.Context, f *serveFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	proxies, err := proxyNetworks(f.proxies)
	if err != nil {
		return err
	}
	f.options.ProxiesFrom = proxies
	options, end, err := a.serverOptions(ctx, f)
	if err != nil {
		return err
	}
	defer end()
	server, err := sshd.Start(ctx, options)
	if err != nil {
		return serveProblem(options, err)
	}
	a.setMemoryLimit(f)
	a.atStart(slog.LevelInfo, "listening", fmt.Sprintf("Gatehouse listens on %s. The host key is %s.", server.Addr(), server.Fingerprint()))
	if options.Access.UserCA != "" {
		a.atStart(slog.LevelInfo, "authorities", trustedAuthorities(server.Authorities(), options.Access))
	}
	<-ctx.Done()
	secondSignal, stop := signal.NotifyContext(context.WithoutCancel(ctx), os.Interrupt, syscall.SIGTERM)
	defer stop()
	server.Drain(secondSignal)
	return nil
}

// atStart tells the operator how the server starts: in a sentence or, where the log is for
// machines, in a line of it that has the sentence.
func (a *app) atStart(level slog.Level, message, sentence string, about ...any) {
	switch {
	case a.machineLog != nil:
		a.machineLog.Log(context.Background(), level, message, append(about, slog.String("text", sentence))...)
	case level >= slog.LevelWarn:
		a.warn(sentence)
	default:
		a.say("%s", sentence)
	}
}

// trustedAuthorities says whose certificates are accepted, and which of them.
func trustedAuthorities(fingerprints []string, access sshd.Access) string {
	if len(fingerprints) == 0 {
		return fmt.Sprintf("No certificate is accepted: %s holds no key of an authority.", access.UserCA)
	}
	which := "the visitor's name"
	if len(access.Principals) > 0 {
		which = "one of " + strings.Join(access.Principals, ", ")
	}
	return fmt.Sprintf("Certificates of %s are accepted, with %s as a principal.", strings.Join(fingerprints, ", "), which)
}

const (
	// beside the lists is what a server needs of memory, and a connection.
	serverMemory     = 200 << 20
	connectionMemory = 1 << 20
)

// setMemoryLimit replaces the memory limit that the program sets itself, which fits the
// lists of one person: with those of many visitors the garbage collector would never
// rest. GOMEMLIMIT still applies.
func (a *app) setMemoryLimit(f *serveFlags) {
	if _, set := a.env.LookupEnv("GOMEMLIMIT"); set {
		return
	}
	limit := int64(math.MaxInt64)
	if connections := int64(f.options.Limits.Connections); f.maxMemoryMiB > 0 && connections > 0 {
		limit = f.maxMemoryMiB<<20 + serverMemory + connections*connectionMemory
	}
	debug.SetMemoryLimit(limit)
}

// serverOptions are the options of a server. The caller calls end when it has ended.
func (a *app) serverOptions(ctx context.Context, f *serveFlags) (o sshd.Options, end func(), err error) {
	o = f.options
	o.Now = a.env.Now
	handler := slog.Handler(slog.NewTextHandler(a.env.Stderr, nil))
	if f.logFormat == logJSON {
		handler = slog.NewJSONHandler(a.env.Stderr, nil)
	}
	o.Log = slog.New(handler)
	if f.logFormat == logJSON {
		a.machineLog = o.Log
	}
	networks, err := readNetworks("--allow-network", f.networks)
	if err != nil {
		return o, nil, err
	}
	s := &sharedByVisitors{now: a.env.Now, networks: networks, bodyLimit: f.maxListMiB << 20, lists: records.Budget{Limit: f.maxMemoryMiB << 20}}
	o.Lists = func() sshd.Lists { return sshd.Lists{Bytes: s.lists.Held(), Refused: s.lists.Refused()} }
	if err := a.openSessions(ctx, s, &f.sessions, &o); err != nil {
		return o, nil, err
	}
	if s.kept {
		o.Finish = finishKept
	}
	ends := []func(){func() { _ = s.store.Close() }}
	end = func() {
		for _, end := range slices.Backward(ends) {
			end()
		}
	}
	err = a.openDesk(s, &f.desk, &o)
	switch {
	case err != nil:
	case f.demo && s.kept:
		var endDemo func()
		if o.Serve, endDemo, err = s.oneDemoHandler(ctx); err == nil {
			ends = append(ends, endDemo)
		}
	case f.demo:
		o.Serve = s.demoHandler()
	default:
		var profile *config.Profile
		if profile, err = a.servedProfile(ctx); err == nil {
			err = a.limitSecret(profile, f.secretDomains)
		}
		if err == nil {
			o.Serve = s.handler(profile)
		}
	}
	if err != nil {
		end()
		return o, nil, err
	}
	return o, end, nil
}

// limitSecret has the client secret go to the authorities of these domains alone, and says where
// it can go. With {domain} in the address of the authority a look-up names the host.
func (a *app) limitSecret(p *config.Profile, domains []string) error {
	authority, _ := p.AuthorityURL(p.Authority, "")
	switch {
	case !p.AsksDomain() && domains != nil:
		return usage("flag --secret-domains is of no use: "+authority+" gets the client secret, whatever the domain", "Leave it out.")
	case p.AsksDomain() && domains == nil && !p.ClientSecret.IsEmpty():
		return usage("the client secret would go to "+p.DomainAuthURL+" of any domain that a look-up names",
			"Name the domains whose authority may be sent it, such as --secret-domains harbor.example,north.example.")
	}
	for _, typed := range domains {
		domain, err := config.CheckDomain(strings.TrimSpace(typed))
		if err != nil {
			return usage("flag --secret-domains: "+err.Error(), "")
		}
		p.SecretDomains = append(p.SecretDomains, domain)
	}
	if p.AsksDomain() {
		authority = p.DomainAuthURL + " of " + strings.Join(p.SecretDomains, ", ")
	}
	if !p.ClientSecret.IsEmpty() {
		a.atStart(slog.LevelInfo, "client secret", "The client secret goes to "+authority+" and nowhere else.", "domains", p.SecretDomains)
	}
	return nil
}

// serveProblem explains why the server did not start.
func serveProblem(o sshd.Options, err error) error {
	p := problem.Problem{Kind: problem.Usage, Sentence: "the server could not start: " + err.Error()}
	errno, system := errors.AsType[syscall.Errno](err)
	operation, network := errors.AsType[*net.OpError](err)
	_, isHostKey := errors.AsType[*sshd.HostKeyError](err)
	_, isKeys := errors.AsType[*sshd.KeysError](err)
	switch {
	case errors.Is(err, sshd.ErrNotLoopback):
		p.Sentence = fmt.Sprintf("flag --metrics is %q: health and metrics are for this machine alone", o.Metrics)
		p.Hint = "Use a loopback address such as 127.0.0.1:9100."
	case errors.Is(err, sshd.ErrNegativeLimit):
		p.Sentence, p.Hint = "a limit is below zero", "Use 0 for no limit; `gatehouse serve --help` lists the limits and what is usual."
	case network && system:
		p.Kind = problem.Failed
		p.Sentence = fmt.Sprintf("the server could not %s on %s: %s", operation.Op, strings.TrimSpace(fmt.Sprint(operation.Addr)), errno)
		p.Hint = listenHint(errno)
	case network:
		p.Sentence = fmt.Sprintf("the server cannot listen on %q", o.Listen)
		p.Hint = "Use an address of the form host:port, such as 127.0.0.1:2222."
	case isHostKey && errors.Is(err, os.ErrNotExist):
		p.Hint = "Make one with `ssh-keygen -t ed25519 -N '' -f FILE`, or leave --host-key out: then one is made, for this server alone."
	case isHostKey:
		p.Hint = "It has to be a private key without a passphrase that belongs to root or to the user of the server, and that nobody else may read (mode 0600)."
	case isKeys:
		p.Hint = "Name a file with a public key on each line, as ssh-keygen makes them (FILE.pub). It has to belong to root or to the user of the server, and nobody else may write to it or to its directory."
	}
	return &problem.Error{Problem: p}
}

// listenHint says what to do about an address that the system refuses.
func listenHint(errno syscall.Errno) string {
	switch errno {
	case syscall.EADDRINUSE:
		return "Another program listens there, perhaps an older gatehouse (`ss -ltnp` shows which): end it, or use another port."
	case syscall.EACCES:
		return "Ports below 1024 need a right of their own: use one above, or give the service CAP_NET_BIND_SERVICE."
	case syscall.EADDRNOTAVAIL:
		return "This machine does not have that address: use one that `ip address` shows, or :PORT for all of them."
	}
	return "Use another address."
}
