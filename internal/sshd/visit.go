package sshd

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	gossh "golang.org/x/crypto/ssh"
	"golang.org/x/time/rate"

	"gatehouse/internal/safetext"
)

const (
	// closeDelay is what a handler has to put the terminal back when its context has
	// ended, and a client to hang up when its session has.
	closeDelay = 3 * time.Second

	maxLogged = 120 // cells of a text from outside in the log

	// A client that is refused more than this and then one a second is no honest one.
	refusalsAtFirst = 100
)

// visit is one connection, from the first byte to the last.
type visit struct {
	server  *Server
	id      string
	log     *slog.Logger
	address netip.Addr
	slot    *slot
	conn    *limitedConn
	began   time.Time
	ctx     context.Context
	cancel  context.CancelCauseFunc
	notices chan string

	mu      sync.Mutex
	ended   bool           // nothing may begin any more
	running sync.WaitGroup // the session, and the answers to requests of the connection

	// loginTimer and totalTimer end the visit when their time comes, idleTimer when
	// nothing is typed, silenceTimer when a client whose session is over says nothing.
	loginTimer, totalTimer, idleTimer, silenceTimer *time.Timer
	closeTimer                                      atomic.Pointer[time.Timer]

	refusals   *rate.Limiter // of requests and channels
	auth       authentication
	hasSession atomic.Bool // the one there may be
	exit       atomic.Int64
}

const noExit = -1

func newVisit(s *Server, c net.Conn, address netip.Addr, slot *slot) *visit {
	id := rand.Text()[:10]
	v := &visit{
		server:   s,
		id:       id,
		log:      s.options.Log.With("connection", id),
		address:  address,
		slot:     slot,
		began:    time.Now(),
		notices:  make(chan string, 1),
		refusals: rate.NewLimiter(1, refusalsAtFirst),
	}
	v.exit.Store(noExit)
	v.ctx, v.cancel = context.WithCancelCause(context.Background())
	limits := s.options.Limits
	v.conn = newLimitedConn(c, limits.Stalled)
	v.loginTimer = v.after(limits.Authenticate, func() *ending {
		if v.auth.accepted.Load() {
			return endBeforeSession
		}
		return endBeforeLogin
	})
	v.totalTimer = v.after(limits.Total, func() *ending { return endTotal(limits.Total) })
	v.idleTimer = v.after(limits.Idle, func() *ending { return endIdle(limits.Idle) })
	context.AfterFunc(slot.evicted, func() { v.end(endEvicted) })
	return v
}

// after ends the visit when the time has come; a limit of zero never does.
func (v *visit) after(limit time.Duration, why func() *ending) *time.Timer {
	if limit <= 0 {
		limit = 1<<63 - 1
	}
	return time.AfterFunc(limit, func() { v.end(why()) })
}

// serve speaks SSH until the connection has ended.
func (v *visit) serve() {
	defer v.finish()
	defer v.recover("connection")
	v.log.Info("connect", "address", v.address.String())
	conn, channels, requests, err := gossh.NewServerConn(v.conn, v.serverConfig())
	if err != nil {
		v.failed(err)
		return
	}
	// Requests of the connection itself would be about forwarding, which there is not.
	v.running.Go(func() { gossh.DiscardRequests(requests) })
	for asked := range channels {
		switch {
		case asked.ChannelType() != "session":
			v.refuseChannel(asked, gossh.Prohibited, "There is one session here and no forwarding.")
		case !v.startSession(func() { v.serveSession(conn, asked) }):
			v.refuseChannel(asked, gossh.ResourceShortage, "There is one session for each connection.")
		}
	}
	v.end(endGone)
}

// failed ends a visit that got no further than authentication.
func (v *visit) failed(err error) {
	if context.Cause(v.ctx) != nil {
		return
	}
	if _, refused := errors.AsType[*gossh.ServerAuthError](err); refused {
		v.end(endBeforeLogin)
		return
	}
	v.log.Info("handshake failed", "error", safetext.Clip(err.Error(), maxLogged))
	v.end(&ending{reason: "handshake"})
}

func (v *visit) refuseChannel(asked gossh.NewChannel, reason gossh.RejectionReason, sentence string) {
	v.countRefusal("channel")
	_ = asked.Reject(reason, sentence)
}

// countRefusal counts a request or a channel that is refused. A flood of them ends the
// visit.
func (v *visit) countRefusal(kind string) {
	v.server.metrics.refusedRequests.WithLabelValues(kind).Inc()
	if !v.refusals.Allow() {
		v.end(endFlood)
	}
}

// startSession runs the one session of the visit, and reports whether it may start.
func (v *visit) startSession(serve func()) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.ended || !v.hasSession.CompareAndSwap(false, true) {
		return false
	}
	v.running.Go(func() {
		defer v.recover("session")
		serve()
	})
	return true
}

// end ends the visit for the first reason that is given. The handler has closeDelay
// to return in and the person to be told; then the connection is closed.
func (v *visit) end(why *ending) {
	v.cancel(why)
	if !v.hasSession.Load() || why == endGone || why == endStalled || why == endFlood {
		_ = v.conn.Close()
		return
	}
	v.closeSoon()
}

