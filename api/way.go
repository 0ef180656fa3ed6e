package api

import (
	"net"
	"strings"
	"time"

	"gatehouse/internal/text/redact"
	"gatehouse/internal/text/safetext"
)

// Stage is how far a request came on its way to a host.
type Stage uint8

// The stages, in their order. Each includes those before it.
const (
	StageNone       Stage = iota // nothing has happened, or the name was not resolved
	StageName                    // the name was resolved, or there was none: with a proxy, that of the proxy
	StageConnection              // the host was connected; with a proxy, the proxy let the request through
	StageHandshake               // the handshake with the host began
	StageTLS                     // the handshake with the host was completed
	StageAnswer                  // the host began to answer
)

// Way is the way that a request took to a host, as far as it came. It says where a host is, which
// a server must not tell its visitors: what shows it to one who is not to know addresses
// (session.ServiceOptions.Discreet) leaves out Proxy and Dialled.
type Way struct {
	Host        string            // host and port, for display
	Stage       Stage             // how far the request came
	Proxy       *Proxy            // nil: none was asked
	Dialled     []Dialled         // in order: addresses of the host or, if there is one, of the proxy
	Certificate *CertificateFault // why that of the host was refused; nil: it was not
}

// Proxy is a proxy of the environment that a request was sent through. It has let the request
// through where the stage of the way is [StageConnection] or later.
type Proxy struct {
	Kind        string            // "http", "https" or "socks5"
	Host        string            // host and port, for display, never its user or password; "" if invalid or [Options].Discreet
	Status      int               // of an HTTP proxy that refused, else 0
	Reply       string            // one line, in the proxy's words: why it refused; "" if it did not say
	SignIn      ProxySignIn       // whether it refused because of a user name and a password
	Cause       Cause             // why it could not be reached, [CauseOther] if it was
	Certificate *CertificateFault // why that of the proxy was refused; nil: it was not

	hasUser bool // the environment has a user name for it
}

// ProxySignIn is what a proxy says of the user name and the password that it got.
type ProxySignIn uint8

// What a proxy says of them.
const (
	ProxySignInNone     ProxySignIn = iota // nothing
	ProxySignInMissing                     // it wants some, and the environment has none for it
	ProxySignInRejected                    // it rejects those of the environment, or wants another way of signing in
)

// wants notes that a proxy asks for a user name and a password.
func (p *Proxy) wants() {
	p.SignIn = ProxySignInMissing
	if p.hasUser {
		p.SignIn = ProxySignInRejected
	}
}

// proxyNames are what people call the kinds of proxies.
var proxyNames = map[string]string{"http": "HTTP proxy", "https": "HTTPS proxy", "socks5": "SOCKS proxy"}

// through names the proxy that a request was sent through, as a part of a sentence behind the host;
// "" if there is none, or its name is not to be told.
func (w Way) through() string {
	if w.Proxy == nil || w.Proxy.Host == "" {
		return ""
	}
	return " (through the " + proxyNames[w.Proxy.Kind] + " " + w.Proxy.Host + ")"
}

// Dialled is an address that was dialled.
type Dialled struct {
	Address   string // IP address and port
	IPv6      bool
	Connected bool          // whether a connection came about
	Err       Cause         // why none did: [CauseCancelled] if another address was faster
	Took      time.Duration // until it was connected, refused or given up
}

// headStart is how long package net waits for an address before it tries those of the other kind
// (300 ms), less what a busy machine needs to begin.
const headStart = 200 * time.Millisecond

// Silent reports whether the address did not answer in a time in which others do.
func (d Dialled) Silent() bool {
	return !d.Connected && (d.Err == CauseTimeout || d.Err == CauseCancelled && d.Took >= headStart)
}

// maxReply are characters of what a proxy says.
const maxReply = 200

// foreign makes a safe line of at most limit characters from text from outside.
func foreign(text string, limit int) string { return safetext.Line(redact.OneLine(text, limit)) }

// socksSignIn are the texts of package net/http, which has no types for them, where a SOCKS proxy wants a
// user name and a password (RFC 1929) or rejects them.
var socksSignIn = []string{
	"no acceptable authentication methods", "username/password authentication failed", "invalid username/password",
}

// socksReply is what a SOCKS proxy answered. Package net/http has no type for it: the text is one of
// its own words for a code, or says what is wrong with the answer.
func socksReply(err *net.OpError) string {
	return foreign(strings.TrimPrefix(err.Err.Error(), "unknown error "), maxReply)
}
