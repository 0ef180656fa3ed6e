package api

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"strings"
	"time"
)

// ErrOldTLS is why no answer came from a host that knows only TLS 1.1 or older,
// in which what is sent is not safe from others.
var ErrOldTLS = errors.New("it offers no TLS 1.2 or newer")

// isOldTLS knows the two ways in which a handshake ends over the version. The
// types behind them are hidden in crypto/tls, so the words have to do.
func isOldTLS(err error) bool {
	if alert, ok := errors.AsType[*net.OpError](err); ok && alert.Op == "remote error" {
		return alert.Err.Error() == "tls: protocol version not supported"
	}
	return strings.HasPrefix(err.Error(), "tls: server selected unsupported protocol version")
}

// describeTLS says in words what is wrong with a certificate or a handshake, ""
// for another cause.
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
		return "its certificate is signed by nobody but itself"
	case errors.As(err, &authority):
		return "its certificate is signed by an unknown authority"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return describeValidity(invalid.Cert)
	case errors.As(err, &invalid), errors.As(err, &rejected):
		return "its certificate is not accepted"
	case errors.Is(err, http.ErrSchemeMismatch), errors.As(err, &record):
		return "it does not speak TLS"
	case errors.As(err, &alert) && strings.HasSuffix(alert.Op, " error"):
		// "remote error" or "local error": so crypto/tls wraps the alerts it hides
		return "the TLS handshake failed"
	}
	return ""
}

func isSelfSigned(err x509.UnknownAuthorityError) bool {
	return err.Cert != nil && bytes.Equal(err.Cert.RawIssuer, err.Cert.RawSubject)
}

// describeValidity tells which end of its time a certificate is beyond.
func describeValidity(certificate *x509.Certificate) string {
	const day = "2 Jan 2006"
	switch {
	case certificate == nil:
		return "its certificate has expired or is not valid yet"
	case time.Now().Before(certificate.NotBefore):
		return "its certificate is not valid before " + certificate.NotBefore.UTC().Format(day)
	}
	return "its certificate expired on " + certificate.NotAfter.UTC().Format(day)
}
