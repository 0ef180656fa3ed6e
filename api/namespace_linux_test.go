package api

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"gatehouse/internal/testkit"
)

// The networks of the test. It is alone in them.
const (
	hostIP    = "10.77.0.1"
	silentIP  = "10.77.0.2" // accepts and says nothing
	serverIP  = "10.77.0.53"
	nobodyIP  = "10.77.0.99" // nothing listens there
	host6     = "2001:db8:77::1"
	lostIP    = "10.78.0.9" // where packets vanish
	lost6     = "2001:db8:78::9"
	noRoute6  = "2001:db8:ffff::1"
	absent6   = "2001:db8:78::8" // nobody has it
	noRouteIP = "10.76.0.9"
	noWayIP   = "10.75.0.9"
	holeIP    = "10.74.0.9"
)

// inside is set to the name servers in the process that has the networks.
const inside = "GATEHOUSE_TEST_NETWORK"

// nameServers are the settings that the test has: each is tried in a process and in networks of its
// own, as a process reads its settings once in a while.
var nameServers = map[string]string{
	"answers": "nameserver " + serverIP + "\nsearch wild.test\noptions ndots:1\n",
	"cgo":     "nameserver " + serverIP + "\nsearch wild.test\noptions ndots:1\n",
	"refuse":  "nameserver " + nobodyIP + "\n",
	"silent":  "nameserver " + lostIP + "\n",
	"none":    "\n",
}

// TestOnNetworksOfItsOwn makes networks with what real ones have: addresses that are lost, name
// servers that fail, search domains that answer for everything.
func TestOnNetworksOfItsOwn(t *testing.T) {
	if servers := os.Getenv(inside); servers != "" {
		tryNetworks(t, servers)
		return
	}
	if _, err := exec.LookPath("ip"); err != nil {
		t.Skip("the tool ip (iproute2) is missing")
	}
	var running sync.WaitGroup
	for servers := range nameServers {
		running.Go(func() { runInside(t, servers) })
	}
	running.Wait()
}

// runInside runs this test in networks and with files of its own.
func runInside(t *testing.T, servers string) {
	command := exec.CommandContext(t.Context(), "/proc/self/exe", "-test.run=^TestOnNetworksOfItsOwn$", "-test.v")
	command.Env = append(os.Environ(), inside+"="+servers)
	if servers == "cgo" {
		command.Env = append(command.Env, "GODEBUG=netdns=cgo")
	}
	command.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET | syscall.CLONE_NEWNS}
	if uid := os.Getuid(); uid != 0 {
		command.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		command.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{HostID: uid, Size: 1}}
		command.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}
	}
	output, err := command.CombinedOutput()
	exited, started := errors.AsType[*exec.ExitError](err)
	switch {
	case err == nil && !strings.Contains(string(output), "--- SKIP"):
	case err == nil, !started && errors.Is(err, os.ErrPermission):
		t.Logf("%s: %v\n%s", servers, err, output)
		t.Skip("no networks can be made here")
	default:
		t.Errorf("%s: %v, %v\n%s", servers, err, exited, output)
	}
}

// makeNetworks gives the process its networks and its files.
func makeNetworks(t *testing.T, servers string) {
	t.Helper()
	if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		t.Skipf("mounting: %v", err)
	}
	for name, text := range map[string]string{
		"resolv.conf":   nameServers[servers],
		"hosts":         "127.0.0.1 localhost\n" + hostIP + " listed.harbor.example\n",
		"nsswitch.conf": "hosts: files dns\n",
	} {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		place, err := filepath.EvalSymlinks("/etc/" + name)
		if errors.Is(err, os.ErrNotExist) && name == "nsswitch.conf" {
			continue // its absence means the same
		}
		if err == nil {
			err = syscall.Mount(file, place, "", syscall.MS_BIND, "")
		}
		if err != nil {
			t.Skipf("%s: %v", name, err)
		}
	}
	for _, line := range []string{
		"link set lo up",
		"addr add " + hostIP + "/32 dev lo", "addr add " + silentIP + "/32 dev lo", "addr add " + serverIP + "/32 dev lo", "addr add " + nobodyIP + "/32 dev lo",
		"-6 addr add " + host6 + "/128 dev lo nodad",
		"link add here type veth peer name there", "link set here up", "link set there up",
		"addr add 10.78.0.1/24 dev here", "-6 addr add 2001:db8:78::1/64 dev here nodad",
		"neigh add " + lostIP + " lladdr 02:00:00:00:00:09 dev here nud permanent",
		"-6 neigh add " + lost6 + " lladdr 02:00:00:00:00:09 dev here nud permanent",
		"ntable change name ndisc_cache dev here retrans 100", // so that an absent address is soon one
		"route add unreachable 10.76.0.0/24", "route add prohibit 10.75.0.0/24", "route add blackhole 10.74.0.0/24",
	} {
		if output, err := exec.CommandContext(t.Context(), "ip", strings.Fields(line)...).CombinedOutput(); err != nil {
			t.Skipf("ip %s: %v: %s", line, err, output)
		}
	}
}

