package sshd

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"gatehouse/internal/text/shell"
)

// The exit codes of a session whose handler did not run or did not return.
const (
	exitFailed = 1
	exitUsage  = 2
)

// serveRequest answers a request of the session, and starts the handler if that was asked for. The
// answer is sent before the handler can write anything.
func (v *visit) serveRequest(request *gossh.Request) {
	defer v.recover("session")
	accepted := v.accept(request)
	if !accepted {
		v.countRefusal("request")
	}
	if request.WantReply {
		_ = request.Reply(accepted, nil)
	}
	if accepted && (request.Type == "shell" || request.Type == "exec") {
		v.start()
	}
}

// accept does what a request asks for, or reports false to refuse it. It does not start the
// handler.
func (v *visit) accept(request *gossh.Request) bool {
	switch request.Type {
	case "shell":
		return v.acceptStart("")
	case "exec":
		var asked commandRequest
		return decode(request, &asked) && v.acceptStart(asked.Command)
	case "pty-req":
		return v.openTerminal(request)
	case "window-change":
		return v.resize(request)
	case "env":
		var variable variableRequest
		return !v.hasSession.Load() && decode(request, &variable) &&
			v.setVariable(variable.Name, variable.Value)
	default:
		return false
	}
}

// acceptStart accepts a command line to start, empty for the UI; but only the first one.
func (v *visit) acceptStart(command string) bool {
	if v.hasSession.Load() {
		return false
	}
	v.command = command
	v.hasSession.Store(true)
	if !v.Open { // visitors without a key make room for others even during their session
		v.server.gate.markSession(v)
	}
	return true
}

// openTerminal accepts a terminal before the session starts, unless the visitor's key forbids it.
func (v *visit) openTerminal(request *gossh.Request) bool {
	var asked terminalRequest
	isLate := v.hasSession.Load() || v.Terminal != nil
	if isLate || v.keyOptions.noTerminal || !decode(request, &asked) {
		return false
	}
	v.resizes = make(chan Size, 1)
	size := clampSize(asked.Columns, asked.Rows)
	v.Terminal = &Terminal{Width: size.Width, Height: size.Height, Resizes: v.resizes}
	if asked.Term == "" || !v.setVariable("TERM", asked.Term) {
		v.setVariable("TERM", "unknown")
	}
	return true
}

// resize accepts a new size of the terminal; once the handler runs, it is told.
func (v *visit) resize(request *gossh.Request) bool {
	var asked resizeRequest
	if v.Terminal == nil || !decode(request, &asked) {
		return false
	}
	size := clampSize(asked.Columns, asked.Rows)
	if v.hasSession.Load() {
		replace(v.resizes, size)
	} else {
		v.Terminal.Width, v.Terminal.Height = size.Width, size.Height
	}
	return true
}

// start runs the handler on a goroutine of its own. [visit.finish] waits for it.
func (v *visit) start() {
	v.loginTimer.Stop()
	v.restartIdleTimer()
	v.running.Go(func() {
		defer v.recover("session")
		v.Stdin = input{v.channel, v}
		if v.Terminal == nil {
			v.Stdout = &output{Writer: v.channel, visit: v, chunkSize: chunkSize}
			v.Stderr = &output{Writer: v.channel.Stderr(), visit: v, chunkSize: chunkSize}
		} else {
			v.Stdout = &output{Writer: v.channel, visit: v, chunkSize: screenChunkSize}
			v.Stderr = &output{Writer: v.channel, visit: v, chunkSize: chunkSize, crlf: true}
		}
		code := v.run()
		if code == 0 && v.ctx.Err() != nil { // a limit or a panic has ended the visit
			code = exitFailed
		}
		v.close(code)
	})
}

// run calls the handler if the command line is valid, and returns the exit code. A panic of the
// handler ends only this session; the code is 0 then.
func (v *visit) run() int {
	args, err := v.arguments()
	switch {
	case err != nil:
		fmt.Fprintf(v.Stderr, "The command line cannot be parsed: %v. Write words as for a shell, "+
			"with quotes inside quotes: ssh HOST \"shares --filter 'disk > 1GB'\"\n", err)
		return exitUsage
	case len(args) == 0 && v.Terminal == nil && !v.Open: // the handler tells visitors without a key
		fmt.Fprintln(v.Stderr, "No terminal. Request one with ssh -t, if your key allows it, "+
			"or add a command, as in: ssh HOST help")
		return exitUsage
	case len(args) > 0 && v.Terminal != nil:
		v.Stdout = v.Stderr
	}
	v.Args = args
	v.Log.Info("start", "kind", v.kind(args))
	defer v.recover("handler")
	return v.server.options.Serve(v.ctx, &v.Connection)
}

