package sessionstore

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// ErrURL means that the URL of a database is not in order.
var ErrURL = errors.New("the URL of the database cannot be read")

// connectLimit bounds the attempt at one host, where the URL has no connect_timeout: one
// that does not answer leaves time for the next one.
const connectLimit = 2 * time.Second

// maxMessage bounds what a database may send at once, in bytes: a ticket, as text.
const maxMessage = 40 << 20

// configure reads a URL, with the size of a pool, and the environment and files that PostgreSQL's own
// programs read. Its errors repeat nothing of the URL: it may hold a password, and where
// it cannot be read nobody knows in which part.
func (p *Postgres) configure(url string) (c *pgconn.Config, size int32, err error) {
	c, err = pgconn.ParseConfig(url)
	if file, is := errors.AsType[*fs.PathError](err); is {
		return nil, 0, fmt.Errorf("the URL of the database needs a file: %w", file)
	}
	if err != nil {
		return nil, 0, ErrURL
	}
	const sizeName = "pool_max_conns" // as pools of other programs have it
	size = poolSize
	if text, given := c.RuntimeParams[sizeName]; given {
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil || n < 1 {
			return nil, 0, ErrURL
		}
		size = int32(n)
		delete(c.RuntimeParams, sizeName)
	}
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
	return c, size, nil
}

// hosts are all that a configuration may connect to.
func hosts(c *pgconn.Config) []*pgconn.FallbackConfig {
	first := &pgconn.FallbackConfig{Host: c.Host, Port: c.Port, TLSConfig: c.TLSConfig}
	return append([]*pgconn.FallbackConfig{first}, c.Fallbacks...)
}

// requireTLS takes from each host that is reached over a network the way without TLS, if
// there is one with it: sslmode=prefer, the default of PostgreSQL's programs, would let
// anybody in between choose. Only sslmode=disable has none with it: those hosts are clear. verified
// is whether the certificates of all others are.
func requireTLS(c *pgconn.Config) (clear []string, verified bool) {
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