// zone are the addresses of the names that there are.
var zone = map[string][]string{
	"gateway.harbor.example.":    {hostIP},
	"both.harbor.example.":       {hostIP, host6},
	"lost6.harbor.example.":      {hostIP, lost6},
	"noroute6.harbor.example.":   {hostIP, noRoute6},
	"alllost.harbor.example.":    {lostIP, lost6},
	"lost.harbor.example.":       {lostIP},
	"silent.harbor.example.":     {silentIP},
	"closed.harbor.example.":     {nobodyIP},
	"closed6.harbor.example.":    {nobodyIP, absent6},
	"noroute.harbor.example.":    {noRouteIP},
	"prohibited.harbor.example.": {noWayIP},
	"hole.harbor.example.":       {holeIP},
	"empty.harbor.example.":      {},
}

// answerName is the answer of the name server to a question, nil for none.
func answerName(header dnsmessage.Header, question dnsmessage.Question) ([]byte, error) {
	name := question.Name.String()
	addresses, known := zone[name]
	code := dnsmessage.RCodeSuccess
	switch {
	case strings.HasPrefix(name, "unanswered."):
		return nil, nil
	case strings.HasSuffix(name, ".wild.test."):
		addresses = []string{hostIP}
	case strings.HasPrefix(name, "servfail."):
		code = dnsmessage.RCodeServerFailure
	case strings.HasPrefix(name, "refused."):
		code = dnsmessage.RCodeRefused
	case !known:
		code = dnsmessage.RCodeNameError
	}
	builder := dnsmessage.NewBuilder(nil, dnsmessage.Header{ID: header.ID, Response: true, RCode: code, RecursionAvailable: true, RecursionDesired: header.RecursionDesired})
	if err := errors.Join(builder.StartQuestions(), builder.Question(question), builder.StartAnswers()); err != nil {
		return nil, err
	}
	about := dnsmessage.ResourceHeader{Name: question.Name, Class: dnsmessage.ClassINET, TTL: 60}
	for _, address := range addresses {
		ip := netip.MustParseAddr(address)
		var err error
		switch {
		case ip.Is4() && question.Type == dnsmessage.TypeA:
			err = builder.AResource(about, dnsmessage.AResource{A: ip.As4()})
		case ip.Is6() && question.Type == dnsmessage.TypeAAAA:
			err = builder.AAAAResource(about, dnsmessage.AAAAResource{AAAA: ip.As16()})
		}
		if err != nil {
			return nil, err
		}
	}
	return builder.Finish()
}

// serveNames is the name server.
func serveNames(t *testing.T) {
	t.Helper()
	conn, err := new(net.ListenConfig).ListenPacket(t.Context(), "udp", serverIP+":53")
	if err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	running.Go(func() {
		buffer := make([]byte, 1<<10)
		for {
			n, from, err := conn.ReadFrom(buffer)
			if err != nil {
				return
			}
			var parser dnsmessage.Parser
			header, err := parser.Start(buffer[:n])
			if err != nil {
				continue
			}
			question, err := parser.Question()
			if err != nil {
				continue
			}
			if answer, err := answerName(header, question); err == nil && answer != nil {
				_, _ = conn.WriteTo(answer, from)
			}
		}
	})
	t.Cleanup(func() {
		_ = conn.Close()
		running.Wait()
	})
}

// serveHosts answers at an address with a certificate for names in harbor.example.
func serveHosts(t *testing.T, authority *testkit.Authority, addresses ...string) {
	t.Helper()
	config := showing(authority.Issue(func(c *x509.Certificate) {
		c.DNSNames = []string{"*.harbor.example"}
	}))
	for _, address := range addresses {
		listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", net.JoinHostPort(address, "443"))
		if err != nil {
			t.Fatal(err)
		}
		server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Host", r.Host)
			w.WriteHeader(http.StatusUnauthorized)
		}), ErrorLog: quiet(), TLSConfig: config.Clone()}
		var running sync.WaitGroup
		running.Go(func() { _ = server.ServeTLS(listener, "", "") })
		t.Cleanup(func() {
			_ = server.Close()
			running.Wait()
		})
	}
}

// acceptAndSayNothing listens at an address.
func acceptAndSayNothing(t *testing.T, address string) {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
}

