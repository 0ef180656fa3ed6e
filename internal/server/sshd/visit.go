package sshd

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pires/go-proxyproto"
	gossh "golang.org/x/crypto/ssh"
	"golang.org/x/time/rate"

	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
)

const (
	// closeDelay is how long a handler may take to restore the terminal after its context has
	// ended, and a client to close the connection after its session has ended.
	closeDelay = 3 * time.Second

	// maxLogged is how many cells of a text from outside are logged.
	maxLogged = 120

	// maxRefusals is how many requests of a client may be refused, beside one a second, before the
	// connection is ended.
	maxRefusals = 100

	// openTotal is how long a connection of a visitor without a key may last. It is enough to
	// type a password and wait for the answer.
	openTotal = 2 * time.Minute

	// readBuffer is how many bytes are read from the network at once before the key exchange.
	readBuffer = 256
	// idLength is how many random signs the id of a connection has.
	idLength = 10
)

// visit is one connection with its one session, from start to end.
type visit struct {
	Connection // as far as it is known
	server     *Server
	address    netip.Addr
	conn       *limitedConn
	started    time.Time
	ctx        context.Context // its cause is the [ending]
	cancel     context.CancelCauseFunc
	notices    chan string
	running    sync.WaitGroup // the handler and what it runs beside itself

	// These belong to the gate.
	source  *source // nil if the connection does not count towards the limits
	waiting bool    // it has no session yet, and is evicted if the server is full

	loginTimer *time.Timer // ends a visit without a session
	totalTimer *time.Timer // ends a visit at its longest duration
	idleTimer  *time.Timer // ends a visit without input

	refusals   *rate.Limiter   // of requests and channels
	unread     atomic.Int64    // bytes of input, see countUnread
	offered    gossh.PublicKey // the key that was offered last; may be a certificate
	hasSession atomic.Bool     // the client has asked for a shell or a command
	exit       *int            // nil without a session; set before its goroutines end

	// These belong to the goroutine that answers requests, until the session has started.
	keyOptions keyOptions
	channel    gossh.Channel // nil until the client has opened one
	resizes    chan Size     // holds the newest size that was not received yet
	command    string        // the command line; empty for a shell
}

func newVisit(s *Server, c net.Conn, address netip.Addr) *visit {
	v := &visit{
		Connection: Connection{
			ID:      rand.Text()[:idLength],
			Address: address.String(),
			Network: sourceOf(address),
		},
		server:   s,
		address:  address,
		started:  time.Now(),
		notices:  make(chan string, 1),
		refusals: rate.NewLimiter(1, maxRefusals),
	}
	v.Log, v.Notices, v.Go = s.options.Log.With("connection", v.ID), v.notices, v.runBeside
	v.ctx, v.cancel = context.WithCancelCause(context.Background())
	v.conn = &limitedConn{
		Conn:   c,
		reader: bufio.NewReaderSize(c, readBuffer),
		visit:  v,
		input:  rate.NewLimiter(inputPerSecond, inputBurst),
	}
	return v
}

// serve speaks SSH until the connection ends.
func (v *visit) serve() {
	limits := v.server.options.Limits
	v.loginTimer = v.after(limits.Authenticate, endBeforeSession)
	v.totalTimer = v.after(limits.Total, endTotal(limits.Total))
	v.idleTimer = v.after(limits.Idle, endIdle(limits.Idle))
	defer v.finish()
	defer v.recover("connection")
	if channels, requests, ok := v.authenticate(); ok {
		v.answer(channels, requests)
	}
}

// authenticate does the handshake, and ends the visit if that fails. The stack that it takes is
// large, and free again after it returns, which matters as the visitor may stay for hours.
func (v *visit) authenticate() (<-chan gossh.NewChannel, <-chan *gossh.Request, bool) {
	conn, channels, requests, err := gossh.NewServerConn(v.conn, v.serverConfig())
	if err != nil {
		v.handshakeFailed(err)
		return nil, nil, false
	}
	who := identityOf(conn.Permissions)
	v.User = userName(conn)
	v.Open, v.keyOptions = who.open, who.keyOptions
	v.Fingerprint, v.Certificate = who.fingerprint, who.certificate
	total := v.server.options.Limits.Total
	exceedsOpen := total == 0 || total > openTotal
	if v.Open && exceedsOpen {
		v.totalTimer.Stop()
		v.totalTimer = v.after(openTotal, endTotal(openTotal))
	}
	return channels, requests, true
}

// after returns a timer that ends the visit after the limit; zero is no limit.
func (v *visit) after(limit time.Duration, why *ending) *time.Timer {
	if limit <= 0 {
		limit = math.MaxInt64
	}
	return time.AfterFunc(limit, func() { v.end(why) })
}

// answer answers the channels and requests that the client asks for, until the connection ends.
// All of them are answered by one goroutine.
func (v *visit) answer(channels <-chan gossh.NewChannel, requests <-chan *gossh.Request) {
	var ofSession <-chan *gossh.Request
	for {
		select {
		case asked, open := <-channels:
			if !open {
				return
			}
			if accepted := v.openChannel(asked); accepted != nil {
				ofSession = accepted
			}
		case request, open := <-requests:
			if !open {
				requests = nil
			} else if request.WantReply { // they are about forwarding, which is not supported
				_ = request.Reply(false, nil)
			}
		case request, open := <-ofSession:
			if !open {
				ofSession = nil
				v.end(endGone)
				break
			}
			v.serveRequest(request)
		}
	}
}

