package serve

import (
	"crypto/x509"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/internal/config"
	"gatehouse/internal/testkit"
)

// A visitor hardly ever waits for a handshake, and a service hardly ever holds a connection that
// nobody uses.
func TestVisitorsShareAsManyConnectionsAsTheyUseAndLeaveThemSoon(t *testing.T) {
	const shared, idle = 64, 3 * time.Second
	synctest.Test(t, func(t *testing.T) {
		network := testkit.NewNetwork()
		listener := network.Listen()
		var opened, closed atomic.Int32
		var together *sync.WaitGroup // of requests that are answered when all are there
		service := &http.Server{
			Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
				together.Done()
				together.Wait()
			}),
			ConnState: func(_ net.Conn, state http.ConnState) {
				switch state {
				case http.StateNew:
					opened.Add(1)
				case http.StateClosed:
					closed.Add(1)
				}
			},
		}
		go func() { _ = service.Serve(listener) }()
		defer service.Close()
		url := "http://" + listener.Addr().String()
		connections := (&Visitors{Program: &Program{Now: time.Now}}).connectionsTo(&config.Profile{AuthURL: url})
		connections.(*http.Transport).DialContext = network.Dial

		get := func() {
			request, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
			answer, err := connections.RoundTrip(request)
			if err != nil {
				t.Error(err)
				return
			}
			_ = answer.Body.Close()
		}
		ask := func(visitors int) {
			together = &sync.WaitGroup{}
			together.Add(visitors)
			var asked sync.WaitGroup
			for range visitors {
				asked.Go(get)
			}
			asked.Wait()
			synctest.Wait()
		}
		ask(shared + 1)
		ask(shared + 1)
		if opened.Load() != shared+2 || closed.Load() != 2 {
			t.Errorf("%d connections were opened, and %d closed", opened.Load(), closed.Load())
		}
		<-time.After(idle - time.Millisecond)
		synctest.Wait()
		if closed.Load() != 2 {
			t.Errorf("%d of the idle ones were closed too early", closed.Load()-2)
		}
		<-time.After(time.Millisecond)
		synctest.Wait()
		if closed.Load() != opened.Load() {
			t.Errorf("%d of %d are still open", opened.Load()-closed.Load(), opened.Load())
		}
	})
}

func TestEachHostOfAProfileMayBeOnAPrivateNetwork(t *testing.T) {
	served := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(served.Close)
	loopback := netip.MustParsePrefix("127.0.0.0/8")
	for name, tt := range map[string]struct {
		profile  config.Profile
		networks []netip.Prefix
		want     bool
	}{
		"of the authority":               {profile: config.Profile{AuthURL: served.URL}, want: true},
		"of the authority of a domain":   {profile: config.Profile{DomainAuthURL: served.URL}, want: true},
		"of the authority for tests":     {profile: config.Profile{AuthTestURL: served.URL}, want: true},
		"of the gateway":                 {profile: config.Profile{BaseURL: served.URL}, want: true},
		"of the global service":          {profile: config.Profile{GlobalURL: served.URL}, want: true},
		"none":                           {},
		"none, on a network of our own":  {networks: []netip.Prefix{loopback}, want: true},
		"none, beside a network of ours": {networks: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/32")}},
	} {
		shared := &Visitors{Program: &Program{Now: time.Now}, Networks: tt.networks}
		if err := reach(t, shared, &tt.profile, served.URL); (err == nil) != tt.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// reach makes a request over the connections of visitors.
func reach(t *testing.T, shared *Visitors, p *config.Profile, url string) error {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	connections := shared.connectionsTo(p).(*http.Transport)
	defer connections.CloseIdleConnections()
	answer, err := connections.RoundTrip(request)
	if err == nil {
		_ = answer.Body.Close()
	}
	return err
}

func TestTheCertificateOfAServiceIsOfAnAuthorityOfTheProfileAndValidNow(t *testing.T) {
	served := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	served.Config.ErrorLog = log.New(io.Discard, "", 0)
	served.StartTLS()
	t.Cleanup(served.Close)
	authorities := x509.NewCertPool()
	authorities.AddCert(served.Certificate())
	valid := served.Certificate().NotBefore.Add(time.Hour)
	expired := served.Certificate().NotAfter.Add(time.Hour)
	for name, tt := range map[string]struct {
		roots *x509.CertPool
		now   time.Time
		want  bool
	}{
		"of an authority of the profile": {authorities, valid, true},
		"of another authority":           {x509.NewCertPool(), valid, false},
		"expired":                        {authorities, expired, false},
	} {
		shared := &Visitors{Program: &Program{Now: func() time.Time { return tt.now }}}
		p := &config.Profile{AuthURL: served.URL, Roots: func() *x509.CertPool { return tt.roots }}
		if err := reach(t, shared, p, served.URL); (err == nil) != tt.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}
