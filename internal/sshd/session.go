package sshd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/kballard/go-shellquote"
	gossh "golang.org/x/crypto/ssh"
)

// The exit codes of a session for which no handler ran.
const (
	exitFailed = 1
	exitUsage  = 2
)

// session is the one channel of a visit: what the client has requested, and the handler
// once it is started.
type session struct {
	visit   *visit
	conn    *gossh.ServerConn
	channel gossh.Channel
	env     environment
	size    *Size     // of the terminal; nil if none was requested
	resizes chan Size // holds the newest one not yet received
	started bool
}

// openSession opens the session, and returns its requests; nil if the client is gone.
func (v *visit) openSession(conn *gossh.ServerConn, asked gossh.NewChannel) (*session, <-chan *gossh.Request) {
	channel, requests, err := asked.Accept()
	if err != nil {
		return nil, nil
	}
	return &session{visit: v, conn: conn, channel: channel, env: environment{}, resizes: make(chan Size, 1)}, requests
}

func (s *session) serve(request *gossh.Request) {
	defer s.visit.recover("session")
	start, accepted := s.answer(request)
	if !accepted {
		s.visit.countRefusal("request")
	}
	if request.WantReply {
		_ = request.Reply(accepted, nil)
	}
	if start != nil {
		s.start(start)
	}
}

// answer decides on a request. For one that starts the session it returns the command
// line, which is empty for a shell.
func (s *session) answer(request *gossh.Request) (start *commandRequest, accepted bool) {
	switch request.Type {
	case "shell":
		return s.grantStart(&commandRequest{})
	case "exec":
		command := new(commandRequest)
		if !parse(request, command) {
			return nil, false
		}
		return s.grantStart(command)
	case "pty-req":
		return nil, s.openTerminal(request)
	case "window-change":
		return nil, s.resize(request)
	case "env":
		var variable variableRequest
		return nil, !s.started && parse(request, &variable) && s.env.set(variable.Name, variable.Value)
	default:
		return nil, false
	}
}

// grantStart accepts the first request to start something, and refuses others.
func (s *session) grantStart(command *commandRequest) (*commandRequest, bool) {
	if s.started {
		return nil, false
	}
	s.started = true
	if !s.visit.auth.open { // somebody without a key keeps nobody out
		s.visit.slot.keep()
	}
	return command, true
}

func (s *session) openTerminal(request *gossh.Request) bool {
	var asked terminalRequest
	if s.started || s.size != nil || s.visit.auth.permission.noTerminal || !parse(request, &asked) {
		return false
	}
	size := sizeOf(asked.Columns, asked.Rows)
	s.size = &size
	s.env.setTerm(asked.Term)
	return true
}

func (s *session) resize(request *gossh.Request) bool {
	var asked resizeRequest
	if s.size == nil || !parse(request, &asked) {
		return false
	}
	size := sizeOf(asked.Columns, asked.Rows)
	if s.started {
		replace(s.resizes, size)
	} else {
		s.size = &size
	}
	return true
}

// start runs the handler on a goroutine that the end of the visit waits for.
func (s *session) start(command *commandRequest) {
	v := s.visit
	v.loginTimer.Stop()
	if v.server.options.Limits.Idle > 0 {
		v.idleTimer.Reset(v.server.options.Limits.Idle)
	}
	v.running.Go(func() {
		defer v.recover("session")
		c := s.connection()
		code := s.run(c, command)
		if code == 0 && v.ctx.Err() != nil {
			code = exitFailed
		}
		s.close(c, code)
	})
}