// arguments returns the words of the command line, or those that the visitor's key forces instead.
func (v *visit) arguments() ([]string, error) {
	switch {
	case v.keyOptions.isForced:
		return v.keyOptions.forced, nil
	case len(v.command) > maxCommand:
		return nil, fmt.Errorf("it is longer than %d bytes", maxCommand)
	default:
		return splitWords(v.command)
	}
}

// splitWords splits a command line into words, see [shell.Split].
func splitWords(line string) ([]string, error) {
	return shell.Split(strings.TrimRight(line, "\r")) // scripts from Windows end lines with CR LF
}

// kind is what the log calls a command line: "ui", the name of a command, or "other command" for
// anything else, which may be a secret that was typed in the wrong place.
func (v *visit) kind(args []string) string {
	switch {
	case len(args) == 0:
		return "ui"
	case slices.Contains(v.server.options.Commands, args[0]):
		return args[0]
	default:
		return "other command"
	}
}

// runBeside is [Connection.Go]: it runs a function of the handler on another goroutine. A panic
// ends only this session.
func (v *visit) runBeside(f func()) {
	v.running.Go(func() {
		defer v.recover("beside the handler")
		f()
	})
}

// restoreTerminal resets a terminal that a panic has left in the state of the UI.
const restoreTerminal = "\x1b[<u\x1b[>4;0m" + // keyboard modes
	"\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l" + // mouse
	"\x1b[?1004l\x1b[?2004l\x1b[?2026l" + // focus, bracketed paste, synchronized output
	"\x1b[?1049l\x1b[?25h\x1b[0m\r\n" // alternate screen, cursor, colours

// close ends the session with an exit code, and tells the visitor why it ended if they did not
// end it themselves. The client is expected to close the connection then; if it does not, the
// server does.
func (v *visit) close(code int) {
	if why := v.why(); why == nil {
		v.conn.closeWhenSilent(maxSilence)
	} else {
		v.conn.closeWithin(closeDelay)
		if why.reason == reasonPanic && v.Terminal != nil {
			_, _ = io.WriteString(v.channel, restoreTerminal)
		}
		if why.sentence != "" {
			fmt.Fprintln(v.Stderr, why.sentence)
		}
	}
	v.cancel(endDone)
	v.exit = &code
	status := gossh.Marshal(struct{ Code uint32 }{uint32(code)})
	_, _ = v.channel.SendRequest("exit-status", false, status)
	_ = v.channel.Close() // fails if the client has closed it, which ends the visit
}

const (
	// maxSilence is how long a client may send nothing after its session has ended. One that still
	// reads output on a slow line confirms it more often than that.
	maxSilence = 30 * time.Second

	maxCommand = 8 << 10 // bytes of a command line

	// The size of a terminal in cells. The maximum is larger than any real one; each cell costs
	// memory of the server.
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
func decode(request *gossh.Request, payload any) bool {
	return gossh.Unmarshal(request.Payload, payload) == nil
}

// clampSize limits the size of a terminal that a client sends to sensible values. A client that
// does not know the size sends 0, and gets the default.
func clampSize(columns, rows uint32) Size {
	return Size{
		Width:  int(min(cmp.Or(columns, defaultWidth), maxWidth)),
		Height: int(min(cmp.Or(rows, defaultHeight), maxHeight)),
	}
}

// variables are the environment variables that a visitor may set.
var variables = []string{
	"TERM", "LANG", "LC_ALL", "LC_CTYPE",
	"NO_COLOR", "COLORTERM", "ACCESSIBLE", "GATEHOUSE_AMBIGUOUS_WIDTH",
}

// setVariable sets an environment variable, and reports whether a visitor may set it to this value.
func (v *visit) setVariable(name, value string) bool {
	if !slices.Contains(variables, name) || !isPlainWord(value) {
		return false
	}
	isSame := func(variable string) bool { return strings.HasPrefix(variable, name+"=") }
	v.Environ = append(slices.DeleteFunc(v.Environ, isSame), name+"="+value)
	return true
}

// isPlainWord reports whether the value of a variable is short and has no sign that means
// something in a path: libraries use the values of some variables in the names of files.
func isPlainWord(value string) bool {
	const (
		plain     = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@._+-"
		maxLength = 64
	)
	return len(value) <= maxLength && strings.Trim(value, plain) == ""
}
