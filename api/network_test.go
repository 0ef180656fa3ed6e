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
	"net/http/httptest"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestCausesAreNamedInWords(t *testing.T) {
	dial := func(err error) error {
		return &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", err)}
	}
	rejected := func(err error) error { return &tls.CertificateVerificationError{Err: err} }
	for _, tt := range []struct {
		err  error
		want string
	}{
		{context.Canceled, "cancelled"},
		{context.DeadlineExceeded, "no answer in time"},
		{dial(syscall.ETIMEDOUT), "no answer in time"},
		{&net.DNSError{Err: "no such host", Name: "x", IsNotFound: true}, "there is no host with this name"},
		{&net.DNSError{Err: "server misbehaving", Name: "x"}, "the host name could not be resolved"},
		{&net.DNSError{Err: "i/o timeout", Name: "x", IsTimeout: true}, "no answer in time"},
		{dial(syscall.ECONNREFUSED), "the connection was refused"},
		{dial(wsaConnRefused), "the connection was refused"},
		{dial(syscall.EHOSTUNREACH), "the host cannot be reached"},
		{dial(syscall.ECONNRESET), "the connection was dropped"},
		{dial(wsaConnReset), "the connection was dropped"},
		{fmt.Errorf("net/http: %w", io.EOF), "the connection was dropped"},
		{rejected(x509.HostnameError{Certificate: &x509.Certificate{}, Host: "x"}), "its certificate is for another host"},
		{rejected(x509.UnknownAuthorityError{}), "its certificate is signed by an unknown authority"},
		{rejected(x509.CertificateInvalidError{Reason: x509.Expired}), "its certificate has expired or is not valid yet"},
		{rejected(x509.CertificateInvalidError{Reason: x509.NotAuthorizedToSign}), "its certificate was rejected"},
		{rejected(errors.New("odd")), "its certificate was rejected"},
		{tls.RecordHeaderError{Msg: "odd"}, "it does not speak TLS"},
		{&net.OpError{Op: "remote error", Err: tls.AlertError(40)}, "the TLS handshake failed"},
		{&stallError{time.Minute, 0}, "no data arrived for 1m0s"},
		{&stallError{time.Minute, 17}, "only 17 bytes arrived in 1m0s"},
		{&answerError{time.Minute}, "no answer began within 1m0s"},
		{errors.New(`malformed HTTP response "secret"`), ""},
	} {
		if got := describe(tt.err); got != tt.want {
			t.Errorf("%v: got %q, want %q", tt.err, got, tt.want)
		}
		if scrubbed := scrub(tt.err); describe(scrubbed) != scrubbed.Error() || strings.Contains(scrubbed.Error(), "secret") {
			t.Errorf("%v: scrubbed to %q, described as %q", tt.err, scrubbed, describe(scrubbed))
		}
	}
}

func TestTheTransportSpeaksHTTP2(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer(200, "application/json", fmt.Sprintf(`{"proto":%q}`, r.Proto))(w, r)
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	base := newBase()
	base.TLSClientConfig.RootCAs = server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	t.Cleanup(base.CloseIdleConnections)
	client := NewHTTPClient(NewTransport(Options{Base: base}))

	gateway := &Gateway{HTTP: client, BaseURL: server.URL}
	if body, err := open(t, gateway).ReadAll(); err != nil || string(body) != `{"proto":"HTTP/2.0"}` {
		t.Fatalf("got %s, %v", body, err)
	}
	global := &Global{HTTP: client, URL: server.URL}
	result, err := global.DeviceLogin(t.Context(), loginOf("ann@harbor.example"))
	if err != nil || string(result.Raw) != `{"proto":"HTTP/2.0"}` {
		t.Fatalf("a device login over HTTP/2: %v, %v", result, err)
	}
}

func TestCausesAreSorted(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want Cause
	}{
		{&net.DNSError{Err: "no such host", IsNotFound: true}, CauseName},
		{&net.DNSError{Err: "server misbehaving"}, CauseResolution},
		{&net.DNSError{Err: "i/o timeout", IsTimeout: true}, CauseTimeout},
		{os.NewSyscallError("connect", syscall.ECONNREFUSED), CauseRefused},
		{x509.UnknownAuthorityError{}, CauseTLS},
		{http.ErrSchemeMismatch, CauseTLS},
		{context.DeadlineExceeded, CauseTimeout},
		{io.ErrUnexpectedEOF, CauseDropped},
		{os.NewSyscallError("read", syscall.ECONNRESET), CauseDropped},
		{os.NewSyscallError("connect", syscall.EHOSTUNREACH), CauseNoWay},
		{errors.New("malformed HTTP response"), CauseOther},
	} {
		if got := (&TransportError{Err: scrub(tt.err)}).Cause(); got != tt.want {
			t.Errorf("%v: got %d, want %d", tt.err, got, tt.want)
		}
	}
}
