// Package linemode is the UI as a conversation: questions and answers in plain
// lines, for people who listen to a screen reader or cannot use a screen that
// redraws itself. It moves no cursor, draws nothing, says everything in
// sentences, and works on a terminal as it does on two pipes.
package linemode

import (
	"context"
	"errors"
	"sync"
	"time"

	"gatehouse/internal/problem"
	"gatehouse/internal/prompt"
	"gatehouse/internal/secret"
	"gatehouse/session"
	"gatehouse/ui"
)

// Options say what the conversation works on: of those of the UI, Open and its
// like, Activity, Tips and Now.
type Options struct {
	ui.Options
	// Console is where it takes place.
	Console *prompt.Console
	// After is the timer; nil is the real one.
	After func(time.Duration) <-chan time.Time
}

// conversation is one run of the program.
type conversation struct {
	ctx      context.Context
	options  Options
	console  *prompt.Console
	service  *session.Service
	events   events
	reseller string      // that was last asked for or found
	key      secret.Text // an API key that was typed
}

// Run talks with the person until they leave, the input or the context ends. The
// error is that of the output.
func Run(ctx context.Context, o Options) error {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.After == nil {
		o.After = time.After
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
	defer c.service.Close()
	defer c.keep()()
	if err := c.restore(); err != nil {
		return err
	}
	for {
		err := c.domains()
		switch {
		case errors.Is(err, errBack):
			c.nothingBehind()
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

func (c *conversation) greet() {
	if len(c.options.Tips) == 0 {
		c.say("Welcome to Gatehouse.")
		return
	}
	c.say("Welcome to the demo of Gatehouse. Every password is demo. These are accounts to try:")
	for _, tip := range c.options.Tips {
		c.say("%s: %s.", tip.Account, tip.Shows)
	}
}

// open opens the service, or asks what to do if that fails.
func (c *conversation) open(how ui.Opener) error {
	for {
		opened, err := how(c.ctx)
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
			"Try again", "Go on without saving anything", "Leave",
		})
		if err != nil {
			return err
		}
		if chosen == 2 {
			return errQuit
		}
		how = []ui.Opener{c.options.OpenAgain, c.options.OpenUnsaved}[chosen]
	}
}

// keep lets the session renew itself, and collects what it tells, until the
// conversation ends.
func (c *conversation) keep() (stop func()) {
	ctx, cancel := context.WithCancel(c.ctx)
	unsubscribe := c.service.Session.Subscribe(c.events.add)
	var running sync.WaitGroup
	running.Go(func() { c.service.Session.Keep(ctx) })
	return func() {
		cancel()
		unsubscribe()
		running.Wait()
	}
}

func (c *conversation) say(format string, args ...any) { c.console.Say(format, args...) }

// nothingBehind answers somebody who goes back from where it all begins.
func (c *conversation) nothingBehind() { c.say("There is nothing to go back to. Type quit to leave.") }

// explain says what went wrong and what to do next.
func (c *conversation) explain(err error) problem.Problem {
	p := problem.Describe(err, problem.Screen)
	c.say("%s", p.Sentence)
	if p.Hint != "" {
		c.say("%s", p.Hint)
	}
	return p
}

// attempt does something that may fail, and explains it if it does. Where only
// signing in helps, it is done again after that. The error is errBack if there
// is nothing more to be done.
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

// sayEvery is how often a person who waits is told so.
const sayEvery = 5 * time.Second

// await does what may take long on a goroutine of its own, and returns its error when
// it has ended. A person who waits hears now and then what still returns.
func (c *conversation) await(still func() string, work func(context.Context) error) error {
	type outcome struct {
		err      error
		panicked any
	}
	done := make(chan outcome, 1)
	var running sync.WaitGroup
	defer running.Wait()
	running.Go(func() {
		var got outcome
		defer func() {
			got.panicked = recover()
			done <- got
		}()
		got.err = work(c.ctx)
	})
	for {
		select {
		case got := <-done:
			if got.panicked != nil {
				panic(got.panicked) // on the goroutine whose panics are reported
			}
			return got.err
		case <-c.options.After(sayEvery):
			c.say("%s", still())
		}
	}
}

// stillWaiting is said while the service has not answered.
func stillWaiting() string { return "Still waiting for the answer." }

// events are what the session did since the last question. They are added by the
// session, from any goroutine.
type events struct {
	mu   sync.Mutex
	list []session.Event
}

// add takes an event. One of the same kind as the last one replaces it, for
// hours may pass between two questions.
func (e *events) add(event session.Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if last := len(e.list) - 1; last >= 0 && e.list[last].Kind == event.Kind {
		e.list = e.list[:last]
	}
	e.list = append(e.list, event)
}

// take returns the events and forgets them.
func (e *events) take() []session.Event {
	e.mu.Lock()
	defer e.mu.Unlock()
	list := e.list
	e.list = nil
	return list
}

// sayEvents says what the session did by itself.
func (c *conversation) sayEvents() {
	for _, e := range c.events.take() {
		switch e.Kind {
		case session.EventRenewed:
			c.say("The access token was renewed.")
		case session.EventDelayed:
			if delay, ok := errors.AsType[*session.DelayedError](e.Err); ok {
				c.say("Renewing the access token is tried again in %s.", span(delay.RetryAt.Sub(c.options.Now())))
			}
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
