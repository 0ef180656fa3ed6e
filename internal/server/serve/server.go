package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/VictoriaMetrics/metrics"

	"gatehouse/internal/config"
	"gatehouse/internal/demo"
	"gatehouse/internal/lists"
	"gatehouse/internal/prompt"
	"gatehouse/internal/server/sshd"
	"gatehouse/internal/text/problem"
	"gatehouse/session"
)

// Program is what a server needs of the program that it serves. All fields are required.
type Program struct {
	// Stderr is where messages for the operator and the log are written.
	Stderr io.Writer
	// Now is the clock.
	Now func() time.Time
	// Sources returns where profiles and the server's settings come from.
	Sources func() config.Sources
	// Profile returns the profile that visitors sign in to, with its secrets.
	Profile func(context.Context) (*config.Profile, error)
	// StartDemo starts a demo service and returns the profile for it.
	StartDemo func(context.Context, demo.Options) (*demo.Server, *config.Profile, error)
	// Commands are the names of the commands that visitors may run.
	Commands []string
	// Run runs the UI or the command that a visitor asked for, tells the visitor about errors, and
	// returns the exit code.
	Run func(context.Context, *Visitor) int
}

// serve runs the server until the context ends and its visitors have left.
func (p *Program) serve(ctx context.Context, f *serveFlags) error {
	for i, name := range f.options.Access.Principals {
		f.options.Access.Principals[i] = strings.TrimSpace(name)
	}
	if err := f.check(); err != nil {
		return err
	}
	o := operator{stderr: p.Stderr, log: slog.New(slog.NewTextHandler(p.Stderr, nil))}
	if f.logFormat == logJSON {
		o.log, o.machine = slog.New(slog.NewJSONHandler(p.Stderr, nil)), true
	}
	v := &Visitors{
		Program:   p,
		ListLimit: f.maxListMiB << 20,
		Lists:     lists.Budget{Limit: f.maxMemoryMiB << 20},
	}
	defer v.Close()
	options, err := v.options(ctx, f, o)
	if err != nil {
		return err
	}
	server, err := sshd.Start(ctx, options)
	if err != nil {
		return serveProblem(options, err)
	}
	p.setMemoryLimit(f)
	o.tell(slog.LevelInfo, "listening", fmt.Sprintf("Gatehouse listens on %s. The host key is %s.",
		server.Addr(), server.Fingerprint()))
	<-ctx.Done()
	secondSignal, stop := signal.NotifyContext(
		context.WithoutCancel(ctx), os.Interrupt, syscall.SIGTERM)
	defer stop()
	server.Drain(secondSignal)
	return nil
}

// operator is the person who runs the server.
type operator struct {
	stderr io.Writer
	log    *slog.Logger
	// machine means that programs read what the server writes: messages go to the log.
	machine bool
}

// tell tells the operator something about the start of the server, as a sentence. Where programs
// read the output, it is a line of the log, with the message, the sentence and about, which is
// pairs.
func (o operator) tell(level slog.Level, message, sentence string, about ...any) {
	switch {
	case o.machine:
		o.log.Log(context.Background(), level, message, append(about, slog.String("text", sentence))...)
	case level >= slog.LevelWarn:
		o.warn(sentence)
	default:
		o.say("%s", sentence)
	}
}

// say writes a sentence for the operator.
func (o operator) say(format string, args ...any) {
	_, _ = o.stderr.Write([]byte(prompt.Message(format, args...)))
}

// warn writes a warning, if there is one.
func (o operator) warn(sentence string) {
	if sentence != "" {
		o.say("gatehouse: %s", sentence)
	}
}

// How many bytes of memory a server and each connection need beside the lists.
const (
	serverMemory     = 200 << 20
	connectionMemory = 1 << 20
)

// setMemoryLimit replaces the memory limit that the program sets for itself. That one fits the
// lists of one person; with the lists of many visitors the garbage collector would never rest. A
// limit in GOMEMLIMIT stays.
func (p *Program) setMemoryLimit(f *serveFlags) {
	if _, set := p.Sources().LookupEnv("GOMEMLIMIT"); set {
		return
	}
	limit := int64(math.MaxInt64)
	connections := int64(f.options.Limits.Connections)
	if f.maxMemoryMiB > 0 && connections > 0 {
		limit = f.maxMemoryMiB<<20 + serverMemory + connections*connectionMemory
	}
	debug.SetMemoryLimit(limit)
}

