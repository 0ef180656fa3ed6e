package sessionstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// ErrURL means that the URL of a database is not in order.
var ErrURL = errors.New("the URL of the database cannot be read")

// connectLimit bounds the attempt at one host, where the URL has no connect_timeout: one
// that does not answer leaves time for the next one.
const connectLimit = 2 * time.Second

// maxMessage bounds what a database may send at once, in bytes: a ticket, as text.
const maxMessage = 40 << 20

// configure reads a URL, and the environment and files that PostgreSQL's own
// programs read. Its errors repeat nothing of the URL: it may hold a password, and where
// it cannot be read nobody knows in which part.
func (p *Postgres) configure(url string) (*pgxpool.Config, error) {
	config, err := pgxpool.ParseConfig(url)
	if file := (*fs.PathError)(nil); errors.As(err, &file) {
		return nil, fmt.Errorf("the URL of the database needs a file: %w", file)
	}
	if err != nil {
		return nil, ErrURL
	}
	if !strings.Contains(url, "pool_max_conns=") {
		config.MaxConns = poolSize
	}
	config.PingTimeout = time.Second
	c := config.ConnConfig
	// Nothing is prepared: a pooler may give each transaction another connection.
	c.DefaultQueryExecMode = pgx.QueryExecModeExec
	c.StatementCacheCapacity, c.DescriptionCacheCapacity = 0, 0
	c.OnNotice = noteWarning
	c.MaxProtocolMessageBodyLen = maxMessage
	if c.ConnectTimeout == 0 {
		c.ConnectTimeout = connectLimit
	}
	if c.ValidateConnect == nil {
		c.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	}
	if c.RuntimeParams["application_name"] == "" {
		c.RuntimeParams["application_name"] = "gatehouse"
	}
	p.clear, p.verified = requireTLS(c)
	var names []string
	for _, h := range hosts(c) {
		names = append(names, address(h))
	}
	p.where = strings.Join(slices.Compact(names), ", ")
	config.AfterConnect = registerTypes
	return config, nil
}

// registerTypes names the types of the arguments in this package. A release leaves out those
// that pgx registers by itself: more than a hundred, for 1.4 MB of the program.
func registerTypes(_ context.Context, c *pgx.Conn) error {
	types := c.TypeMap()
	types.RegisterDefaultPgType(0, "int8")
	types.RegisterDefaultPgType(int64(0), "int8")
	types.RegisterDefaultPgType(0.0, "float8")
	types.RegisterDefaultPgType("", "text")
	types.RegisterDefaultPgType([]byte{}, "bytea")
	types.RegisterDefaultPgType(time.Time{}, "timestamptz")
	return nil
}

// hosts are all that a configuration may connect to.
func hosts(c *pgx.ConnConfig) []*pgconn.FallbackConfig {
	first := &pgconn.FallbackConfig{Host: c.Host, Port: c.Port, TLSConfig: c.TLSConfig}
	return append([]*pgconn.FallbackConfig{first}, c.Fallbacks...)
}

// requireTLS takes from each host that is reached over a network the way without TLS, if
// there is one with it: sslmode=prefer, the default of PostgreSQL's programs, would let
// anybody in between choose. Only sslmode=disable has none with it: those hosts are clear. verified
// is whether the certificates of all others are.
func requireTLS(c *pgx.ConnConfig) (clear []string, verified bool) {
	all := hosts(c)
	withTLS := map[string]bool{}
	for _, h := range all {
		withTLS[address(h)] = withTLS[address(h)] || h.TLSConfig != nil
	}
	var left []*pgconn.FallbackConfig
	verified = true
	for _, h := range all {
		switch {
		case local(h.Host):
		case h.TLSConfig == nil && withTLS[address(h)]:
			continue
		case h.TLSConfig == nil:
			clear = append(clear, address(h))
		case h.TLSConfig.InsecureSkipVerify && h.TLSConfig.VerifyPeerCertificate == nil && h.TLSConfig.VerifyConnection == nil:
			verified = false
		}
		left = append(left, h)
	}
	c.Host, c.Port, c.TLSConfig, c.Fallbacks = left[0].Host, left[0].Port, left[0].TLSConfig, left[1:]
	return clear, verified
}

// local reports whether a host is this machine: what is sent crosses no network.
func local(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasPrefix(host, "/") || ip != nil && ip.IsLoopback()
}

func address(h *pgconn.FallbackConfig) string {
	if strings.HasPrefix(h.Host, "/") {
		return h.Host
	}
	return net.JoinHostPort(h.Host, strconv.Itoa(int(h.Port)))
}
