package sshd

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"gatehouse/internal/text/shell"
)

// The exit codes of a session for which no handler ran.
const (
	exitFailed = 1
	exitUsage  = 2
)

// serveRequest answers a request of the session. The one that starts it is answered before the
// handler says anything.
func (v *visit) serveRequest(request *gossh.Request) {
	defer v.recover("session")
	accepted := v.grant(request)
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

// grant decides on a request.
func (v *visit) grant(request *gossh.Request) bool {
	switch request.Type {
	case "shell":
		return v.grantStart("")
	case "exec":
		var asked commandRequest
		return parse(request, &asked) && v.grantStart(asked.Command)
	case "pty-req":
		return v.openTerminal(request)
	case "window-change":
		return v.resize(request)
	case "env":
		var variable variableRequest
		return !v.hasSession.Load() && parse(request, &variable) && v.setVariable(variable.Name, variable.Value)
	default:
		return false
	}
}

// grantStart accepts the first request to start something, and refuses others.
func (v *visit) grantStart(command string) bool {
	if v.hasSession.Load() {
		return false
	}
	v.command = command
	v.hasSession.Store(true)
	if !v.Open { // somebody without a key keeps nobody out
		v.server.gate.keep(v)
	}
	return true
}

func (v *visit) openTerminal(request *gossh.Request) bool {
	var asked terminalRequest
	if v.hasSession.Load() || v.Terminal != nil || v.may.noTerminal || !parse(request, &asked) {
		return false
	}
	v.resizes = make(chan Size, 1)
	size := sizeOf(asked.Columns, asked.Rows)
	v.Terminal = &Terminal{Width: size.Width, Height: size.Height, Resizes: v.resizes}
	if asked.Term == "" || !v.setVariable("TERM", asked.Term) {
		v.setVariable("TERM", "unknown")
	}
	return true
}

func (v *visit) resize(request *gossh.Request) bool {
	var asked resizeRequest
	if v.Terminal == nil || !parse(request, &asked) {
		return false
	}
	size := sizeOf(asked.Columns, asked.Rows)
	if v.hasSession.Load() {
		replace(v.resizes, size)
	} else {
		v.Terminal.Width, v.Terminal.Height = size.Width, size.Height
	}
	return true
}

// start runs the handler on a goroutine that the end of the visit waits for.
func (v *visit) start() {
	v.loginTimer.Stop()
	v.active()
	v.running.Go(func() {
		defer v.recover("session")
		v.Stdin = input{v.channel, v}
		if v.Terminal == nil {
			v.Stdout = &output{Writer: v.channel, visit: v, piece: pieceSize}
			v.Stderr = &output{Writer: v.channel.Stderr(), visit: v, piece: pieceSize}
		} else {
			v.Stdout = &output{Writer: v.channel, visit: v, piece: screenPiece}
			v.Stderr = &output{Writer: v.channel, visit: v, piece: pieceSize, lines: true}
		}
		code := v.run()
		if code == 0 && v.ctx.Err() != nil {
			code = exitFailed
		}
		v.close(code)
	})
}

// run calls the handler if the command line is valid, and returns the exit code. A panic of
// the handler ends this session only.
func (v *visit) run() (code int) {
	args, err := v.arguments()
	switch {
	case err != nil:
		fmt.Fprintf(v.Stderr, "The command line cannot be parsed: %v. Write words as for a shell, with quotes inside quotes: ssh HOST \"shares --filter 'disk > 1GB'\"\n", err)
		return exitUsage
	case len(args) == 0 && v.Terminal == nil && !v.Open: // the handler has a sentence for who has no key
		fmt.Fprintln(v.Stderr, "No terminal. Request one with ssh -t, if your key allows it, or add a command, as in: ssh HOST help")
		return exitUsage
	case len(args) > 0 && v.Terminal != nil:
		v.Stdout = v.Stderr
	}
	v.Args = args
	v.Log.Info("start", "kind", v.kind(args))
	code = exitFailed // of a panic
	defer v.recover("handler")
	ctx, cancel := context.WithCancel(v.ctx)
	defer cancel()
	return v.server.options.Serve(ctx, &v.Connection)
}

// arguments are the words of the command line, or those that the visitor's key forces.
func (v *visit) arguments() ([]string, error) {
	switch {
	case v.may.isForced:
		return v.may.forced, nil
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

// kind is the command for the log, which leaves out unknown text.
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

// beside runs what a handler does besides, see [Connection.Go]. A panic ends this session
// only.
func (v *visit) beside(f func()) {
	v.running.Go(func() {
		defer v.recover("beside the handler")
		f()
	})
}

// restoreTerminal resets a terminal that a panic left in the state of the UI: keyboard
// modes, mouse, focus, paste, alternate screen, cursor and colours.
const restoreTerminal = "\x1b[<u\x1b[>4;0m\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1004l\x1b[?2004l\x1b[?2026l\x1b[?1049l\x1b[?25h\x1b[0m\r\n"

// close tells the visitor why the session ended, unless they ended it, and sends the exit
// code to the client. The client then closes the connection, or it is closed for it.
func (v *visit) close(code int) {
	if why := v.why(); why == nil {
		v.conn.closeWhenSilent(maxSilence)
	} else {
		v.conn.closeWithin(closeDelay)
		if why.reason == panicked && v.Terminal != nil {
			_, _ = io.WriteString(v.channel, restoreTerminal)
		}
		if why.sentence != "" {
			fmt.Fprintln(v.Stderr, why.sentence)
		}
	}
	v.cancel(endDone)
	v.exit = &code
	_, _ = v.channel.SendRequest("exit-status", false, gossh.Marshal(struct{ Code uint32 }{uint32(code)}))
	if v.channel.Close() != nil { // the client is gone
		_ = v.conn.Close()
	}
}

// maxSilence is how long a peer may say nothing after the session: on a slow line it still reads, and
// confirms that now and then.
const maxSilence = 30 * time.Second

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

// sizeOf limits the size that a client requests to sensible values. Clients that do not know it
// send 0.
func sizeOf(columns, rows uint32) Size {
	return Size{
		Width:  int(min(cmp.Or(columns, defaultWidth), maxWidth)),
		Height: int(min(cmp.Or(rows, defaultHeight), maxHeight)),
	}
}

// variables are the ones that a visitor may set.
var variables = [...]string{"TERM", "LANG", "LC_ALL", "LC_CTYPE", "NO_COLOR", "COLORTERM", "ACCESSIBLE", "GATEHOUSE_AMBIGUOUS_WIDTH"}

// setVariable sets a variable, and reports whether a visitor may set it to this value.
// Programs look some of them up as file names, so only plain words are accepted.
func (v *visit) setVariable(name, value string) bool {
	const plain, maxLength = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@._+-", 64
	if !slices.Contains(variables[:], name) || len(value) > maxLength || strings.Trim(value, plain) != "" {
		return false
	}
	isSet := func(variable string) bool { return strings.HasPrefix(variable, name+"=") }
	v.Environ = append(slices.DeleteFunc(v.Environ, isSet), name+"="+value)
	return true
}
