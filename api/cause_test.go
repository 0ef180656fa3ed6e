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
	"time"

	"gatehouse/internal/text/problem"
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
		{&net.DNSError{Err: "no such host", Name: "x", IsNotFound: true}, CauseName, "its name has no address"},
		{&net.DNSError{Err: "server misbehaving", Name: "x"}, CauseResolution, "the host name could not be resolved"},
		{&net.DNSError{Err: "i/o timeout", Name: "x", IsTimeout: true}, CauseResolution, "the host name could not be resolved"},
		{dial(syscall.ECONNREFUSED), CauseRefused, "the connection was refused"},
		{dial(wsaConnRefused), CauseRefused, "the connection was refused"},
		{dial(syscall.EHOSTUNREACH), CauseNoWay, "the host cannot be reached"},
		{dial(syscall.ECONNRESET), CauseDropped, "the connection was dropped"},
		{dial(syscall.EACCES), CauseNoWay, "the host cannot be reached"},
		{dial(syscall.EADDRNOTAVAIL), CauseNoWay, "the host cannot be reached"},
		{dial(wsaHostUnreach), CauseNoWay, "the host cannot be reached"},
		{dial(syscall.EBADF), CauseOther, "the connection failed or the answer was not valid HTTP"},
		{dial(wsaAccess), CauseNoWay, "the host cannot be reached"},
		{dial(wsaTimedOut), CauseTimeout, "no answer in time"},
		{&net.OpError{Op: "write", Err: syscall.EACCES}, CauseOther, "the connection failed or the answer was not valid HTTP"},
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
		{&net.OpError{Op: "remote error", Err: tls.AlertError(40)}, CauseHandshake, alerts[alertHandshakeFailure]},
		{&net.OpError{Op: "remote error", Err: tls.AlertError(70)}, CauseOldTLS, "it speaks only versions of TLS that are no longer safe; TLS 1.2 or newer is needed"},
		{&net.OpError{Op: "remote error", Err: tls.AlertError(116)}, CauseClientCertificate, "it asks for a certificate of the client"},
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

func TestEachCauseAndEachAlertHasWords(t *testing.T) {
	for cause := range causes {
		words := causes[cause]
		if words.name == "" || words.text == "" || words.hint == "" {
			t.Errorf("%d: %+v", cause, words)
		}
	}
	for number, text := range alerts {
		_, said := explain(&net.OpError{Op: "remote error", Err: tls.AlertError(number)})
		if text == "" || said != text {
			t.Errorf("the alert %d is %q, want %q", number, said, text)
		}
	}
	_, ours := explain(&net.OpError{Op: "local error", Err: tls.AlertError(alertHandshakeFailure)})
	_, odd := explain(&net.OpError{Op: "remote error", Err: errors.New("odd")})
	if general := causes[CauseHandshake].text; ours != general || odd != general {
		t.Errorf("an alert of this side is %q, another error %q, want %q", ours, odd, general)
	}
}

func TestWhatAProxyDroppedMayBeRepeated(t *testing.T) {
	for _, dropped := range []bool{false, true} {
		if got := isDropped(&networkError{cause: CauseProxy, dropped: dropped}); got != dropped {
			t.Errorf("dropped %v: %v", dropped, got)
		}
	}
}

// What a network in between says is not on the side of the service.
func TestHintsFitWhoAnswers(t *testing.T) {
	const portal, side = "This network asks for a sign-in", "on the service's side"
	late := &networkError{cause: CauseTimeout, text: causes[CauseTimeout].text}
	for _, tt := range []struct {
		err  problem.Explainer
		want string
	}{
		{&StatusError{Status: 511}, portal},
		{&StatusError{Status: 511, RetryAfter: time.Second, Credential: schemeBearer}, portal},
		{&TokenError{Status: 511, Code: "invalid_grant", Grant: grantPassword}, portal},
		{&StatusError{Status: 500}, side},
		{&TokenError{Status: 500, Code: "invalid_grant"}, side},
		{&RedirectError{To: "login.hotel.example"}, "sign-in page of this network"},
		{&TransportError{Err: late, Way: Way{Stage: StageName}}, "a firewall may drop connections, or a proxy may be needed"},
		{&TransportError{Err: late, Way: Way{Stage: StageConnection}}, "Check the network, or try again later."},
		{&TransportError{Err: &networkError{cause: CauseProxy}, Way: Way{Proxy: &Proxy{Status: 511}}}, portal},
		{&TransportError{Err: &net.DNSError{Err: "server misbehaving"}}, "name servers"},
	} {
		if hint := tt.err.Explain().Hint; !strings.Contains(hint, tt.want) || tt.want != side && strings.Contains(hint, side) {
			t.Errorf("%T %+v: the hint is %q, want one with %q", tt.err, tt.err, hint, tt.want)
		}
	}
}

func TestASilentAddressIsOneThatHadTheTimeToAnswer(t *testing.T) {
	for _, tt := range []struct {
		of   Dialled
		want bool
	}{
		{Dialled{Connected: true, Took: time.Second}, false},
		{Dialled{Err: CauseTimeout, Took: time.Second}, true},
		{Dialled{Err: CauseCancelled, Took: 320 * time.Millisecond}, true},
		{Dialled{Err: CauseCancelled, Took: 20 * time.Millisecond}, false}, // another address was as fast
		{Dialled{Err: CauseRefused, Took: time.Second}, false},
		{Dialled{Err: CauseNoWay, Took: time.Second}, false},
	} {
		if tt.of.Silent() != tt.want {
			t.Errorf("%+v: got %v", tt.of, !tt.want)
		}
	}
}
