package api

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Cause is why a request had no answer.
type Cause uint8

// The causes of a [*TransportError]. Those from CauseClock on are of TLS.
const (
	CauseOther       Cause = iota // not known, or the answer was not HTTP
	CauseCancelled                // by the caller
	CauseName                     // there is no host with this name
	CauseResolution               // the name could not be resolved; whether there is such a host is unknown
	CauseRefused                  // nothing listens there
	CauseNoWay                    // this machine has no way to the host
	CauseTimeout                  // no answer in time
	CauseDropped                  // the other side closed the connection, or has gone
	CausePrivate                  // this program may not connect to such an address, see [PublicDialer]
	CauseProxy                    // the proxy of the environment failed or refused
	CauseClock                    // the certificate has expired or is not valid yet
	CauseAuthority                // nobody known vouches for the certificate
	CauseCertificate              // the certificate is of another host, or not valid otherwise
	CauseHandshake                // the handshake failed
)

// causes are the words of each: its name in a report, what happened, what to do next.
var causes = [...]struct{ name, text, hint string }{
	CauseOther:      {"other", "the connection failed or the answer was not valid HTTP", hintNetwork},
	CauseCancelled:  {"other", "cancelled", hintNetwork},
	CauseName:       {"name", "there is no host with this name", hintName},
	CauseResolution: {"resolution", "the host name could not be resolved", hintName},
	CauseRefused:    {"refused", "the connection was refused", hintNetwork},
	CauseNoWay:      {"network", "the host cannot be reached", hintNetwork},
	CauseTimeout:    {"timeout", "no answer in time", "Check the network, or try again later."},
	CauseDropped:    {"other", "the connection was dropped", hintNetwork},
	CausePrivate: {"network", "its address is not public, and this server only connects to public addresses",
		"Ask the operator of this server, who can allow a network with --allow-network."},
	CauseProxy: {"proxy", "its proxy failed", "Nothing reached the service. Check HTTPS_PROXY, and NO_PROXY for hosts that need no proxy; " +
		"ask the administrator of the proxy."},
	CauseClock: {"certificate", "its certificate has expired or is not valid yet", "Nothing was sent. Check the clock of this computer. " +
		"If it is right, the operator of the service must replace the certificate."},
	CauseAuthority: {"certificate", "its certificate is signed by an unknown authority", "Nothing was sent. If the authority is your own, " +
		"add it to the authorities that this computer trusts, or name its file in ca_file of the profile (GATEHOUSE_CA_FILE). " +
		"Otherwise a proxy may be in between: ask the operator of the service."},
	CauseCertificate: {"certificate", "its certificate was rejected", "Nothing was sent. Check the URLs of the profile, " +
		"and look for a proxy in between; ask the operator of the service."},
	CauseHandshake: {"tls", "the TLS handshake failed", "Check the URLs of the profile: the port may be wrong. " +
		"The service, or a proxy in between, must offer TLS 1.2 or newer."},
}

const (
	hintNetwork = "Check the network, and the URLs of the profile."
	hintName    = "Check the network, the spelling of the domain, and the URLs in the profile."
)

// String is the cause in one word, as reports have it.
func (c Cause) String() string { return causes[c].name }

// Hint is what to do about it.
func (c Cause) Hint() string { return causes[c].hint }

// IsTLS reports whether the certificate or the handshake failed, so that nothing was sent.
func (c Cause) IsTLS() bool { return c >= CauseClock }

// withoutURL removes *url.Error, which prints the whole URL, and everything wrapped
// around it, which prints it again.
func withoutURL(err error) error {
	for {
		outer, ok := errors.AsType[*url.Error](err)
		if !ok {
			return err
		}
		err = outer.Err
	}
}

// networkError is an error of net/http that is safe to show, or one of our own.
type networkError struct {
	cause Cause
	text  string
	err   error // of net/http; nil where it may quote what the server sent, such as a malformed status line
}

// scrub makes an error of net/http safe to show.
func scrub(err error) error {
	err = withoutURL(err)
	cause, text := explain(err)
	if cause == CauseOther {
		err = nil
	}
	return &networkError{cause, text, err}
}

// Error completes "the host: ...".
func (e *networkError) Error() string { return e.text }

func (e *networkError) Unwrap() error { return e.err }

// Windows has its own error numbers for these.
const (
	wsaConnAborted = syscall.Errno(10053)
	wsaConnReset   = syscall.Errno(10054)
	wsaConnRefused = syscall.Errno(10061)
)

// lostHTTP2 is the text of net/http's error, which has no type, of a connection whose host
// does not answer to a ping.
const lostHTTP2 = "http2: client connection lost"

// explain says why there was no answer, in a text that completes "the host: ...". It does not
// reveal the address of a proxy.
func explain(err error) (cause Cause, text string) {
	var (
		known     *networkError
		op        *net.OpError
		authority x509.UnknownAuthorityError
		invalid   x509.CertificateInvalidError
		name      x509.HostnameError
		rejected  *tls.CertificateVerificationError
		record    tls.RecordHeaderError
		dns       *net.DNSError
		timeout   interface{ Timeout() bool }
		errno     syscall.Errno
	)
	isOp := errors.As(err, &op)
	errors.As(err, &errno)
	switch {
	case errors.As(err, &known):
		return known.cause, known.text
	case isOp && op.Op == "proxyconnect":
		_, text = explain(op.Err)
		return CauseProxy, "its proxy: " + text
	case errors.Is(err, context.Canceled):
		cause = CauseCancelled

	case errors.As(err, &authority):
		cause = CauseAuthority
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		cause, text = CauseClock, validity(invalid)
	case errors.As(err, &name):
		cause, text = CauseCertificate, "its certificate is for another host"
	case errors.As(err, &invalid), errors.As(err, &rejected):
		cause = CauseCertificate
	case errors.Is(err, http.ErrSchemeMismatch), errors.As(err, &record):
		cause, text = CauseHandshake, "it does not speak TLS"
	// "remote error" or "local error" is an alert. Its type and that of the other error are private to crypto/tls.
	case isOp && strings.HasSuffix(op.Op, " error"), strings.HasPrefix(err.Error(), "tls: server selected unsupported protocol version"):
		cause = CauseHandshake

	case errors.As(err, &dns) && dns.IsNotFound:
		cause = CauseName
	case dns != nil:
		cause = CauseResolution
	case errors.As(err, &timeout) && timeout.Timeout():
		cause = CauseTimeout
	case slices.Contains([]syscall.Errno{syscall.ECONNREFUSED, wsaConnRefused}, errno):
		cause = CauseRefused
	case slices.Contains([]syscall.Errno{syscall.ENETUNREACH, syscall.EHOSTUNREACH}, errno):
		cause = CauseNoWay
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), strings.HasSuffix(err.Error(), lostHTTP2),
		slices.Contains([]syscall.Errno{syscall.ECONNRESET, syscall.ECONNABORTED, syscall.EPIPE, wsaConnReset, wsaConnAborted}, errno):
		cause = CauseDropped
	}
	return cause, cmp.Or(text, causes[cause].text)
}

// validity says whether a certificate has expired or is not valid yet. Only the text of the
// error tells them apart by the clock that was used.
func validity(invalid x509.CertificateInvalidError) string {
	if invalid.Cert == nil {
		return ""
	}
	if strings.Contains(invalid.Detail, " is before ") {
		return "its certificate is not valid before " + invalid.Cert.NotBefore.UTC().Format(time.DateOnly)
	}
	return "its certificate expired on " + invalid.Cert.NotAfter.UTC().Format(time.DateOnly)
}
