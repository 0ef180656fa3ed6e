package api

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
)

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

// scrub makes an error of net/http safe to show. One that describe does not know is
// replaced, as it may quote what the server sent, such as a malformed status line.
func scrub(err error) error {
	err = withoutURL(err)
	switch {
	case isOldTLS(err):
		err = ErrOldTLS
	case strings.HasSuffix(err.Error(), lostHTTP2):
		err = errLost
	}
	if text := describe(err); text != "" {
		return &networkError{text, err}
	}
	return errBroken
}

var (
	errBroken = errors.New("the connection failed or the answer was not valid HTTP")
	errLost   = errors.New("the host did not answer to a ping")
)

// lostHTTP2 is the text of net/http's error, which has no type, of a connection whose host
// does not answer to a ping.
const lostHTTP2 = "http2: client connection lost"

// networkError is a network error with a text for people.
type networkError struct {
	text  string
	cause error
}

// Error completes "the host: ...".
func (e *networkError) Error() string { return e.text }

// Unwrap returns the cause.
func (e *networkError) Unwrap() error { return e.cause }

// describe says why there was no answer, "" for an unknown cause.
func describe(err error) string {
	if text := describeOwn(err); text != "" {
		return text
	}
	if text := describeProxy(err); text != "" {
		return text
	}
	if text := describeTLS(err); text != "" {
		return text
	}
	var dns *net.DNSError
	var timeout interface{ Timeout() bool }
	switch {
	case errors.Is(err, context.Canceled):
		return "cancelled"
	case errors.As(err, &timeout) && timeout.Timeout():
		return "no answer in time"
	case errors.As(err, &dns) && dns.IsNotFound:
		return "there is no host with this name"
	case errors.As(err, &dns):
		return "the host name could not be resolved"
	case isErrno(err, syscall.ECONNREFUSED, wsaConnRefused):
		return "the connection was refused"
	case isErrno(err, syscall.ENETUNREACH, syscall.EHOSTUNREACH):
		return "the host cannot be reached"
	case isDropped(err):
		return "the connection was dropped"
	}
	return ""
}

func describeOwn(err error) string {
	if e, ok := errors.AsType[*networkError](err); ok {
		return e.text
	}
	if e, ok := errors.AsType[*stallError](err); ok {
		return e.Error()
	}
	if e, ok := errors.AsType[*answerError](err); ok {
		return e.Error()
	}
	if e, ok := errors.AsType[*proxyError](err); ok {
		return e.Error()
	}
	for _, own := range []error{errProxySetting, errBroken} {
		if errors.Is(err, own) {
			return own.Error()
		}
	}
	return ""
}

// Windows has its own error numbers for these.
const (
	wsaConnAborted = syscall.Errno(10053)
	wsaConnReset   = syscall.Errno(10054)
	wsaConnRefused = syscall.Errno(10061)
)

// isDropped reports whether the other side closed the connection, or has gone.
func isDropped(err error) bool {
	return errors.Is(err, errLost) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		isErrno(err, syscall.ECONNRESET, syscall.ECONNABORTED, syscall.EPIPE, wsaConnReset, wsaConnAborted)
}

func isErrno(err error, numbers ...syscall.Errno) bool {
	var errno syscall.Errno
	if !errors.As(err, &errno) {
		return false
	}
	for _, n := range numbers {
		if errno == n {
			return true
		}
	}
	return false
}

// Cause classifies why there was no answer.
type Cause uint8

// The causes of a [*TransportError]. CauseOther is the zero Cause.
const (
	CauseOther      Cause = iota
	CauseName             // there is no host with this name
	CauseRefused          // nothing listens there
	CauseTLS              // the certificate or the handshake failed
	CauseTimeout          // no answer in time
	CauseProxy            // the proxy of the environment failed or refused
	CauseResolution       // the name could not be resolved; whether there is such a host is unknown
	CauseNoWay            // this machine has no way to the host
	CauseDropped          // the other side closed the connection
)

