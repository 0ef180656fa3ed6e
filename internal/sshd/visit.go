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

	"charm.land/ssh"
	"charm.land/wish/v2"
	gossh "golang.org/x/crypto/ssh"
	"golang.org/x/time/rate"

	"gatehouse/internal/safetext"
)

const (
	// partingTime is what a handler has to put the terminal back when its context
	// has ended, and a client to hang up when its session has.
	partingTime = 3 * time.Second

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
	stay    *stay
	conn    *conn
	began   time.Time
	ctx     context.Context
	cancel  context.CancelCauseFunc
	news    chan string

	mu      sync.Mutex
	over    bool           // nothing may begin any more
	running sync.WaitGroup // the session

	// start and total end the visit when their time comes, idle when nothing comes.
	start, total, idle *time.Timer
	parting            atomic.Pointer[time.Timer]
	silence            *time.Timer // of a client whose session is over; nil before

	refusals *rate.Limiter // of requests and channels
	auth     authentication
	occupied atomic.Bool // by the one session there may be
	exit     atomic.Int64
}

const noExit = -1

func newVisit(s *Server, c net.Conn, address netip.Addr, stay *stay) *visit {
	id := rand.Text()[:10]
	v := &visit{
		server:   s,
		id:       id,
		log:      s.options.Log.With("connection", id),
		address:  address,
		stay:     stay,
		began:    time.Now(),
		news:     make(chan string, 1),
		refusals: rate.NewLimiter(1, refusalsAtFirst),
	}
	v.exit.Store(noExit)
	v.ctx, v.cancel = context.WithCancelCause(context.Background())
	limits := s.options.Limits
	v.conn = newConn(c, limits.Stalled)
	v.start = v.after(limits.Authenticate, func() *ending {
		if v.auth.accepted.Load() {
			return endUnborn
		}
		return endNoAuth
	})
	v.total = v.after(limits.Total, func() *ending { return endTotal(limits.Total) })
	v.idle = v.after(limits.Idle, func() *ending { return endIdle(limits.Idle) })
	context.AfterFunc(stay.evicted, func() { v.end(endCrowded) })
	return v
}

// after ends the visit when the time has come; a limit of zero never does.
func (v *visit) after(limit time.Duration, why func() *ending) *time.Timer {
	if limit <= 0 {
		limit = 1<<63 - 1
	}
	return time.AfterFunc(limit, func() { v.end(why()) })
}

// serve speaks SSH until the connection has ended. The server of the library is
// made anew for each: it is a handful of settings, and what belongs to this
// visit needs no way through it then.
func (v *visit) serve() {
	defer v.finish()
	defer v.recover("connection")
	v.log.Info("connect", "address", v.address.String())
	library, err := wish.NewServer(v.settings)
	if err != nil {
		v.cancel(endGone)
		v.log.Error("connection not served", "error", err.Error())
		return
	}
	library.HandleConn(v.conn)
	v.end(endGone)
}

// settings are all of the library's that matter: what is not set is refused.
func (v *visit) settings(library *ssh.Server) error {
	library.HostSigners = []ssh.Signer{newSparingSigner(v.server.key)}
	library.ServerConfigCallback = v.serverConfig
	library.ConnectionFailedCallback = func(_ net.Conn, err error) { v.failed(err) }
	library.ChannelHandlers = map[string]ssh.ChannelHandler{
		"session": v.serveSession,
		"default": v.refuseChannel,
	}
	return nil
}

// failed ends a visit that got no further than authentication.
func (v *visit) failed(err error) {
	if context.Cause(v.ctx) != nil {
		return
	}
	if _, refused := errors.AsType[*gossh.ServerAuthError](err); refused {
		v.end(endNoAuth)
		return
	}
	v.log.Info("handshake failed", "error", safetext.Clip(err.Error(), maxLogged))
	v.end(&ending{word: "handshake"})
}

// refuseChannel refuses forwarding of any kind.
func (v *visit) refuseChannel(_ *ssh.Server, _ *gossh.ServerConn, channel gossh.NewChannel, _ ssh.Context) {
	defer v.recover("channel")
	v.refuse("channel")
	_ = channel.Reject(gossh.Prohibited, "There is one session here and no forwarding.")
}

// refuse counts a request or channel that is refused. A flood of them ends the
// visit: the library keeps a goroutine for each channel until its peer reads that it
// gets none.
func (v *visit) refuse(kind string) {
	v.server.metrics.requests.add(kind)
	if !v.refusals.Allow() {
		v.end(endFlood)
	}
}

// end ends the visit for the first reason that is given. The handler has the
// parting time to return in and the person to be told; then the connection is
// closed.
func (v *visit) end(why *ending) {
	v.cancel(why)
	if !v.occupied.Load() || why == endGone || why == endStalled || why == endFlood {
		_ = v.conn.Close()
		return
	}
	v.closeSoon()
}

func (v *visit) closeSoon() {
	timer := time.AfterFunc(partingTime, func() { _ = v.conn.Close() })
	if before := v.parting.Swap(timer); before != nil {
		before.Stop()
	}
}

// closeWhenSilent closes the connection of a session that is over when nothing has
// come for a while. A client on a slow line is still reading what was sent before,
// which closing at once would take from it.
func (v *visit) closeWhenSilent() {
	limit := cmp.Or(v.server.options.Limits.Stalled, DefaultLimits().Stalled)
	heard := v.conn.in.Load()
	v.silence = time.AfterFunc(1<<63-1, func() {
		now := v.conn.in.Load()
		if now == heard {
			_ = v.conn.Close()
			return
		}
		heard = now
		v.silence.Reset(limit)
	})
	v.silence.Reset(limit) // it knows itself now
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
	v.over = true
	v.mu.Unlock()
	v.running.Wait()
	for _, timer := range []*time.Timer{v.start, v.total, v.idle, v.silence, v.parting.Load()} {
		if timer != nil {
			timer.Stop()
		}
	}
	fields := []slog.Attr{
		slog.String("reason", v.why().word),
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

// occupy takes the place of the one session, which calls running.Done at its end.
func (v *visit) occupy() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.over || !v.occupied.CompareAndSwap(false, true) {
		return false
	}
	v.running.Add(1)
	return true
}

// tell gives the handler a sentence of the operator.
func (v *visit) tell(sentence string) { replace(v.news, sentence) }

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
	v.server.metrics.panics.Add(1)
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