func (v *visit) closeSoon() {
	timer := time.AfterFunc(closeDelay, func() { _ = v.conn.Close() })
	if before := v.closeTimer.Swap(timer); before != nil {
		before.Stop()
	}
}

// closeWhenSilent closes the connection of a session that is over when nothing has
// come for a while. A client on a slow line is still reading what was sent before,
// which closing at once would take from it.
func (v *visit) closeWhenSilent() {
	limit := cmp.Or(v.server.options.Limits.Stalled, DefaultLimits().Stalled)
	heard := v.conn.in.Load()
	v.silenceTimer = time.AfterFunc(1<<63-1, func() {
		now := v.conn.in.Load()
		if now == heard {
			_ = v.conn.Close()
			return
		}
		heard = now
		v.silenceTimer.Reset(limit)
	})
	v.silenceTimer.Reset(limit) // after the field is set, which the function reads
}

// why is the reason for which the visit ends.
func (v *visit) why() *ending {
	why, _ := errors.AsType[*ending](context.Cause(v.ctx))
	return why
}

// finish is called when the connection has been closed.
func (v *visit) finish() {
	v.cancel(endGone)
	_ = v.conn.Close()
	v.mu.Lock()
	v.ended = true
	v.mu.Unlock()
	v.running.Wait()
	for _, timer := range []*time.Timer{v.loginTimer, v.totalTimer, v.idleTimer, v.silenceTimer, v.closeTimer.Load()} {
		if timer != nil {
			timer.Stop()
		}
	}
	fields := []slog.Attr{
		slog.String("reason", v.why().reason),
		slog.Float64("seconds", time.Since(v.began).Round(time.Millisecond).Seconds()),
		slog.Int64("bytes_in", v.conn.in.Load()),
		slog.Int64("bytes_out", v.conn.out.Load()),
	}
	if code := v.exit.Load(); code != noExit {
		fields = append(fields, slog.Int64("exit", code))
	}
	v.log.LogAttrs(context.Background(), slog.LevelInfo, "end", fields...)
	v.server.metrics.ended(v)
}

// notify gives the handler a sentence of the operator.
func (v *visit) notify(sentence string) { replace(v.notices, sentence) }

// replace puts a value into a channel that has room for one, in the place of one that
// was not taken. Nobody else may send to it.
func replace[T any](newest chan T, value T) {
	select {
	case <-newest:
	default:
	}
	newest <- value
}

// recover ends a visit whose code panicked, and nobody else's. What happened goes
// to the log.
func (v *visit) recover(where string) {
	if r := recover(); r != nil {
		v.panicked(where, r)
		v.end(endPanic)
	}
}

func (v *visit) panicked(where string, r any) {
	v.server.metrics.panics.Inc()
	v.log.Error("panic", "in", where, "panic", describePanic(r), "stack", string(debug.Stack()))
}

// describePanic is the text of a panic of the runtime, and of any other one its
// type: its text may hold what a visitor typed.
func describePanic(r any) string {
	if err, ok := r.(runtime.Error); ok {
		return safetext.Clip(err.Error(), maxLogged)
	}
	return fmt.Sprintf("%T", r)
}

// ending is why a connection ends: a reason for the log and, where the person did
// not do it, a sentence for them. It is the cause of the handler's context.
type ending struct{ reason, sentence string }

// Error is for people who look at the cause of a context.
func (e *ending) Error() string { return "the connection ends: " + e.reason }

// The endings without a sentence: nobody is there to read it, or the client is hostile.
var (
	endDone          = &ending{reason: "done"}
	endGone          = &ending{reason: "gone"}
	endStalled       = &ending{reason: "stalled"}
	endBeforeLogin   = &ending{reason: "not authenticated"}
	endBeforeSession = &ending{reason: "no session in time"}
	endFlood         = &ending{reason: "flood of requests"}
	endEvicted       = &ending{reason: "room was needed"}
	endPanic         = &ending{reason: "panic"}
)

func endIdle(d time.Duration) *ending {
	return &ending{"idle", fmt.Sprintf("The connection was ended, for nothing was typed for %s.", spell(d))}
}

func endTotal(d time.Duration) *ending {
	return &ending{"total time", fmt.Sprintf("The connection was ended, for none may last longer than %s.", spell(d))}
}

func endDrain() *ending {
	return &ending{"drain", "The connection was ended, for the server is going down."}
}

// spell says a duration in words, such as "30 minutes".
func spell(d time.Duration) string {
	unit, name := time.Second, "second"
	switch {
	case d >= time.Hour && d%time.Hour == 0:
		unit, name = time.Hour, "hour"
	case d >= time.Minute && d%time.Minute == 0:
		unit, name = time.Minute, "minute"
	case d < time.Second:
		return d.String()
	}
	count := int64(d.Round(unit) / unit)
	if count != 1 {
		name += "s"
	}
	return fmt.Sprintf("%d %s", count, name)
}
