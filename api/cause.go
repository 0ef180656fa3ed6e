package api

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Cause is why a request had no answer.
type Cause uint8

// The causes of a [*TransportError]. Those from CauseClock on are of TLS.
const (
	CauseOther             Cause = iota // not known, or the answer was not HTTP
	CauseCancelled                      // by the caller
	CauseName                           // the name has no address; it may exist
	CauseNoHost                         // there is no such name
	CauseNoAddress                      // the name exists, and has no address
	CauseResolution                     // the name could not be resolved; it may well exist
	CauseNameFault                      // the name servers failed to find out
	CauseNameRefused                    // the name servers refused to answer
	CauseRefused                        // nothing listens there
	CauseNoWay                          // this machine has no route to the host
	CauseTimeout                        // no answer in time
	CauseDropped                        // the other side closed the connection, or has gone
	CausePrivate                        // such an address is not allowed, see [PublicDialer]
	CauseProxy                          // the proxy of the environment failed or refused
	CauseClock                          // the certificate has expired or is not valid yet
	CauseAuthority                      // no known authority has signed the certificate
	CauseCertificate                    // the certificate is for another host, or otherwise invalid
	CauseHandshake                      // the handshake failed
	CauseClientCertificate              // the host asks for a certificate of the client
	CauseOldTLS                         // the host speaks only versions of TLS that are not safe
)

// causes has the words for each cause.
var causes = [...]struct {
	name string // in a report
	text string // what happened, as the end of a sentence
	hint string // what to do next
}{
	CauseOther: {
		name: "other",
		text: "the connection failed or the answer was not valid HTTP",
		hint: hintNetwork,
	},
	CauseCancelled: {
		name: "other",
		text: "cancelled",
		hint: hintNetwork,
	},
	CauseName: {
		name: "name",
		text: "its name has no address",
		hint: hintName,
	},
	CauseNoHost: {
		name: "name",
		text: "there is no such host name",
		hint: hintName,
	},
	CauseNoAddress: {
		name: "name",
		text: "its name exists, and has no address",
		hint: "Ask the operator of the service: no address was entered for the name.",
	},
	CauseNameFault: {
		name: "resolution",
		text: "the name servers failed to look up its name (SERVFAIL)",
		hint: "Ask the operator of the service about the entries of the domain, and check the name" +
			" servers of this computer.",
	},
	CauseNameRefused: {
		name: "resolution",
		text: "the name servers refuse to look up its name (REFUSED)",
		hint: "Check the network, and the name servers of this computer.",
	},
	CauseResolution: {
		name: "resolution",
		text: "the host name could not be resolved",
		hint: "Check the network, and the name servers of this computer.",
	},
	CauseRefused: {
		name: "refused",
		text: "the connection was refused",
		hint: hintNetwork,
	},
	CauseNoWay: {
		name: "network",
		text: "the host cannot be reached",
		hint: hintNetwork,
	},
	CauseTimeout: {
		name: "timeout",
		text: "no answer in time",
		hint: "Check the network, or try again later.",
	},
	CauseDropped: {
		name: "other",
		text: "the connection was dropped",
		hint: hintNetwork,
	},
	CausePrivate: {
		name: "network",
		text: "its address is not public, and this server only connects to public addresses",
		hint: "Ask the operator of this server whether it may connect to that network.",
	},
	CauseProxy: {
		name: "proxy",
		text: "its proxy failed",
		hint: "Nothing reached the service. Check HTTPS_PROXY, and NO_PROXY for hosts that need no" +
			" proxy; ask the administrator of the proxy.",
	},
	CauseClock: {
		name: "certificate",
		text: "its certificate has expired or is not valid yet",
		hint: "Nothing was sent. Check the clock of this computer. If it is right, the operator of" +
			" the service must replace the certificate.",
	},
	CauseAuthority: {
		name: "certificate",
		text: "its certificate is signed by an unknown authority",
		hint: "Nothing was sent. If the authority is your own, add it to the authorities that this" +
			" computer trusts, or name its file in ca_file of the profile. Otherwise a proxy may be" +
			" in between: ask the operator of the service.",
	},
	CauseCertificate: {
		name: "certificate",
		text: "its certificate was rejected",
		hint: "Nothing was sent. Check the URLs of the profile, and look for a proxy in between;" +
			" ask the operator of the service.",
	},
	CauseHandshake: {
		name: "tls",
		text: "the TLS handshake failed",
		hint: "Check the URLs of the profile: the port may be wrong. The service, or a proxy in" +
			" between, must offer TLS 1.2 or newer.",
	},
	CauseClientCertificate: {
		name: "tls",
		text: "it asks for a certificate of the client",
		hint: "Check the URLs of the profile: the host may be for other programs. If they are right," +
			" ask the operator of the service: this program has no certificate of its own.",
	},
	CauseOldTLS: {
		name: "tls",
		text: "it speaks only versions of TLS that are no longer safe; TLS 1.2 or newer is needed",
		hint: "Ask the operator of the service, or the administrator of a proxy in between, to offer" +
			" TLS 1.2 or newer.",
	},
}

