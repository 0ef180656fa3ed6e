package domains

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"gatehouse/api"
	"gatehouse/session"
	"gatehouse/styles"
)

// mark is the sign beside the words on a gateway.
type mark uint8

const (
	good mark = iota
	warning
	bad
)

func (k mark) glyph(g *styles.Glyphs) string {
	switch k {
	case good:
		return g.Good
	case warning:
		return g.Warning
	}
	return g.Bad
}

// verdict is how a gateway does, in a word or two for a cell.
type verdict struct {
	mark mark
	text string
	// brief stands for text on narrow screens; "" where text is brief enough.
	brief string
}

// judge says how a gateway does by what came of a glance.
func judge(latency time.Duration, err error) verdict {
	if err == nil {
		took := fmt.Sprintf("%d ms", latency.Milliseconds())
		return verdict{good, "reachable " + took, took}
	}
	if refused, ok := errors.AsType[*api.StatusError](err); ok {
		return ofStatus(refused.Status)
	}
	if failed, ok := errors.AsType[*api.TransportError](err); ok {
		return ofCause(failed.Cause())
	}
	_, ended := errors.AsType[*session.EndedError](err)
	_, delayed := errors.AsType[*session.DelayedError](err)
	_, redirect := errors.AsType[*api.RedirectError](err)
	_, body := errors.AsType[*api.BodyError](err)
	switch {
	case ended, delayed, errors.Is(err, session.ErrSignedOut):
		return verdict{warning, "needs sign-in", "sign in"}
	case redirect:
		return verdict{bad, "redirects elsewhere", "redirects"}
	case body:
		return verdict{bad, "unreadable answer", "unreadable"}
	}
	return verdict{bad, "not asked", ""}
}

// ofStatus judges a gateway that answers, but not with shares.
func ofStatus(status int) verdict {
	code := strconv.Itoa(status)
	switch {
	case status == http.StatusUnauthorized:
		return verdict{warning, "needs sign-in", "sign in"}
	case status == http.StatusForbidden:
		return verdict{bad, "no access (403)", code}
	case status == http.StatusNotFound:
		return verdict{bad, "not found (404)", code}
	case status == http.StatusTooManyRequests:
		return verdict{warning, "busy (429)", code}
	case status >= 500:
		return verdict{bad, "in trouble (" + code + ")", code}
	}
	return verdict{bad, "answers " + code, code}
}

func ofCause(cause api.Cause) verdict {
	switch cause {
	case api.CauseName:
		return verdict{bad, "not found", ""}
	case api.CauseRefused:
		return verdict{bad, "refused", ""}
	case api.CauseProxy:
		return verdict{bad, "proxy failed", "proxy"}
	case api.CauseTLS:
		return verdict{bad, "TLS failed", ""}
	}
	return verdict{bad, "no answer", ""}
}
