package sessionstore

import (
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// ways are those that a configuration may take to its hosts.
func ways(all []*pgconn.FallbackConfig) string {
	var words []string
	for _, h := range all {
		way := "clear"
		if h.TLSConfig != nil {
			way = "TLS"
		}
		words = append(words, h.Host+" "+way)
	}
	return strings.Join(words, ", ")
}

func TestANetworkIsCrossedWithTLSUnlessItIsSwitchedOff(t *testing.T) {
	for _, c := range []struct{ url, ways, clear, verified string }{
		{"postgres://db.example/x", "db.example TLS", "", "no"},
		{"postgres://db.example/x?sslmode=prefer", "db.example TLS", "", "no"},
		{"postgres://db.example/x?sslmode=allow", "db.example TLS", "", "no"},
		{"postgres://db.example/x?sslmode=require", "db.example TLS", "", "no"},
		{"postgres://db.example/x?sslmode=verify-full", "db.example TLS", "", "yes"},
		{"postgres://a.example,b.example/x", "a.example TLS, b.example TLS", "", "no"},
		{"postgres://db.example/x?sslmode=disable", "db.example clear", "yes", "yes"},
		{"postgres://127.0.0.1/x", "127.0.0.1 TLS, 127.0.0.1 clear", "", "yes"},
		{"postgres://localhost,db.example:1/x", "localhost TLS, localhost clear, db.example TLS", "", "no"},
		{"postgres:///x?host=/run/postgresql", "/run/postgresql clear", "", "yes"},
	} {
		p := &Postgres{}
		config, err := p.configure(c.url)
		if err != nil {
			t.Errorf("%s: %v", c.url, err)
			continue
		}
		if got := ways(allHosts(config.ConnConfig)); got != c.ways {
			t.Errorf("%s: the ways are %s, want %s", c.url, got, c.ways)
		}
		if p.unencrypted != (c.clear == "yes") || p.certificatesVerified != (c.verified == "yes") {
			t.Errorf("%s: clear to %v, verified %v", c.url, p.unencrypted, p.certificatesVerified)
		}
	}
}

func TestAURLHasTheLastWordOnConnections(t *testing.T) {
	for url, want := range map[string]struct {
		connections int32
		connecting  time.Duration
		name        string
	}{
		"postgres://db.example/x":                          {16, 2 * time.Second, "gatehouse"},
		"postgres://db.example/x?pool_max_conns=3":         {3, 2 * time.Second, "gatehouse"},
		"postgres://db.example/x?connect_timeout=7":        {16, 7 * time.Second, "gatehouse"},
		"postgres://db.example/x?application_name=another": {16, 2 * time.Second, "another"},
	} {
		config, err := new(Postgres).configure(url)
		if err != nil {
			t.Errorf("%s: %v", url, err)
			continue
		}
		c := config.ConnConfig
		if config.MaxConns != want.connections || c.ConnectTimeout != want.connecting {
			t.Errorf("%s: %d connections, each within %v", url, config.MaxConns, c.ConnectTimeout)
		}
		if got := c.RuntimeParams["application_name"]; got != want.name {
			t.Errorf("%s: it is called %q", url, got)
		}
		if config.PingTimeout != time.Second || c.MaxProtocolMessageBodyLen != 40<<20 {
			t.Errorf("%s: a ping has %v, a message %d bytes", url, config.PingTimeout, c.MaxProtocolMessageBodyLen)
		}
	}
}
