package sshd

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
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
	// closeDelay is the time for a handler to restore the terminal after its context has
	// ended, and for a client to close the connection after its session has.
	closeDelay = 3 * time.Second

	maxLogged = 120 // cells of a text from outside in the log

	// A client with more refused requests than this, then one a second, is hostile.
	maxRefusals = 100

	// openTotal is how long a connection of somebody without a key may last: the time to
	// type a password and wait for an answer.
	openTotal = 2 * time.Minute
)

// visit is one connection with its one session, from start to end.
type visit struct {
	Connection // what is known so far
	server     *Server
	address    netip.Addr
	conn       *limitedConn
	began      time.Time
	ctx        context.Context
	cancel     context.CancelCauseFunc
	notices    chan string
	running    sync.WaitGroup // the session

	// These belong to the gate.
	source  *source // nil if it takes no room
	waiting bool    // it has no session yet, and makes room for others

	// loginTimer and totalTimer end the visit at a limit, idleTimer if nothing is typed.
	loginTimer, totalTimer, idleTimer *time.Timer

	refusals   *rate.Limiter   // of requests and channels
	unread     atomic.Int64    // bytes of input, see count
	offered    gossh.PublicKey // the key offered last, which may be a certificate
	hasSession atomic.Bool     // the handler has been asked for
	exit       *int            // nil without a session; set before its goroutines end

	// Of the session: the goroutine that answers requests writes these until it is started.
	may     keyOptions
	channel gossh.Channel // nil before
	resizes chan Size     // holds the newest one not yet received
	command string        // empty for a shell
}

func newVisit(s *Server, c net.Conn, address netip.Addr) *visit {
	v := &visit{
		Connection: Connection{ID: rand.Text()[:10], Address: address.String(), Network: sourceOf(address)},
		server:     s,
		address:    address,
		began:      time.Now(),
		notices:    make(chan string, 1),
		refusals:   rate.NewLimiter(1, maxRefusals),
	}
	v.Log, v.Notices, v.Go = s.options.Log.With("connection", v.ID), v.notices, v.beside
	v.ctx, v.cancel = context.WithCancelCause(context.Background())
	v.conn = &limitedConn{Conn: c, reader: bufio.NewReaderSize(c, 256), visit: v, input: rate.NewLimiter(inputPerSecond, inputBurst)}
	return v
}

// serve speaks SSH until the connection ends.
func (v *visit) serve() {
	limits := v.server.options.Limits
	v.loginTimer = v.after(limits.Authenticate, endBeforeSession)
	v.totalTimer = v.after(limits.Total, endTotal(limits.Total))
	v.idleTimer = v.after(limits.Idle, &ending{"idle", fmt.Sprintf("The connection was closed: nothing was typed for %s.", human.InWords(limits.Idle))})
	defer v.finish()
	defer v.recover("connection")
	if channels, requests, ok := v.authenticate(); ok {
		v.answer(channels, requests)
	}
}

// authenticate does the handshake. It is a function of its own for its large stack, which is
// given back while the visitor stays.
func (v *visit) authenticate() (<-chan gossh.NewChannel, <-chan *gossh.Request, bool) {
	conn, channels, requests, err := gossh.NewServerConn(v.conn, v.serverConfig())
	if err != nil {
		v.failed(err)
		return nil, nil, false
	}
	who := identityOf(conn.Permissions)
	v.User = userName(conn)
	v.Open, v.may = who.open, who.keyOptions
	v.Fingerprint, v.Certificate = who.fingerprint, who.certificate
	if total := v.server.options.Limits.Total; v.Open && (total == 0 || total > openTotal) {
		v.totalTimer.Stop()
		v.totalTimer = v.after(openTotal, endTotal(openTotal))
	}
	return channels, requests, true
}

// after ends the visit after the limit; zero is no limit.
func (v *visit) after(limit time.Duration, why *ending) *time.Timer {
	if limit <= 0 {
		limit = 1<<63 - 1
	}
	return time.AfterFunc(limit, func() { v.end(why) })
}