// openChannel accepts the first channel for a session, and returns its requests. It refuses any
// other channel, and returns nil.
func (v *visit) openChannel(asked gossh.NewChannel) (requests <-chan *gossh.Request) {
	switch {
	case asked.ChannelType() != "session":
		v.refuseChannel(asked, gossh.Prohibited, "A connection has one session and no forwarding.")
		return nil
	case v.channel != nil:
		v.refuseChannel(asked, gossh.ResourceShortage, "A connection has one session.")
		return nil
	}
	var err error
	if v.channel, requests, err = asked.Accept(); err != nil {
		v.end(endGone)
	}
	return requests
}

// handshakeFailed ends a visit whose handshake or authentication failed.
func (v *visit) handshakeFailed(err error) {
	if v.ctx.Err() != nil {
		return
	}
	if _, refused := errors.AsType[*gossh.ServerAuthError](err); refused {
		v.end(endBeforeLogin)
		return
	}
	if errors.Is(err, proxyproto.ErrSuperfluousProxyHeader) {
		v.server.refuseHeader(v.address, err)
	}
	if v.conn.in.Load() == 0 {
		v.end(endGone)
		return
	}
	v.Log.Info("handshake failed", "error", safetext.Clip(err.Error(), maxLogged))
	v.end(&ending{reason: "handshake"})
}

// refuseChannel refuses a channel; the sentence is for the person.
func (v *visit) refuseChannel(
	asked gossh.NewChannel, reason gossh.RejectionReason, sentence string,
) {
	v.countRefusal("channel")
	_ = asked.Reject(reason, sentence)
}

// countRefusal counts a refused request or channel, by "request" or "channel". Too many of them
// end the visit.
func (v *visit) countRefusal(kind string) {
	v.server.metrics.count("gatehouse_ssh_refused_requests_total", "kind", kind)
	if !v.refusals.Allow() {
		v.end(endFlood)
	}
}

// end ends the visit. Only the reason of the first call counts. If it has a sentence and there is
// a session, the connection is closed [closeDelay] later, so that the handler can return and the
// visitor can be told.
func (v *visit) end(why *ending) {
	v.cancel(why)
	if v.hasSession.Load() && why.sentence != "" {
		v.conn.closeWithin(closeDelay)
	} else {
		_ = v.conn.Close()
	}
}

// why returns the reason for the end of the visit; nil while it lasts.
func (v *visit) why() *ending {
	why, _ := errors.AsType[*ending](context.Cause(v.ctx))
	return why
}

// finish waits for the visit's goroutines, stops its timers, and counts and logs its end.
func (v *visit) finish() {
	v.end(endGone)
	v.running.Wait()
	for _, timer := range []*time.Timer{v.loginTimer, v.totalTimer, v.idleTimer} {
		timer.Stop()
	}
	v.server.metrics.ended(v) // first, so that the metrics are right for those who read the log
	fields := []slog.Attr{
		slog.String("reason", v.why().reason),
		slog.String("address", v.Address), // a client that sent nothing has no line "connect"
		slog.Float64("seconds", time.Since(v.started).Round(time.Millisecond).Seconds()),
		slog.Int64("bytes_in", v.conn.in.Load()),
		slog.Int64("bytes_out", v.conn.out.Load()),
	}
	if v.exit != nil {
		fields = append(fields, slog.Int("exit", *v.exit))
	}
	why := v.why()
	isHealthCheck := v.conn.in.Load() == 0 && (why == endGone || why == endDrain)
	if !isHealthCheck {
		v.Log.LogAttrs(context.Background(), slog.LevelInfo, "end", fields...)
	}
}

// replace sends a value to a channel with a buffer of one, in place of a value that was not
// received yet. There must be no other sender.
func replace[T any](newest chan T, value T) {
	select {
	case <-newest:
	default:
	}
	newest <- value
}

// reasonPanic is the reason of a visit that ended with a panic.
const reasonPanic = "panic"

// recover logs a panic and ends this visit only.
func (v *visit) recover(where string) {
	if r := recover(); r != nil {
		v.server.logPanic(v.Log, where, r)
		v.end(&ending{reasonPanic, fmt.Sprintf("The program failed and the connection was closed. The operator finds the error in the log under %s.", v.ID)})
	}
}

// ending is why a connection ends or is refused. It is the cause of the handler's context.
type ending struct {
	reason   string // for the log and the metrics
	sentence string // for the visitor; empty if they ended it or cannot read it
}

// Error implements error, for the cause of a context.
func (e *ending) Error() string { return "the connection ends: " + e.reason }

var (
	endDone          = &ending{reason: "done"}
	endGone          = &ending{reason: "gone"}
	endBeforeLogin   = &ending{reason: "not authenticated"}
	endBeforeSession = &ending{reason: "no session in time"}
	endFlood         = &ending{reason: "flood of requests"}
	endInput         = &ending{reason: "flood of input"}
	endEvicted       = &ending{"room was needed", "The connection was closed: the server is full, and connections without a key are closed first. Try again later."}
	endDrain         = &ending{"drain", "The connection was closed: the server is shutting down. Connect again soon."}
)

func endIdle(d time.Duration) *ending {
	return &ending{"idle", fmt.Sprintf("The connection was closed: nothing was typed for %s.", human.InWords(d))}
}

func endTotal(d time.Duration) *ending {
	return &ending{"total time", fmt.Sprintf("The connection was closed: connections last at most %s.", human.InWords(d))}
}

func endStalled(d time.Duration) *ending {
	return &ending{"stalled", fmt.Sprintf("The connection was closed: no output was read for %s.", human.InWords(d))}
}
