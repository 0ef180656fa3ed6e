// Package linemode is the UI as a conversation: questions and answers in plain lines, for
// people who use a screen reader or cannot use a screen that redraws itself. It says what the
// screens of the UI say, asks what their forms ask, and does what can be done on them. It moves
// no cursor, draws nothing, and works on a terminal or two pipes.
package linemode

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"
	"time"

	"gatehouse/internal/prompt"
	"gatehouse/ui"
	"gatehouse/ui/screen"
)

// Options configure the conversation. Of [ui.Options] it uses what is not about a terminal.
type Options struct {
	ui.Options
	// Console reads answers and writes questions.
	Console *prompt.Console

	after func(time.Duration) <-chan time.Time // nil is time.After
}

// conversation is one run of line mode.
type conversation struct {
	ctx     context.Context
	options Options
	console *prompt.Console
	ui      *ui.Spoken
	// screens are what was said of the screens that are there, shown the one said last.
	screens map[screen.Screen]*said
	shown   screen.Screen
	title   string   // where the person was then
	offered []string // what could be done, when that was said last
	quiet   bool     // nothing was said since the last command
}

// said is what was said of a screen.
type said struct {
	lines []string
	paged bool // rows were said
	from  int  // the first row of the page
}

// Run runs the conversation until the person quits, or the input or the context ends. It fails
// if the output does.
func Run(ctx context.Context, o Options) error {
	if o.after == nil {
		o.after = time.After
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := &conversation{ctx: ctx, options: o, console: o.Console, screens: map[screen.Screen]*said{}}
	o.Late = func(err error) {
		p := screen.Describe(err)
		for text := range screen.Texts(p.Sentence, p.Hint) {
			c.say("%s", text)
		}
	}
	c.say("Welcome to Gatehouse. Type \"help\" at any question to hear what you can answer.")
	c.ui = ui.NewSpoken(ctx, &o.Options)
	defer c.ui.Close()
	err := c.run()
	if errors.Is(err, errQuit) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		c.say("You have left Gatehouse.")
		return nil
	}
	return err
}

func (c *conversation) run() error {
	for {
		if err := c.settle(); err != nil {
			return err
		}
		err := c.sayNews()
		if err == nil {
			err = c.turn()
		}
		if err != nil && !errors.Is(err, errBack) {
			return err
		}
		if err != nil && !c.ui.Back() {
			c.say(`There is nothing to go back to. Type "quit" to leave.`)
		}
	}
}

// turn asks, and does what is answered.
func (c *conversation) turn() error {
	c.quiet = true
	if asking := c.ui.Asking(); asking != nil {
		return c.field(asking)
	}
	for {
		if err := c.command(); !errors.Is(err, errStay) {
			return err
		}
		if err := c.settle(); err != nil {
			return err
		}
		c.sayHeard()
	}
}

func (c *conversation) say(format string, args ...any) {
	c.quiet = false
	c.console.Say(format, args...)
}

// progressInterval is how often a person who waits hears of it.
const progressInterval = 5 * time.Second

// settle waits for what the last answer has begun. Of that it says first what is waited for, and
// now and then how it goes.
func (c *conversation) settle() error {
	waiting := func() {
		if shown := c.arrive(); shown != nil {
			c.sayNew(c.sentences(shown), c.of(shown))
		}
	}
	if c.ui.Working() {
		waiting()
	}
	return c.ui.Settle(func() <-chan time.Time { return c.options.after(progressInterval) }, func() {
		c.quiet = true
		if waiting(); c.quiet {
			c.say("Still waiting.")
		}
	})
}

// arrive says what has happened, and where the person is if that is another place.
func (c *conversation) arrive() screen.Screen {
	c.sayHeard()
	shown, title := c.ui.Screen(), c.ui.Title()
	if shown == nil {
		return nil
	}
	if shown == c.shown && title != c.title {
		delete(c.screens, shown) // it shows something else
	}
	if (shown != c.shown || title != c.title) && title != "" {
		c.say("%s", screen.Labelled("", title))
	}
	if asking := c.ui.Asking(); asking != nil {
		asking.Enter()
		if shown != c.shown {
			delete(c.screens, shown) // what came of it may be the same again
		}
	}
	c.shown, c.title = shown, title
	return shown
}