// answer answers everything that the client asks for until the connection ends: one
// goroutine does for a visitor.
func (v *visit) answer(channels <-chan gossh.NewChannel, requests <-chan *gossh.Request) {
	var ofSession <-chan *gossh.Request
	for {
		select {
		case asked, open := <-channels:
			switch {
			case !open:
				return
			case asked.ChannelType() != "session":
				v.refuseChannel(asked, gossh.Prohibited, "A connection has one session and no forwarding.")
			case v.channel != nil:
				v.refuseChannel(asked, gossh.ResourceShortage, "A connection has one session.")
			default:
				var err error
				if v.channel, ofSession, err = asked.Accept(); err != nil {
					v.end(endGone)
				}
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

// failed ends a visit whose handshake or authentication failed.
func (v *visit) failed(err error) {
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

func (v *visit) refuseChannel(asked gossh.NewChannel, reason gossh.RejectionReason, sentence string) {
	v.countRefusal("channel")
	_ = asked.Reject(reason, sentence)
}

// countRefusal counts a refused request or channel. A flood of them ends the visit.
func (v *visit) countRefusal(kind string) {
	v.server.metrics.count("gatehouse_ssh_refused_requests_total", "kind", kind)
	if !v.refusals.Allow() {
		v.end(endFlood)
	}
}

// end ends the visit; only the first reason counts. If there is a sentence, the handler has
// closeDelay to return and the person to be told; then the connection is closed.
func (v *visit) end(why *ending) {
	v.cancel(why)
	if v.hasSession.Load() && why.sentence != "" {
		v.conn.closeWithin(closeDelay)
	} else {
		_ = v.conn.Close()
	}
}

// why is the reason for the end of the visit; nil before.
func (v *visit) why() *ending {
	why, _ := errors.AsType[*ending](context.Cause(v.ctx))
	return why
}

// finish waits for the visit's goroutines, stops its timers and logs the end.
func (v *visit) finish() {
	v.end(endGone)
	v.running.Wait()
	for _, timer := range []*time.Timer{v.loginTimer, v.totalTimer, v.idleTimer} {
		timer.Stop()
	}
	v.server.metrics.ended(v) // before the log says so
	fields := []slog.Attr{
		slog.String("reason", v.why().reason),
		slog.String("address", v.Address), // a silent client has no line "connect"
		slog.Float64("seconds", time.Since(v.began).Round(time.Millisecond).Seconds()),
		slog.Int64("bytes_in", v.conn.in.Load()),
		slog.Int64("bytes_out", v.conn.out.Load()),
	}
	if v.exit != nil {
		fields = append(fields, slog.Int("exit", *v.exit))
	}
	if why := v.why(); v.conn.in.Load() > 0 || why != endGone && why != endDrain { // else it was a health check
		v.Log.LogAttrs(context.Background(), slog.LevelInfo, "end", fields...)
	}
}

// replace sends a value to a channel with a buffer of one, replacing a value that has not
// been received. There must be no other sender.
func replace[T any](newest chan T, value T) {
	select {
	case <-newest:
	default:
	}
	newest <- value
}

// panicked is the reason of a visit that ended with a panic.
const panicked = "panic"

// recover logs a panic and ends this visit only.
func (v *visit) recover(where string) {
	if r := recover(); r != nil {
		v.server.panicked(v.Log, where, r)
		v.end(&ending{panicked, fmt.Sprintf("The program failed and the connection was closed. The operator finds the error in the log under %s.", v.ID)})
	}
}

// ending is why a connection ends, or is refused: a reason for the log and a sentence for the
// person, if they are there to read it and did not end it. It is the cause of the handler's
// context.
type ending struct{ reason, sentence string }

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

func endTotal(d time.Duration) *ending {
	return &ending{"total time", fmt.Sprintf("The connection was closed: connections last at most %s.", human.InWords(d))}
}

func endStalled(d time.Duration) *ending {
	return &ending{"stalled", fmt.Sprintf("The connection was closed: no output was read for %s.", human.InWords(d))}
}