// Causes returns all causes, so that tests can check that each has its words everywhere.
func Causes() []Cause {
	all := make([]Cause, len(causes))
	for i := range all {
		all[i] = Cause(i)
	}
	return all
}

const (
	hintNetwork = "Check the network, and the URLs of the profile."
	hintName    = "Check the network, the spelling of the domain, and the URLs in the profile."
)

// String is the cause in one word, as reports have it.
func (c Cause) String() string { return causes[c].name }

// Text is what happened, as the end of a sentence.
func (c Cause) Text() string { return causes[c].text }

// Hint is what to do about it.
func (c Cause) Hint() string { return causes[c].hint }

// IsTLS reports whether the certificate or the handshake failed, so that nothing was sent.
func (c Cause) IsTLS() bool { return c >= CauseClock }

// IsOfName reports whether name servers know no address for the name.
func (c Cause) IsOfName() bool { return c == CauseName || c == CauseNoHost || c == CauseNoAddress }

// IsOfNameServers reports whether name servers did not tell whether there is such a name.
func (c Cause) IsOfNameServers() bool {
	return c == CauseResolution || c == CauseNameFault || c == CauseNameRefused
}

// withoutURL removes any *url.Error, which prints the whole URL, and everything that wraps it and
// would print it again.
func withoutURL(err error) error {
	for {
		outer, ok := errors.AsType[*url.Error](err)
		if !ok {
			return err
		}
		err = outer.Err
	}
}

// networkError is an error of net/http in words that are safe to show, or one of our own.
type networkError struct {
	cause   Cause
	text    string // completes "the host: ..."
	err     error  // nil if it may quote what the server sent, such as a malformed status line
	dropped bool   // the connection was dropped, whatever the cause says, for instance by a proxy
}

// scrub makes an error of net/http safe to show.
func scrub(err error) error { return (*trace)(nil).scrub(err) }

// isDropped reports whether the connection was dropped, so that another attempt may help.
func isDropped(err error) bool {
	if known, ok := errors.AsType[*networkError](err); ok && known.dropped {
		return true
	}
	cause, _ := explain(err)
	return cause == CauseDropped
}

// Error completes "the host: ...".
func (e *networkError) Error() string { return e.text }

func (e *networkError) Unwrap() error { return e.err }

// Windows has its own error numbers for these.
const (
	wsaAccess      = syscall.Errno(10013)
	wsaNoAddress   = syscall.Errno(10049)
	wsaNetDown     = syscall.Errno(10050)
	wsaNetUnreach  = syscall.Errno(10051)
	wsaConnAborted = syscall.Errno(10053)
	wsaConnReset   = syscall.Errno(10054)
	wsaTimedOut    = syscall.Errno(10060)
	wsaConnRefused = syscall.Errno(10061)
	wsaHostUnreach = syscall.Errno(10065)
	wsaNoFamily    = syscall.Errno(10047)
)

// errnos are the errors of the system by their cause.
var errnos = map[Cause][]syscall.Errno{
	CauseTimeout: {syscall.ETIMEDOUT, wsaTimedOut},
	CauseRefused: {syscall.ECONNREFUSED, wsaConnRefused},
	CauseNoWay:   {syscall.ENETUNREACH, syscall.EHOSTUNREACH, wsaNetUnreach, wsaHostUnreach},
	CauseDropped: {
		syscall.ECONNRESET, syscall.ECONNABORTED, syscall.EPIPE, wsaConnReset, wsaConnAborted,
	},
}

// noWay are errors that mean [CauseNoWay] if they come from dialling: the routes or a firewall of
// this machine forbid it, or the machine has no address of that kind.
var noWay = []syscall.Errno{
	syscall.EACCES, syscall.EPERM, syscall.EINVAL, syscall.ENETDOWN, syscall.EHOSTDOWN,
	syscall.EADDRNOTAVAIL, syscall.EAFNOSUPPORT,
	wsaAccess, wsaNoAddress, wsaNetDown, wsaNoFamily,
}

