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
	StageName                    // the name, of the proxy if one is used, was resolved
	StageConnection              // the host was connected, or the proxy let the request through
	StageHandshake               // the handshake with the host began
	StageTLS                     // the handshake with the host was completed
	StageAnswer                  // the host began to answer
)

// Way is the way that a request took to a host, as far as it came. Proxy and Dialled reveal
// addresses, which a server must not tell its visitors: whatever shows a Way leaves them out if
// session.ServiceOptions.Discreet is set.
type Way struct {
	Host        string            // host and port, for display
	Stage       Stage             // how far the request came
	Proxy       *Proxy            // nil: none was used
	Dialled     []Dialled         // in order: addresses of the proxy if one is used, or of the host
	Certificate *CertificateFault // why the certificate of the host was refused; nil: it was not
}

// Proxy is a proxy of the environment that a request was sent through. It has let the request
// through where the stage of the way is [StageConnection] or later.
type Proxy struct {
	Kind string // "http", "https" or "socks5"
	// Host is host and port, for display, without user and password. It is "" if the setting is
	// invalid, or [Options].Discreet is set.
	Host        string
	Status      int               // of an HTTP proxy that refused, otherwise 0
	Reply       string            // why it refused, in one line of its own words, or ""
	SignIn      ProxySignIn       // whether it refused because of a user name and a password
	Cause       Cause             // why it could not be reached; [CauseOther] if it was
	Certificate *CertificateFault // why its certificate was refused; nil: it was not

	hasUser bool // the environment has a user name for it
}

// ProxySignIn is what a proxy says about the user name and the password that it received.
type ProxySignIn uint8

// What a proxy may say.
const (
	ProxySignInNone     ProxySignIn = iota // nothing
	ProxySignInMissing                     // it wants them, and the environment has none
	ProxySignInRejected                    // it rejects them, or wants another way of signing in
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

// through names the proxy that a request was sent through, to follow the host in a sentence. It is
// "" if there is none, or if its name must not be shown.
func (w Way) through() string {
	if w.Proxy == nil || w.Proxy.Host == "" {
		return ""
	}
	return " (through the " + proxyNames[w.Proxy.Kind] + " " + w.Proxy.Host + ")"
}

// proxySays are the words of a proxy that answered in place of the host, as a part of a sentence.
func (w Way) proxySays() string {
	if w.Proxy == nil || w.Proxy.Host == "" || w.Proxy.Status == 0 || w.Proxy.Reply == "" {
		return ""
	}
	return ": " + strings.TrimSuffix(w.Proxy.Reply, ".")
}

// Dialled is an address that was dialled.
type Dialled struct {
	Address   string // IP address and port
	IPv6      bool
	Connected bool
	Err       Cause         // why it was not connected; [CauseCancelled] if another was faster
	Took      time.Duration // until it was connected, refused or given up
}

// headStart is how long package net waits for an address before it tries addresses of the other
// family (300 ms), less the time that a busy machine needs to begin.
const headStart = 200 * time.Millisecond

// Silent reports whether the address did not answer in a time in which others do.
func (d Dialled) Silent() bool {
	hadTime := d.Err == CauseTimeout || d.Err == CauseCancelled && d.Took >= headStart
	return !d.Connected && hadTime
}

// maxReply limits what is shown of a proxy's answer, in characters.
const maxReply = 200

// foreign makes a safe line of at most limit characters from text from outside.
func foreign(text string, limit int) string { return safetext.Line(redact.OneLine(text, limit)) }

// socksSignIn are the errors of package net/http for a SOCKS proxy that wants a user name and a
// password (RFC 1929) or rejects them. They have no types.
var socksSignIn = []string{
	"no acceptable authentication methods",
	"username/password authentication failed",
	"invalid username/password",
}

// socksReply returns what a SOCKS proxy answered, in the words of package net/http, which has no
// type for it.
func socksReply(err *net.OpError) string {
	return foreign(strings.TrimPrefix(err.Err.Error(), "unknown error "), maxReply)
}
