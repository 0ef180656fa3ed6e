package api

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
)

func TestCausesAreNamedInWords(t *testing.T) {
	dial := func(err error) error {
		return &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", err)}
	}
	rejected := func(err error) error { return &tls.CertificateVerificationError{Err: err} }
	for _, tt := range []struct {
		err   error
		cause Cause
		want  string
	}{
		{context.Canceled, CauseCancelled, "cancelled"},
		{context.DeadlineExceeded, CauseTimeout, "no answer in time"},
		{dial(syscall.ETIMEDOUT), CauseTimeout, "no answer in time"},
		{&net.DNSError{Err: "no such host", Name: "x", IsNotFound: true}, CauseName, "there is no host with this name"},
		{&net.DNSError{Err: "server misbehaving", Name: "x"}, CauseResolution, "the host name could not be resolved"},
		{&net.DNSError{Err: "i/o timeout", Name: "x", IsTimeout: true}, CauseResolution, "the host name could not be resolved"},
		{dial(syscall.ECONNREFUSED), CauseRefused, "the connection was refused"},
		{dial(wsaConnRefused), CauseRefused, "the connection was refused"},
		{dial(syscall.EHOSTUNREACH), CauseNoWay, "the host cannot be reached"},
		{dial(syscall.ECONNRESET), CauseDropped, "the connection was dropped"},
		{dial(wsaConnReset), CauseDropped, "the connection was dropped"},
		{fmt.Errorf("net/http: %w", io.EOF), CauseDropped, "the connection was dropped"},
		{io.ErrUnexpectedEOF, CauseDropped, "the connection was dropped"},
		{errors.New("http2: client connection lost"), CauseDropped, "the connection was dropped"},
		{&net.OpError{Op: "proxyconnect", Err: dial(syscall.ECONNREFUSED)}, CauseProxy, "its proxy: the connection was refused"},
		{rejected(x509.HostnameError{Certificate: &x509.Certificate{}, Host: "x"}), CauseCertificate, "its certificate names no host"},
		{rejected(x509.UnknownAuthorityError{}), CauseAuthority, "its certificate is signed by an unknown authority"},
		{rejected(x509.CertificateInvalidError{Reason: x509.Expired}), CauseClock, "its certificate has expired or is not valid yet"},
		{rejected(x509.CertificateInvalidError{Reason: x509.NotAuthorizedToSign}), CauseCertificate, "its certificate was rejected: its issuer may not sign certificates"},
		{rejected(errors.New("odd")), CauseCertificate, "its certificate was rejected"},
		{tls.RecordHeaderError{Msg: "odd"}, CauseHandshake, "it does not speak TLS"},
		{http.ErrSchemeMismatch, CauseHandshake, "it does not speak TLS"},
		{&net.OpError{Op: "remote error", Err: tls.AlertError(40)}, CauseHandshake, "the TLS handshake failed"},
		{stalled, CauseTimeout, "less than 1 KiB arrived in 30s"},
		{errors.New(`malformed HTTP response "secret"`), CauseOther, "the connection failed or the answer was not valid HTTP"},
	} {
		failed := &TransportError{Err: scrub(tt.err)}
		if failed.Cause() != tt.cause || failed.Reason() != tt.want || strings.Contains(failed.Error(), "secret") {
			t.Errorf("%v: got %d, %q, %q, want %d, %q", tt.err, failed.Cause(), failed.Reason(), failed, tt.cause, tt.want)
		}
		if failed.Cause().String() == "" || failed.Cause().Hint() == "" {
			t.Errorf("%v: there is nothing to do about %d", tt.err, tt.cause)
		}
	}
}
