package domains

import (
	"cmp"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/api"
	"gatehouse/internal/check"
	"gatehouse/internal/hostname"
	"gatehouse/internal/human"
	"gatehouse/internal/safetext"
	"gatehouse/session"
	"gatehouse/styles"
	"gatehouse/ui/grid"
)

// narrowWidth is the width below which cells are put in fewer words.
const narrowWidth = 60

// list is the source of the grid: the domains, each with how its gateway does.
type list struct{ *Model }

func (l list) Len() int { return len(l.domains) }

func (l list) Columns() []grid.Column {
	columns := []grid.Column{{Title: "Domain"}, {Title: "Shares", Numeric: true}, {Title: "Size", Numeric: true}, {Title: "Gateway"}}
	if l.brief {
		return slices.Delete(columns, 2, 3)
	}
	return columns
}

func (l list) Cells(row int, dst []grid.Cell) []grid.Cell {
	known := l.gateways[l.addresses[row]]
	if known == nil {
		known = &gateway{}
	}
	dst = append(dst, l.name(row), l.shares(known))
	if !l.brief {
		dst = append(dst, l.size(known))
	}
	return append(dst, l.gateway(known))
}

// name is a domain as it is shown, with the mark of the primary one behind it.
func (l list) name(row int) grid.Cell {
	name := grid.Cell{Text: hostname.Readable(l.domains[row])}
	if l.brief {
		name.Text = hostname.Short(l.domains[row])
	}
	if l.domains[row] == l.primary {
		name.Text += " " + l.env.Theme.Glyphs.Primary
		if !l.brief {
			name.Unit = "primary"
		}
	}
	return name
}

func (l list) shares(g *gateway) grid.Cell {
	if g.shares == nil {
		return grid.Cell{State: grid.Missing}
	}
	return grid.Cell{Text: g.shares.String(), Tone: grid.Number}
}

func (l list) size(g *gateway) grid.Cell {
	if g.shares == nil || g.shares.Size == "" {
		return grid.Cell{State: grid.Missing}
	}
	number, unit, _ := strings.Cut(g.shares.SizeText(), " ")
	return grid.Cell{Text: number, Unit: safetext.Pad(unit, len("MB")), Tone: grid.Number}
}

func (l list) gateway(g *gateway) grid.Cell {
	switch {
	case g.verdict == nil && g.asking:
		return grid.Cell{Text: l.env.Theme.Glyphs.More + " asking", Tone: grid.Muted}
	case g.verdict == nil:
		return grid.Cell{State: grid.Missing}
	}
	text := g.verdict.text
	if l.brief {
		text = cmp.Or(g.verdict.brief, text)
	}
	if g.asking {
		text += " " + l.env.Theme.Glyphs.More
	}
	sign, tone, _ := g.verdict.mark.drawn(l.env.Theme)
	if g.verdict.mark == good {
		return grid.Cell{Text: sign, Unit: text, Tone: tone}
	}
	return grid.Cell{Text: sign + " " + text, Tone: tone}
}

// mark is the sign beside the words on a gateway.
type mark uint8

const (
	good mark = iota
	slow
	warning
	bad
)

// reachable reports that the gateway answers as it should.
func (k mark) reachable() bool { return k <= slow }

// drawn is the sign of a mark, its tone in a list and its style elsewhere.
func (k mark) drawn(t *styles.Theme) (sign string, tone grid.Tone, style styles.Style) {
	switch k {
	case good:
		return t.Glyphs.Dot, grid.Good, t.Good
	case slow, warning:
		return t.Glyphs.Warning, grid.Warn, t.Warn
	}
	return t.Glyphs.Bad, grid.Bad, t.Bad
}

// verdict is how a gateway does, in a word or two for a cell.
type verdict struct {
	mark mark
	text string
	// brief stands for text on narrow screens; "" where text is brief enough.
	brief string
}

// state says whether the gateway can be reached, and how long its last answer took if that
// was too long.
func (g *gateway) state() string {
	switch v := g.verdict; v.mark {
	case good:
		return "reachable"
	case slow:
		return "works, slowly: " + took(g.last())
	default:
		return v.text
	}
}

// last is how long the newest answer took. There is one.
func (g *gateway) last() time.Duration { return g.answers[len(g.answers)-1] }

// judge says how a gateway does by what came of a glance.
func judge(latency time.Duration, err error) verdict {
	switch {
	case err == nil && latency > check.Slow:
		return verdict{slow, "slow " + took(latency), took(latency)}
	case err == nil:
		return verdict{good, took(latency), ""}
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

// took is how long an answer took. None takes no time at all: <1 ms.
func took(latency time.Duration) string {
	if latency < time.Millisecond {
		return "<1 ms"
	}
	return human.Took(latency)
}

// ofStatus judges a gateway that answers, but not with shares.
func ofStatus(status int) verdict {
	code := strconv.Itoa(status)
	switch {
	case status == http.StatusUnauthorized:
		return verdict{warning, "needs sign-in", "sign in"}
	case status == http.StatusForbidden:
		return verdict{bad, "no access", code}
	case status == http.StatusNotFound:
		return verdict{bad, "not found (404)", code}
	case status == http.StatusTooManyRequests:
		return verdict{warning, "busy (429)", code}
	case status >= 500:
		return verdict{bad, "failing (" + code + ")", code}
	}
	return verdict{bad, "answers " + code, code}
}

func ofCause(cause api.Cause) verdict {
	switch {
	case cause == api.CauseName:
		return verdict{bad, "not found", ""}
	case cause == api.CauseRefused:
		return verdict{bad, "refused", ""}
	case cause == api.CauseProxy:
		return verdict{bad, "proxy failed", "proxy"}
	case cause.IsTLS():
		return verdict{bad, "TLS failed", ""}
	}
	return verdict{bad, "no answer", ""}
}
