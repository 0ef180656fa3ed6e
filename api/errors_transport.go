package api

import (
	"cmp"
	"errors"
	"net/http"

	"gatehouse/internal/text/problem"
)

// TransportError means that a request got no answer: no connection, a timeout, a cancelled context,
// an answer that stopped.
type TransportError struct {
	Op, Host string
	Err      error // the cause, without the request's URL
	// Unsent means that nothing of the credential of a token request or a device login has left
	// this program. It is false for other requests.
	Unsent bool
	// Way is how far the request came. If another request failed that this one needed, such as a
	// renewal, it is how far that one came.
	Way Way
}

// MayHaveActed reports whether the service may have carried out a token request or a device login
// that failed with err. It has not if nothing was sent, or if it refused. It may have if something
// in front of it answered in its place.
func MayHaveActed(err error) bool {
	var (
		transport *TransportError
		status    *StatusError
		refusal   *TokenError
		request   *RequestError
		redirect  *RedirectError
		kept      *GateError
	)
	switch {
	case errors.As(err, &transport):
		return !transport.Unsent
	case errors.As(err, &status):
		return status.Status >= 500
	case errors.As(err, &refusal):
		return isWithoutAnswer(refusal.Status)
	}
	return !errors.As(err, &request) && !errors.As(err, &redirect) && !errors.As(err, &kept)
}

// isWithoutAnswer reports whether a status says that a gateway got no answer from the service.
func isWithoutAnswer(status int) bool {
	return status == http.StatusBadGateway || status == http.StatusGatewayTimeout
}

func (e *TransportError) Error() string { return e.Op + ": " + e.Answer() }

// Answer says what came instead of an answer without what was tried: "auth.example.com: the
// connection was refused".
func (e *TransportError) Answer() string {
	if isNoToken(e.Err) {
		return e.Err.Error() // the token source, such as a session, says everything
	}
	return e.Host + e.Way.through() + ": " + e.Reason() + e.Way.proxySays()
}

// Cause classifies the error.
func (e *TransportError) Cause() Cause {
	cause, _ := explain(e.Err)
	return cause
}

// Reason says why there was no answer, without the operation and the host.
func (e *TransportError) Reason() string {
	_, text := explain(e.Err)
	return text
}

// Brief is the reason without what it reveals about other hosts, the names in a refused certificate
// and the words of a proxy, for readers who must not learn about them.
func (e *TransportError) Brief() string {
	switch {
	case e.Way.Certificate != nil:
		return e.Way.Certificate.brief()
	case e.Cause() == CauseProxy:
		return causes[CauseProxy].text
	}
	return e.Reason()
}

// Unwrap returns the cause, which may wrap the error of the context.
func (e *TransportError) Unwrap() error { return e.Err }

func (e *TransportError) Explain() problem.Explanation {
	if isNoToken(e.Err) {
		return problem.Explain(e.Err)
	}
	return helped(could(e, e.hint()), e.help())
}

// help is what helps, beside the hint.
func (e *TransportError) help() problem.Help {
	switch cause, fault := e.Cause(), e.Way.Certificate; {
	case cause == CausePrivate:
		return problem.HelpPrivateHosts
	case cause == CauseAuthority, fault != nil && fault.cause() == CauseAuthority:
		return problem.HelpTrustCA
	}
	return problem.HelpNone
}

// hint says what to do, by the way of the request if that says more than the cause.
func (e *TransportError) hint() string {
	switch cause := e.Cause(); {
	case e.Way.Certificate != nil:
		return e.Way.Certificate.Hint()
	case cause == CauseProxy && e.Way.Proxy != nil:
		proxy := e.Way.Proxy
		return cmp.Or(proxySignInHints[proxy.SignIn], proxyHints[proxy.Status], cause.Hint())
	case cause == CauseTimeout && e.Way.Stage == StageName:
		return "Nothing reached the service. Check the network: a firewall may drop connections," +
			" or a proxy may be needed (HTTPS_PROXY)."
	default:
		return cause.Hint()
	}
}

// proxySignInHints say what to do about a proxy that wants a user name and a password.
var proxySignInHints = map[ProxySignIn]string{
	ProxySignInMissing: "Nothing reached the service. The proxy asks for a user name and a password:" +
		" put them into HTTPS_PROXY, or ask the administrator of the proxy.",
	ProxySignInRejected: "Nothing reached the service. The proxy does not accept the user name and" +
		" the password that HTTPS_PROXY has for it:" +
		" correct them, or ask the administrator of the proxy.",
}

// proxyHints say what to do about a proxy that answered with a status.
var proxyHints = map[int]string{
	http.StatusBadGateway:                    hintProxyWay,
	http.StatusServiceUnavailable:            hintProxyWay,
	http.StatusGatewayTimeout:                hintProxyWay,
	http.StatusNetworkAuthenticationRequired: hintPortal,
}
