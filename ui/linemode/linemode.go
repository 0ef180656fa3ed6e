// Package linemode is the UI as a conversation: questions and answers in plain lines, for
// people who use a screen reader or cannot use a screen that redraws itself. It moves no
// cursor, draws nothing, says everything in sentences, and works on a terminal or two
// pipes.
package linemode

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	engine "gatehouse/internal/check"
	"gatehouse/internal/human"
	"gatehouse/internal/problem"
	"gatehouse/internal/prompt"
	"gatehouse/internal/secret"
	"gatehouse/session"
	"gatehouse/ui"
	"gatehouse/ui/signin"
)

// Options configure the conversation. Of [ui.Options] it uses Open and the like,
// Activity, Tips and Now.
type Options struct {
	ui.Options
	// Console reads answers and writes questions.
	Console *prompt.Console

	after func(time.Duration) <-chan time.Time // nil is time.After
}

// conversation is one run of line mode.
type conversation struct {
	ctx      context.Context
	options  Options
	console  *prompt.Console
	service  *session.Service
	events   events
	reseller string         // last one entered or found
	key      secret.Text    // an API key that was entered
	result   *loginResult   // of the last device login; nil: there was none
	report   *engine.Report // of the last check; nil: there was none
}

// Run runs the conversation until the person quits, or the input or the context ends. The
// error is that of the output.
func Run(ctx context.Context, o Options) error {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.after == nil {
		o.after = time.After
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := &conversation{ctx: ctx, options: o, console: o.Console}
	err := c.run()
	if errors.Is(err, errQuit) || errors.Is(err, errBack) {
		c.say("You have left Gatehouse.")
		return nil
	}
	return err
}

func (c *conversation) run() error {
	c.greet()
	c.say("Type help at any question to hear what you can answer.")
	if err := c.open(c.options.Open); err != nil {
		return err
	}
	defer c.close()
	defer c.keep()()
	if err := c.restore(); err != nil {
		return err
	}
	for {
		err := c.domains()
		switch {
		case errors.Is(err, errBack):
			c.sayNothingToGoBackTo()
		case !errors.Is(err, errStartOver):
			return err
		}
		if c.signedOut() {
			if err := c.signInFirst(); err != nil {
				return err
			}
		}
	}
}

// close says what of the session could not be brought to an end.
func (c *conversation) close() {
	if err := c.service.Close(); err != nil {
		c.explain(err)
	}
}

func (c *conversation) greet() {
	if len(c.options.Tips) == 0 {
		c.say("Welcome to Gatehouse.")
		return
	}
	c.say("Welcome to the demo of Gatehouse. Every password is demo. These are accounts to try:")
	for _, tip := range signin.Listed(c.options.Tips) {
		c.say("%s: %s.", tip.Account, tip.Shows)
	}
}

// open opens the service; if that fails it asks how to continue.
func (c *conversation) open(opener ui.Opener) error {
	for {
		opened, err := opener(c.ctx)
		if err == nil {
			c.service = opened.Service
			if opened.Warning != "" {
				c.say("%s", problem.Sentence(opened.Warning))
			}
			return nil
		}
		if c.ctx.Err() != nil {
			return errQuit
		}
		c.explain(err)
		chosen, err := c.choose("Your session could not be opened. What now?", []string{
			"Try again", "Continue without saving", "Leave",
		})
		if err != nil {
			return err
		}
		if chosen == 2 {
			return errQuit
		}
		opener = []ui.Opener{c.options.OpenAgain, c.options.OpenUnsaved}[chosen]
	}
}

// keep keeps the session renewed and collects its events until stop is called.
func (c *conversation) keep() (stop func()) {
	ctx, cancel := context.WithCancel(c.ctx)
	unsubscribe := c.service.Session.Subscribe(c.events.add)
	var running sync.WaitGroup
	running.Go(func() { c.service.Session.KeepRenewed(ctx) })
	return func() {
		cancel()
		unsubscribe()
		running.Wait()
	}
}

func (c *conversation) say(format string, args ...any) { c.console.Say(format, args...) }

func (c *conversation) sayNothingToGoBackTo() {
	c.say("There is nothing to go back to. Type quit to leave.")
}

// explain says what went wrong and what to do next.
func (c *conversation) explain(err error) problem.Problem {
	p := problem.Describe(err, problem.Screen)
	c.say("%s", p.Sentence)
	if p.Hint != "" {
		c.say("%s", p.Hint)
	}
	return p
}

// attempt calls try and explains its error. If only signing in helps, it asks to sign in
// and tries again; otherwise the error is errBack.
func (c *conversation) attempt(try func() error) error {
	for {
		err := try()
		if err == nil {
			return nil
		}
		if c.ctx.Err() != nil {
			return errQuit
		}
		if c.explain(err).Kind != problem.SignIn {
			return errBack
		}
		if err := c.signInAgain(); err != nil {
			return err
		}
	}
}

// progressInterval is how often a person who waits hears of it.
const progressInterval = 5 * time.Second

// await runs slow work on a goroutine and returns its error. While the person waits it
// says now and then what still returns.
func (c *conversation) await(still func() string, work func(context.Context) error) error {
	type outcome struct {
		err      error
		panicked any
	}
	done := make(chan outcome, 1)
	var running sync.WaitGroup
	defer running.Wait()
	running.Go(func() {
		var result outcome
		defer func() {
			result.panicked = recover()
			done <- result
		}()
		result.err = work(c.ctx)
	})
	for {
		select {
		case result := <-done:
			if result.panicked != nil {
				panic(result.panicked) // on this goroutine, whose panics are reported
			}
			return result.err
		case <-c.options.after(progressInterval):
			c.say("%s", still())
		}
	}
}

// stillWaiting is said while waiting for an answer of the service.
func stillWaiting() string { return "Still waiting for the answer." }

// events are those of the session since the last question. The session adds them from any
// goroutine.
type events struct {
	mu   sync.Mutex
	list []session.Event
}

// add adds an event. It replaces the last one if that is of the same kind, as hours may
// pass between two questions.
func (e *events) add(event session.Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if last := len(e.list) - 1; last >= 0 && e.list[last].Kind == event.Kind {
		e.list = e.list[:last]
	}
	e.list = append(e.list, event)
}

// take returns the events and clears them.
func (e *events) take() []session.Event {
	e.mu.Lock()
	defer e.mu.Unlock()
	list := e.list
	e.list = nil
	return list
}

// sayEvents says what the session did in the background.
func (c *conversation) sayEvents() {
	for _, e := range c.events.take() {
		switch e.Kind {
		case session.EventRenewed:
			c.say("The access token was renewed.")
		case session.EventWaiting:
			if text := c.service.Session.Status().Waiting(c.options.Now(), human.InWords); text != "" {
				c.say("%s", text)
			}
		case session.EventDelayed:
			c.say("%s", strings.TrimSpace(problem.Describe(e.Err, problem.Screen).Sentence+" "+c.service.Session.Status().NextAttempt(c.options.Now(), human.InWords)))
			continue
		case session.EventSignedIn:
			c.say("You are signed in as %s.", c.service.Session.Status().Username)
		case session.EventSignedOut:
			c.say("You are signed out.")
		}
		if e.Err != nil {
			p := problem.Describe(e.Err, problem.Screen)
			c.say("%s", p.Sentence)
			if e.Kind == session.EventEnded {
				c.say("%s", p.Hint)
			}
		}
	}
}