// networkCase is a request in these networks.
type networkCase struct {
	host    string
	proxy   string // the setting, "" for none
	cause   Cause
	stage   Stage
	says    string
	dialled []string // "address connected" or "address cause" of each that must have been dialled
	silent6 bool     // an address of IPv6 did not answer
	answers bool
}

const (
	saysNoName  = "its name has no address"
	saysNoNames = "the host name could not be resolved"
	saysNoWay   = "the host cannot be reached"
	saysLate    = "no answer in time"
	saysRefused = "the connection was refused"
)

var networkCases = []networkCase{
	{host: "gateway.harbor.example", stage: StageAnswer, answers: true, dialled: []string{hostIP + " connected"}},
	{host: "listed.harbor.example", stage: StageAnswer, answers: true, dialled: []string{hostIP + " connected"}},
	{host: "both.harbor.example", stage: StageAnswer, answers: true, dialled: []string{}},
	{host: "lost6.harbor.example", stage: StageAnswer, answers: true, dialled: []string{hostIP + " connected"}, silent6: true},
	{host: "noroute6.harbor.example", stage: StageAnswer, answers: true, dialled: []string{hostIP + " connected"}},
	{host: hostIP, cause: CauseCertificate, stage: StageHandshake, dialled: []string{hostIP + " connected"}},

	{host: "lost.harbor.example", cause: CauseTimeout, stage: StageName, says: saysLate, dialled: []string{lostIP + " timeout"}},
	{host: lostIP, cause: CauseTimeout, stage: StageName, says: saysLate, dialled: []string{lostIP + " timeout"}},
	{host: "alllost.harbor.example", cause: CauseTimeout, stage: StageName, says: saysLate, dialled: []string{lost6 + " timeout", lostIP + " timeout"}, silent6: true},
	{host: "silent.harbor.example", cause: CauseTimeout, stage: StageHandshake, says: "no answer to the TLS handshake in time", dialled: []string{silentIP + " connected"}},
	{host: "closed.harbor.example", cause: CauseRefused, stage: StageName, says: saysRefused, dialled: []string{nobodyIP + " refused"}},
	{host: "closed6.harbor.example", cause: CauseRefused, stage: StageName, says: saysRefused, dialled: []string{absent6 + " network", nobodyIP + " refused"}},
	{host: "noroute.harbor.example", cause: CauseNoWay, stage: StageName, says: saysNoWay, dialled: []string{noRouteIP + " network"}},
	{host: "prohibited.harbor.example", cause: CauseNoWay, stage: StageName, says: saysNoWay, dialled: []string{noWayIP + " network"}},
	{host: "hole.harbor.example", cause: CauseNoWay, stage: StageName, says: saysNoWay, dialled: []string{holeIP + " network"}},

	{host: "gone.harbor.example", cause: CauseNoHost, says: "there is no such host name"},
	{host: "empty.harbor.example", cause: CauseNoAddress, says: "its name exists, and has no address"},
	{host: "servfail.harbor.example", cause: CauseNameFault, says: "the name servers failed to look up its name (SERVFAIL)"},
	{host: "refused.harbor.example", cause: CauseNameRefused, says: "the name servers refuse to look up its name (REFUSED)"},
	{host: "unanswered.harbor.example", cause: CauseResolution, says: saysNoNames},

	{host: "gateway.harbor.example", proxy: "http://" + nobodyIP + ":3128", cause: CauseProxy, stage: StageName, says: "its proxy: " + saysRefused, dialled: []string{nobodyIP + " refused"}},
	{host: "gateway.harbor.example", proxy: "http://" + lostIP + ":3128", cause: CauseProxy, stage: StageName, says: "its proxy: " + saysLate, dialled: []string{lostIP + " timeout"}},
	{host: "gateway.harbor.example", proxy: "http://" + silentIP + ":443", cause: CauseTimeout, stage: StageName, says: saysLate, dialled: []string{silentIP + " connected"}},
	{host: "gateway.harbor.example", proxy: "socks5://unanswered.harbor.example", cause: CauseProxy, says: "its proxy: " + saysNoNames},
	{host: "gateway.harbor.example", proxy: "http://empty:3128", cause: CauseProxy, stage: StageName, says: "its proxy: " + saysRefused, dialled: []string{hostIP + " refused"}},
	{host: "gateway.harbor.example", proxy: "http://proxy.corp:3128", cause: CauseProxy, stage: StageName, says: "its proxy: " + saysRefused, dialled: []string{hostIP + " refused"}},
}