// ofErrno returns the cause of an error of the system; ok is false if it has none here.
func ofErrno(errno syscall.Errno, dialling bool) (cause Cause, ok bool) {
	for cause, list := range errnos {
		if slices.Contains(list, errno) {
			return cause, true
		}
	}
	return CauseNoWay, dialling && slices.Contains(noWay, errno)
}

// lostHTTP2 is the text of net/http's error, which has no type, for a connection whose host does
// not answer a ping.
const lostHTTP2 = "http2: client connection lost"

// explain says why there was no answer. text completes "the host: ..." and does not reveal the
// address of a proxy.
func explain(err error) (cause Cause, text string) { return explainAt(err, time.Now) }

// explainAt is explain with another clock to judge certificates by.
func explainAt(err error, clock func() time.Time) (cause Cause, text string) {
	var (
		known  *networkError
		op     *net.OpError
		record tls.RecordHeaderError
		dns    *net.DNSError
	)
	isOp := errors.As(err, &op)
	switch {
	case errors.As(err, &known):
		return known.cause, known.text
	case errors.Is(err, context.Canceled):
		cause = CauseCancelled
	case isOp && op.Op == "proxyconnect":
		_, text = explainAt(op.Err, clock)
		if fault := faultOf(op.Err, clock); fault != nil {
			text = fault.brief()
		}
		return CauseProxy, "its proxy: " + text
	case errors.Is(err, http.ErrSchemeMismatch), errors.As(err, &record):
		cause, text = CauseHandshake, "it does not speak TLS"
	// The Op of an alert is "remote error" or "local error". Its type and the type of the next
	// error are private to crypto/tls.
	case isOp && strings.HasSuffix(op.Op, " error"):
		cause, text = ofAlert(alertOf(op))
	case strings.HasPrefix(err.Error(), "tls: server selected unsupported protocol version"):
		cause = CauseOldTLS
	case errors.As(err, &dns) && dns.IsNotFound:
		cause = CauseName
	case dns != nil:
		cause = CauseResolution
	default:
		if fault := faultOf(err, clock); fault != nil {
			return fault.cause(), fault.text()
		}
		cause = ofConnection(err, isOp && op.Op == "dial")
	}
	return cause, cmp.Or(text, causes[cause].text)
}

// Alerts of TLS (RFC 8446 section 6.2).
const (
	alertHandshakeFailure     = 40
	alertBadCertificate       = 42
	alertProtocolVersion      = 70
	alertInsufficientSecurity = 71
	alertInternalError        = 80
	alertUnrecognizedName     = 112
	alertCertificateRequired  = 116
)

// alerts complete "the host: ..." for the alerts that say more than that the handshake failed.
var alerts = map[uint64]string{
	alertHandshakeFailure: "it refused the TLS handshake: there is no cipher in common," +
		" or it asks for a certificate of the client",
	alertInsufficientSecurity: "it refused the TLS handshake: there is no cipher in common",
	alertInternalError:        "it failed in the TLS handshake, with an internal error",
	alertUnrecognizedName: "it refused the TLS handshake: it does not know the name" +
		" that it was asked for",
}

// ofAlert returns the cause that an alert in a handshake tells, and its text if that says more than
// the cause.
func ofAlert(number uint64) (Cause, string) {
	switch number {
	case alertBadCertificate, alertCertificateRequired:
		return CauseClientCertificate, ""
	case alertProtocolVersion:
		return CauseOldTLS, ""
	}
	return CauseHandshake, alerts[number]
}

// alertOf returns the number of the alert that the other side sent, or 0 if this side sent it. The
// type of an alert is a number that is private to crypto/tls.
func alertOf(op *net.OpError) uint64 {
	number := reflect.ValueOf(op.Err)
	if op.Op == "remote error" && number.Kind() == reflect.Uint8 {
		return number.Uint()
	}
	return 0
}

// ofConnection returns the cause of an error of a connection, or of dialling one.
func ofConnection(err error, dialling bool) Cause {
	var timeout interface{ Timeout() bool }
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		if cause, ok := ofErrno(errno, dialling); ok {
			return cause
		}
	}
	switch {
	case errors.As(err, &timeout) && timeout.Timeout():
		return CauseTimeout
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return CauseDropped
	case strings.HasSuffix(err.Error(), lostHTTP2):
		return CauseDropped
	}
	return CauseOther
}