// connection is what the handler gets to know and use.
func (s *session) connection() *Connection {
	v := s.visit
	c := &Connection{
		ID:          v.id,
		User:        userName(s.conn),
		Address:     v.address.String(),
		Network:     sourceOf(v.address),
		Open:        v.auth.open,
		Fingerprint: v.auth.fingerprint,
		Certificate: v.auth.certificate,
		Stdin:       input{s.channel, v},
		Stdout:      &output{Writer: s.channel, visit: v, piece: pieceSize},
		Stderr:      &output{Writer: s.channel.Stderr(), visit: v, piece: pieceSize},
		Environ:     s.env.list(),
		Notices:     v.notices,
		Log:         v.log,
	}
	c.Go = s.beside
	if s.size != nil {
		c.Terminal = &Terminal{Width: s.size.Width, Height: s.size.Height, Resizes: s.resizes}
		c.Stdout = &output{Writer: s.channel, visit: v, piece: screenPiece}
		c.Stderr = &output{Writer: s.channel, visit: v, piece: pieceSize, lines: true}
	}
	return c
}

// run calls the handler if the command line is valid, and returns the exit code.
func (s *session) run(c *Connection, command *commandRequest) int {
	args, err := s.arguments(command)
	switch {
	case err != nil:
		fmt.Fprintf(c.Stderr, "The command line cannot be understood: %v. Write words as for a shell, with quotes inside quotes: ssh HOST \"shares --filter 'disk > 1GB'\"\n", err)
		return exitUsage
	case len(args) == 0 && c.Terminal == nil && s.visit.auth.permission.noTerminal:
		fmt.Fprintln(c.Stderr, "Your key allows commands only, without a terminal. Add one, as in: ssh HOST help")
		return exitUsage
	case len(args) == 0 && c.Terminal == nil && !c.Open: // the handler has a sentence for who has no key
		fmt.Fprintln(c.Stderr, "There is no terminal. Ask for one with ssh -t, or add a command, as in: ssh HOST help")
		return exitUsage
	}
	c.Args = args
	if len(args) > 0 && c.Terminal != nil {
		c.Stdout = c.Stderr
	}
	s.visit.log.Info("start", "kind", s.kind(args))
	return s.handle(c)
}

// arguments are the words of the command line, or those that the visitor's key forces.
func (s *session) arguments(command *commandRequest) ([]string, error) {
	switch permission := s.visit.auth.permission; {
	case permission.isForced:
		return permission.forced, nil
	case len(command.Command) > maxCommand:
		return nil, fmt.Errorf("it is longer than %d bytes", maxCommand)
	default:
		return splitWords(command.Command)
	}
}

var errUnclosed = errors.New("a quote is not closed")

// splitWords splits a command line into words as a POSIX shell does, without expansions.
func splitWords(line string) ([]string, error) {
	words, err := shellquote.Split(strings.TrimRight(line, "\r")) // scripts from Windows end lines with CR LF
	switch {
	case err != nil:
		return nil, errUnclosed
	case len(words) == 0:
		return nil, nil
	default:
		return words, nil
	}
}

// kind is the command for the log, which leaves out unknown text.
func (s *session) kind(args []string) string {
	switch {
	case len(args) == 0:
		return "ui"
	case slices.Contains(s.visit.server.options.Commands, args[0]):
		return args[0]
	default:
		return "other command"
	}
}

// restoreTerminal resets a terminal that a panic left in the state of the UI: keyboard
// modes, mouse, focus, paste, alternate screen, cursor and colours.
const restoreTerminal = "\x1b[<u\x1b[>4;0m\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1004l\x1b[?2004l\x1b[?2026l\x1b[?1049l\x1b[?25h\x1b[0m\r\n"

// handle calls the handler. A panic ends this session only.
func (s *session) handle(c *Connection) (code int) {
	defer func() {
		if r := recover(); r != nil {
			s.panicked("handler", r)
			code = exitFailed
		}
	}()
	ctx, cancel := context.WithCancel(s.visit.ctx)
	defer cancel()
	return s.visit.server.options.Serve(ctx, c)
}