// Cause classifies the error.
func (e *TransportError) Cause() Cause {
	var dns *net.DNSError
	switch {
	case isOfProxy(e.Err):
		return CauseProxy
	case describeTLS(e.Err) != "":
		return CauseTLS
	case e.Timeout():
		return CauseTimeout
	case errors.As(e.Err, &dns) && dns.IsNotFound:
		return CauseName
	case errors.As(e.Err, &dns):
		return CauseResolution
	case isErrno(e.Err, syscall.ECONNREFUSED, wsaConnRefused):
		return CauseRefused
	case isErrno(e.Err, syscall.ENETUNREACH, syscall.EHOSTUNREACH):
		return CauseNoWay
	case isDropped(e.Err):
		return CauseDropped
	}
	return CauseOther
}

// ErrOldTLS means that the host only supports TLS 1.1 or older, which is not secure.
var ErrOldTLS = errors.New("it does not support TLS 1.2 or newer")

// isOldTLS recognises the two ways in which a handshake fails over the version. Their
// types are private to crypto/tls, so the texts are compared.
func isOldTLS(err error) bool {
	if alert, ok := errors.AsType[*net.OpError](err); ok && alert.Op == "remote error" {
		return alert.Err.Error() == "tls: protocol version not supported"
	}
	return strings.HasPrefix(err.Error(), "tls: server selected unsupported protocol version")
}

// describeTLS says what is wrong with a certificate or a handshake, "" for another cause.
func describeTLS(err error) string {
	var (
		name      x509.HostnameError
		authority x509.UnknownAuthorityError
		invalid   x509.CertificateInvalidError
		rejected  *tls.CertificateVerificationError
		record    tls.RecordHeaderError
		alert     *net.OpError
	)
	switch {
	case errors.Is(err, ErrOldTLS):
		return ErrOldTLS.Error()
	case errors.As(err, &name):
		return "its certificate is for another host"
	case errors.As(err, &authority) && isSelfSigned(authority):
		return "its certificate is self-signed"
	case errors.As(err, &authority):
		return "its certificate is signed by an unknown authority"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return describeValidity(invalid)
	case errors.As(err, &invalid), errors.As(err, &rejected):
		return "its certificate was rejected"
	case errors.Is(err, http.ErrSchemeMismatch), errors.As(err, &record):
		return "it does not speak TLS"
	case errors.As(err, &alert) && strings.HasSuffix(alert.Op, " error"):
		// "remote error" or "local error": crypto/tls wraps its private alert type like this
		return "the TLS handshake failed"
	}
	return ""
}

func isSelfSigned(err x509.UnknownAuthorityError) bool {
	return err.Cert != nil && bytes.Equal(err.Cert.RawIssuer, err.Cert.RawSubject)
}

// describeValidity says whether a certificate has expired or is not valid yet. Only the
// text of the error tells them apart by the clock that was used.
func describeValidity(invalid x509.CertificateInvalidError) string {
	const day = "2 Jan 2006"
	certificate := invalid.Cert
	switch {
	case certificate == nil:
		return "its certificate has expired or is not valid yet"
	case strings.Contains(invalid.Detail, " is before "):
		return "its certificate is not valid before " + certificate.NotBefore.UTC().Format(day)
	}
	return "its certificate expired on " + certificate.NotAfter.UTC().Format(day)
}

// isOfProxy reports whether a proxy, or its setting, caused the error.
func isOfProxy(err error) bool {
	_, refused := errors.AsType[*proxyError](err)
	return refused || errors.Is(err, errProxySetting) || describeProxy(err) != ""
}

// describeProxy says why a proxy could not be reached, "" for another error. It does not
// reveal the proxy's address.
func describeProxy(err error) string {
	failed, ok := errors.AsType[*net.OpError](err)
	if !ok || failed.Op != "proxyconnect" {
		return ""
	}
	return "its proxy: " + cmp.Or(describe(failed.Err), "the connection failed")
}
