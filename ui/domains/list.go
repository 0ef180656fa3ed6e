package domains

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"gatehouse/api"
	"gatehouse/internal/hostname"
	"gatehouse/session"
	"gatehouse/styles"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

// narrowWidth is the width below which cells are put in fewer words.
const narrowWidth = 60

// list shows the domains to the grid, each with how its gateway does.
type list struct {
	domains   []string
	addresses []string // of their gateways; "" where there is none
	primary   string
	gateways  map[string]*gateway // by address
	glyphs    *styles.Glyphs
	narrow    bool
}

// Len implements [grid.Source].
func (l list) Len() int { return len(l.domains) }

// Columns implements [grid.Source]. On narrow screens the mark of the primary
// domain stands behind its name.
func (l list) Columns() []grid.Column {
	columns := []grid.Column{{Title: "Domain"}, {Title: ""}, {Title: "Shares", Numeric: true}, {Title: "Gateway"}}
	if l.narrow {
		return slices.Delete(columns, 1, 2)
	}
	return columns
}

// Cells implements [grid.Source].
func (l list) Cells(row int, dst []grid.Cell) []grid.Cell {
	known := l.gateways[l.addresses[row]]
	if known == nil {
		known = &gateway{}
	}
	name, rank := l.name(row), grid.Cell{State: grid.Empty}
	if primary := l.domains[row] == l.primary; primary && l.narrow {
		name += " " + l.glyphs.Primary
	} else if primary {
		rank = grid.Cell{Text: l.glyphs.Primary + " primary"}
	}
	dst = append(dst, grid.Cell{Text: name})
	if !l.narrow {
		dst = append(dst, rank)
	}
	return append(dst, l.shares(known), l.gateway(known))
}

// name is a domain as it is shown.
func (l list) name(row int) string {
	if l.narrow {
		return hostname.Short(l.domains[row])
	}
	return hostname.Readable(l.domains[row])
}

func (l list) shares(g *gateway) grid.Cell {
	if g.count == nil {
		return grid.Cell{State: grid.Missing}
	}
	text := screen.Number(g.count.records)
	if g.count.more {
		text += "+"
	}
	if g.stale && !l.narrow {
		text += " at " + g.countedAt.Local().Format(time.TimeOnly)
	}
	return grid.Cell{Text: text}
}

func (l list) gateway(g *gateway) grid.Cell {
	switch {
	case g.verdict == nil && g.asking:
		return grid.Cell{Text: l.glyphs.More + " asking"}
	case g.verdict == nil:
		return grid.Cell{State: grid.Missing}
	}
	text := g.verdict.text
	if l.narrow {
		text = cmp.Or(g.verdict.brief, text)
	}
	text = g.verdict.mark.glyph(l.glyphs) + " " + text
	if g.asking {
		text += " " + l.glyphs.More
	}
	return grid.Cell{Text: text}
}

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