// beside runs what a handler does besides, see [Connection.Go]. A panic ends this session
// only.
func (s *session) beside(f func()) {
	s.visit.running.Go(func() {
		defer func() {
			if r := recover(); r != nil {
				s.panicked("beside the handler", r)
				s.visit.closeSoon()
			}
		}()
		f()
	})
}

// panicked logs a panic and ends the handler's context.
func (s *session) panicked(where string, r any) {
	s.visit.panicked(where, r)
	s.visit.cancel(endPanic)
}

// close tells the visitor why the session ended, unless they ended it, and sends the exit
// code to the client. The client then closes the connection, or it is closed for it.
func (s *session) close(c *Connection, code int) {
	v := s.visit
	if why := v.why(); why == nil {
		v.closeWhenSilent()
	} else {
		v.closeSoon()
		s.tell(c, why)
	}
	v.cancel(endDone)
	v.exit.Store(int64(code))
	_, _ = s.channel.SendRequest("exit-status", false, gossh.Marshal(struct{ Code uint32 }{uint32(code)}))
	if s.channel.Close() != nil { // the client is gone
		_ = v.conn.Close()
	}
}

// tell says why the connection ends, when the handler writes no more.
func (s *session) tell(c *Connection, why *ending) {
	sentence := why.sentence
	if why == endPanic {
		if c.Terminal != nil {
			_, _ = io.WriteString(s.channel, restoreTerminal)
		}
		sentence = fmt.Sprintf("The program failed, and the connection was closed. The operator finds it in the log under %s.", s.visit.id)
	}
	if sentence != "" {
		fmt.Fprintln(c.Stderr, sentence)
	}
}

const (
	maxCommand = 8 << 10 // bytes of a command line

	// Larger than any real screen. Each cell costs the server memory, so a client cannot
	// have any number of them.
	maxWidth, maxHeight         = 640, 200
	defaultWidth, defaultHeight = 80, 24
)

// The payloads of a session's requests (RFC 4254, 6).
type (
	terminalRequest struct {
		Term                      string
		Columns, Rows             uint32
		WidthPixels, HeightPixels uint32
		Modes                     string
	}
	resizeRequest struct {
		Columns, Rows             uint32
		WidthPixels, HeightPixels uint32
	}
	variableRequest struct{ Name, Value string }
	commandRequest  struct{ Command string }
)

// parse decodes the payload of a request, and reports whether it is well-formed.
func parse(request *gossh.Request, payload any) bool {
	return gossh.Unmarshal(request.Payload, payload) == nil
}

// sizeOf limits the size that a client requests to sensible values.
func sizeOf(columns, rows uint32) Size {
	return Size{Width: limitSize(columns, defaultWidth, maxWidth), Height: limitSize(rows, defaultHeight, maxHeight)}
}

// limitSize is n up to most, or unknown for 0, which clients send if they do not know the
// size.
func limitSize(n uint32, unknown, most int) int {
	if n == 0 {
		return unknown
	}
	return int(min(n, uint32(most)))
}

// variables are the ones that a visitor may set.
var variables = [...]string{"TERM", "LANG", "NO_COLOR", "COLORTERM"}

// plainValue matches acceptable values: no paths, no control characters.
var plainValue = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9@._+-]{0,64}$`) })

// unknownTerm is the TERM of a terminal whose own name was refused.
const unknownTerm = "unknown"

// environment holds the accepted variables of a visitor.
type environment map[string]string

func (e environment) set(name, value string) bool {
	if !slices.Contains(variables[:], name) || !plainValue().MatchString(value) {
		return false
	}
	e[name] = value
	return true
}

// setTerm sets the name of the terminal. Programs look it up as a file name, so only a
// plain word is accepted.
func (e environment) setTerm(name string) {
	if name == "" || !e.set("TERM", name) {
		e["TERM"] = unknownTerm
	}
}

func (e environment) list() []string {
	var list []string
	for _, name := range variables {
		if value, ok := e[name]; ok {
			list = append(list, name+"="+value)
		}
	}
	return list
}