// options returns the options of a server as the flags say, and opens what they name.
func (s *Visitors) options(
	ctx context.Context, f *serveFlags, operator operator,
) (o sshd.Options, err error) {
	o = f.options
	o.Now, o.Log, o.Commands = s.Now, operator.log, slices.Clone(s.Commands)
	if o.ProxiesFrom, err = proxyNetworks(f.proxies); err != nil {
		return o, err
	}
	if s.Networks, err = readNetworks("--allow-network", f.networks); err != nil {
		return o, err
	}
	o.OtherMetrics = append(o.OtherMetrics, func(w io.Writer) {
		metrics.WriteGaugeUint64(w, "gatehouse_ssh_lists_bytes", uint64(s.Lists.Held()))
		metrics.WriteCounterUint64(w, "gatehouse_ssh_lists_refused_total", uint64(s.Lists.Refused()))
	})
	if err := s.openSessions(ctx, f, operator, &o); err != nil {
		return o, err
	}
	if err := s.openDesk(f, operator, &o); err != nil {
		return o, err
	}
	if s.KeepsSessions {
		o.Finish = finishTime
	}
	switch {
	case f.demo && s.KeepsSessions:
		o.Serve, err = s.ServeOneDemo(ctx)
		return o, err
	case f.demo:
		o.Serve = s.ServeOwnDemos()
		return o, nil
	}
	profile, err := s.ServedProfile(ctx)
	if err != nil {
		return o, err
	}
	o.Serve = s.ServeProfile(profile, false)
	return o, limitSecret(profile, f.secretDomains, operator)
}

// ServedProfile returns the profile that visitors sign in to. It has only one secret of the
// operator, the client secret, which identifies the program: with the API key, visitors would act
// in the operator's name without signing in. It has only the profile's own authority.
func (p *Program) ServedProfile(ctx context.Context) (*config.Profile, error) {
	profile, err := p.Profile(ctx)
	if err != nil {
		return nil, err
	}
	served := *profile
	served.Store, served.LogFile = session.StoreMemory, ""
	served.CAFile = "" // Roots has its content, and visitors need not know the server's files
	served.KeepOwnAuthority()
	served.KeepSecret("client_secret")
	return &served, nil
}

// limitSecret has the client secret sent only to the authorities of some domains, and tells the
// operator where it can go. That matters if the URL of the authority contains {domain}, since a
// look-up then names the host.
func limitSecret(p *config.Profile, domains []string, o operator) error {
	authority, _ := p.AuthorityURL(p.Authority, "")
	switch {
	case !p.AsksDomain() && domains != nil:
		return problem.BadUsage("flag --secret-domains has no effect: "+authority+
			" gets the client secret, whatever the domain", "Leave it out.")
	case p.AsksDomain() && domains == nil && !p.ClientSecret.IsEmpty():
		return problem.BadUsage(
			"the client secret would be sent to "+p.DomainAuthURL+" of any domain that a look-up names",
			"Name the domains whose authority may receive it, such as --secret-domains harbor.example,north.example.")
	}
	for _, typed := range domains {
		domain, err := config.CheckDomain(strings.TrimSpace(typed))
		if err != nil {
			return problem.BadUsage("flag --secret-domains: "+err.Error(), "")
		}
		p.SecretDomains = append(p.SecretDomains, domain)
	}
	if p.AsksDomain() {
		authority = p.DomainAuthURL + " of " + strings.Join(p.SecretDomains, ", ")
	}
	if !p.ClientSecret.IsEmpty() {
		o.tell(slog.LevelInfo, "client secret",
			"The client secret goes to "+authority+" and nowhere else.", "domains", p.SecretDomains)
	}
	return nil
}

// serveProblem explains to the operator why the server did not start.
func serveProblem(o sshd.Options, err error) error {
	const hint = "Use another address of the form host:port, such as 127.0.0.1:2222. Ports below 1024 need CAP_NET_BIND_SERVICE."
	errno, system := errors.AsType[syscall.Errno](err)
	operation, network := errors.AsType[*net.OpError](err)
	_, explained := errors.AsType[*problem.Error](err)
	switch {
	case explained:
		return err
	case network && system:
		address := strings.TrimSpace(fmt.Sprint(operation.Addr))
		return problem.New(fmt.Sprintf("the server could not listen on %s: %s", address, errno), hint)
	}
	return problem.BadUsage(fmt.Sprintf("the server cannot listen on %q", o.Listen), hint)
}