// casesOf are what is tried with name servers that do not answer.
func casesOf(servers string) []networkCase {
	if servers == "answers" {
		return networkCases
	}
	if servers == "cgo" {
		return slices.DeleteFunc(slices.Clone(networkCases), func(c networkCase) bool { return c.cause == CauseTimeout || c.proxy != "" })
	}
	return []networkCase{
		{host: "listed.harbor.example", stage: StageAnswer, answers: true, dialled: []string{hostIP + " connected"}},
		{host: "gateway.harbor.example", cause: CauseResolution, says: saysNoNames},
		{host: "gateway.harbor.example", proxy: "https://proxy.harbor.example", cause: CauseProxy, says: "its proxy: " + saysNoNames},
		{host: hostIP, cause: CauseCertificate, stage: StageHandshake},
	}
}

func tryNetworks(t *testing.T, servers string) {
	makeNetworks(t, servers)
	serveNames(t)
	authority := testkit.NewAuthority(t)
	serveHosts(t, authority, hostIP, host6)
	acceptAndSayNothing(t, silentIP+":443")
	if servers == "answers" { // or the names that do not exist would be no test
		if _, err := net.DefaultResolver.LookupHost(t.Context(), "gone.harbor.example"); err != nil {
			t.Fatalf("the search domain does not answer: %v", err)
		}
	}
	var answered, unanswered []networkCase
	for _, tt := range casesOf(servers) {
		if tt.waits() {
			unanswered = append(unanswered, tt)
		} else {
			answered = append(answered, tt)
		}
	}
	tryCases(t.Context(), t, authority, answered)
	limited, stop := context.WithTimeout(t.Context(), 3*time.Second)
	defer stop()
	tryCases(limited, t, authority, unanswered)
}

// waits reports whether the request of a case ends with its context.
func (tt networkCase) waits() bool {
	return tt.cause == CauseTimeout || tt.says == saysNoNames || strings.HasSuffix(tt.says, ": "+saysNoNames) || strings.HasSuffix(tt.says, saysLate)
}

// tryCases sends the requests of some cases at the same time.
func tryCases(ctx context.Context, t *testing.T, authority *testkit.Authority, cases []networkCase) {
	t.Helper()
	networks := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("2001:db8::/32")}
	var running sync.WaitGroup
	for _, tt := range cases {
		proxyEnvironment(t, tt.proxy, "")
		client := NewTransport(Options{Roots: authority.Pool})
		visitor := NewTransport(Options{Roots: authority.Pool, Dial: PublicDialer(networks, OwnHosts())})
		for kind, transport := range map[string]*Transport{"probe": client, "visitor's probe": visitor} {
			running.Go(func() {
				p, err := ProbeHost(ctx, transport, GatewayPlace("https://"+tt.host))
				tt.check(t, kind, p.Way, err)
			})
		}
		running.Go(func() {
			_, err := (&Gateway{HTTP: client, BaseURL: "https://" + tt.host, Once: true}).Shares(ctx, "a")
			if failed, ok := errors.AsType[*TransportError](err); ok {
				tt.check(t, "shares", failed.Way, err)
			} else if !tt.answers || statusOf(err) != 401 {
				t.Errorf("shares of %s: %v", tt.host, err)
			}
		})
	}
	running.Wait()
}

func (tt networkCase) check(t *testing.T, kind string, w Way, err error) {
	t.Helper()
	name := strings.TrimSpace(kind + " of " + tt.host + " " + tt.proxy)
	if tt.answers != (err == nil) {
		t.Errorf("%s: %v, %+v", name, err, w)
		return
	}
	if failed, ok := errors.AsType[*TransportError](err); ok && (failed.Cause() != tt.cause || tt.says != "" && failed.Reason() != tt.says) {
		t.Errorf("%s: got %v (%d), want %d", name, err, failed.Cause(), tt.cause)
	}
	if w.Stage != tt.stage || (w.Proxy != nil) != (tt.proxy != "") || w.Host != tt.host {
		t.Errorf("%s: the way is %+v", name, w)
	}
	var dialled []string
	silent6 := false
	for _, d := range w.Dialled {
		address := netip.MustParseAddrPort(d.Address)
		end := d.Err.String()
		if d.Connected {
			end = "connected"
		}
		dialled = append(dialled, fmt.Sprint(address.Addr(), " ", end))
		silent6 = silent6 || d.IPv6 && d.Silent()
		if d.IPv6 != address.Addr().Is6() || d.Took <= 0 || d.Took > 6*time.Second {
			t.Errorf("%s: dialled %+v", name, d)
		}
	}
	missing := slices.ContainsFunc(tt.dialled, func(want string) bool { return !slices.Contains(dialled, want) })
	if missing || tt.silent6 && !silent6 {
		t.Errorf("%s: dialled %q, %v, want %q", name, dialled, silent6, tt.dialled)
	}
}
