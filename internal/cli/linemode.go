package cli

import (
	"context"
	"strconv"

	"gatehouse/session"
	"gatehouse/ui"
	"gatehouse/ui/linemode"
)

// wantsAccessible reads the variables: GATEHOUSE_ACCESSIBLE, or else ACCESSIBLE,
// which other programs know as well.
func (a *app) wantsAccessible() bool {
	for _, name := range []string{"GATEHOUSE_ACCESSIBLE", "ACCESSIBLE"} {
		if value, ok := a.env.LookupEnv(name); ok && value != "" {
			wanted, err := strconv.ParseBool(value)
			return wanted || err != nil // such as "yes"
		}
	}
	return false
}

// beAccessible replaces the UI and the prompts before it by questions in plain
// lines on standard input and output, if that is wanted. The caller calls done in
// the end.
func (a *app) beAccessible() (done func()) {
	if !a.flags.accessible {
		return func() {}
	}
	console := linemode.NewConsole(a.env.Stdin, a.env.Stdout)
	a.env.Ask = console
	a.env.RunUI = func(ctx context.Context, o ui.Options) error { return linemode.Run(ctx, lineModeOptions(console, o)) }
	return console.Close
}

// lineModeOptions say the same to the conversation that is said to the UI.
func lineModeOptions(console *linemode.Console, o ui.Options) linemode.Options {
	return linemode.Options{
		Console:     console,
		Open:        lineModeOpener(o.Open),
		OpenAgain:   lineModeOpener(o.OpenAgain),
		OpenUnsaved: lineModeOpener(o.OpenUnsaved),
		Activity:    o.Activity,
		Greeting:    greeting(o),
		Now:         o.Now,
	}
}

func lineModeOpener(open ui.Opener) linemode.Opener {
	return func(ctx context.Context) (*session.Service, string, error) {
		opened, err := open(ctx)
		return opened.Service, opened.Notice, err
	}
}

func greeting(o ui.Options) []string {
	if len(o.Tips) == 0 {
		return []string{"Welcome to Gatehouse."}
	}
	lines := []string{"Welcome to the demo of Gatehouse. Every password is demo. These are accounts to try:"}
	for _, tip := range o.Tips {
		lines = append(lines, tip.Account+": "+tip.Shows+".")
	}
	return lines
}