// sayHeard says what has happened beside what the screens show.
func (c *conversation) sayHeard() {
	for _, text := range c.ui.Heard() {
		c.say("%s", text)
	}
}

// of is what was said of a screen.
func (c *conversation) of(shown screen.Screen) *said {
	c.screens[shown] = cmp.Or(c.screens[shown], &said{})
	return c.screens[shown]
}

// maxKept is how many sentences are kept of a screen, to say only what has changed.
const maxKept = 300

// sentences are the first of what a screen says.
func (c *conversation) sentences(shown screen.Screen) []string {
	var lines []string
	for text := range screen.Said(shown) {
		if lines = append(lines, text); len(lines) == maxKept {
			break
		}
	}
	return lines
}

// sayNew says what was not said of a screen.
func (c *conversation) sayNew(lines []string, before *said) {
	for _, text := range lines {
		if !slices.Contains(before.lines, text) {
			c.say("%s", text)
		}
	}
	before.lines = lines
}

// sayNews says what is new since the last question: where the person is, and what stands there.
func (c *conversation) sayNews() error {
	for old := range c.screens {
		if !c.ui.Has(old) {
			delete(c.screens, old)
		}
	}
	last := c.shown
	shown := c.arrive()
	if shown == nil {
		return nil
	}
	before, lines := c.of(shown), c.sentences(shown)
	listed := shown.View().Rows
	isList := listed != nil
	switch {
	case isList && before.paged && !c.quiet && slices.Equal(lines, before.lines):
		// what has happened was said, and it is nothing in the list
	case isList && (shown == last || !before.paged):
		if before.paged {
			before.lines = nil
		}
		if c.sayNew(lines, before); listed.Len() > 0 {
			c.page(listed, before, 0)
		}
	case len(lines) > linesPerPage && !slices.Equal(lines, before.lines):
		before.lines = lines
		if err := c.read(screen.Said(shown)); err != nil {
			return err
		}
	default:
		c.sayNew(lines, before)
	}
	if !isList {
		c.offer()
	}
	return nil
}

// offer says what can be done on the screen, unless that is the same as the last time.
func (c *conversation) offer() {
	var words []string
	if c.ui.Asking() != nil {
		if words = c.wordsInForm(); !slices.Equal(words, c.offered) {
			for _, word := range words {
				c.say("%s", word)
			}
		}
		c.offered = words
		return
	}
	for _, choice := range c.choices() {
		if choice.ID != screen.NoAction { // help says where else one can go
			words = append(words, described(choice))
		}
	}
	if !slices.Equal(words, c.offered) && len(words) > 0 {
		c.list("What next?", words)
	}
	c.offered = words
}

// choices are what can be done now.
func (c *conversation) choices() []ui.Choice {
	return slices.DeleteFunc(c.ui.Choices(), func(d ui.Choice) bool { return d.Unlisted })
}

// described is what can be done, and what that is.
func described(choice ui.Choice) string {
	switch {
	case choice.Note == "":
		return screen.Capital(choice.Word)
	case choice.SaysWord:
		return screen.Capital(choice.Note)
	}
	return screen.Capital(choice.Word) + ": " + choice.Note
}

// linesPerPage are said before asking whether to continue.
const linesPerPage = 30

// read says lines, and after every linesPerPage of them asks whether to continue.
func (c *conversation) read(lines iter.Seq[string]) error {
	next, stop := iter.Pull(lines)
	defer stop()
	count := 0
	for text, ok := next(); ok; text, ok = next() {
		if count == linesPerPage {
			count = 0
			_, err := c.ask(question{text: `There is more. Type "next" to hear it, or "back"`, help: []string{`Type "next", or an empty line, to hear more.`}})
			if errors.Is(err, errBack) {
				return nil
			} else if err != nil {
				return err
			}
		}
		c.say("%s", text)
		count++
	}
	return nil
}
