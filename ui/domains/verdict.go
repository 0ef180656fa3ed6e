package domains

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"gatehouse/api"
	"gatehouse/internal/desk/check"
	"gatehouse/internal/text/human"
	"gatehouse/session"
	"gatehouse/styles"
	"gatehouse/ui/grid"
)

// mark says how good or bad the state of a gateway is.
type mark uint8

const (
	good    mark = iota
	slow         // it has answered with shares, but late
	warning      // nothing is wrong with the gateway, but it gave no shares
	bad
	denied // drawn as bad; the gateway works, but the person has no access
)

// hasAnswered reports whether the gateway has answered with shares.
func (k mark) hasAnswered() bool { return k == good || k == slow }

// drawn returns the sign of a mark, its tone in the grid and its style elsewhere.
func (k mark) drawn(t *styles.Theme) (sign string, tone grid.Tone, style styles.Style) {
	switch k {
	case good:
		return t.Glyphs.Dot, grid.Good, t.Good
	case slow, warning:
		return t.Glyphs.Warning, grid.Warn, t.Warn
	}
	return t.Glyphs.Bad, grid.Bad, t.Bad
}

// verdict is the state of a gateway.
type verdict struct {
	mark mark
	text string // a few words, for a cell
	// brief is the text for narrow screens; "" if text is short enough.
	brief string
}

// state says that the gateway can be reached, or what is wrong with it.
func (g *gateway) state() string {
	if g.verdict.mark == good {
		return "reachable"
	}
	return g.verdict.text
}

// spoken is the state with its subject, where no label names the gateway.
func (g *gateway) spoken() string {
	if g.verdict.mark == denied { // "no access" is not about the gateway
		return g.state()
	}
	return "gateway " + g.state()
}

// judge makes the verdict on a gateway from the result of [Service.Glance].
func judge(latency time.Duration, err error) verdict {
	_, delayed := errors.AsType[*session.DelayedError](err)
	switch {
	case delayed: // the token could not be renewed, so the gateway was not asked
		return verdict{warning, "not asked, renewal delayed", "not asked"}
	case err == nil && latency > check.Slow:
		return verdict{slow, "slow " + human.Took(latency), human.Took(latency)}
	case err == nil:
		return verdict{good, human.Took(latency), ""}
	}
	if refused, ok := errors.AsType[*api.StatusError](err); ok {
		return ofStatus(refused.Status)
	}
	if failed, ok := errors.AsType[*api.TransportError](err); ok {
		return ofCause(failed.Cause())
	}
	_, ended := errors.AsType[*session.EndedError](err)
	_, redirect := errors.AsType[*api.RedirectError](err)
	_, body := errors.AsType[*api.BodyError](err)
	switch {
	case ended, errors.Is(err, session.ErrSignedOut):
		return verdict{warning, "needs sign-in", "sign in"}
	case redirect:
		return verdict{bad, "redirects elsewhere", "redirects"}
	case body:
		return verdict{bad, "unreadable answer", "unreadable"}
	}
	return verdict{bad, "not asked", ""}
}

// ofStatus is the verdict on a gateway that refuses a request with a status.
func ofStatus(status int) verdict {
	code := strconv.Itoa(status)
	switch {
	case status == http.StatusUnauthorized:
		return verdict{warning, "needs sign-in", "sign in"}
	case status == http.StatusForbidden:
		return verdict{denied, "no access", code}
	case status == http.StatusNotFound:
		return verdict{bad, "not found (404)", code}
	case status == http.StatusTooManyRequests:
		return verdict{warning, "busy (429)", code}
	case status >= 500:
		return verdict{bad, "failing (" + code + ")", code}
	}
	return verdict{bad, "answers " + code, code}
}

// ofCause is the verdict on a gateway that could not be reached.
func ofCause(cause api.Cause) verdict {
	switch {
	case cause.IsOfName():
		return verdict{bad, "not found", ""}
	case cause == api.CauseRefused:
		return verdict{bad, "connection refused", "refused"}
	case cause == api.CauseProxy:
		return verdict{bad, "proxy failed", "proxy"}
	case cause.IsTLS():
		return verdict{bad, "TLS failed", ""}
	}
	return verdict{bad, "no answer", ""}
}
