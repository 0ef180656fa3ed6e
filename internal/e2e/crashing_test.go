package e2e

import (
	"context"

	"gatehouse/internal/cli"
	"gatehouse/ui"
)

// crashing is a variable that makes the program of these tests one that panics
// with what it copies.
const crashing = "TEST_CRASHING_PROGRAM"

func runCrashingProgram() int {
	env := cli.System()
	run := env.RunUI
	env.RunUI = func(ctx context.Context, o ui.Options) error {
		o.Clipboard = func(_ context.Context, text string) error { panic(text) }
		return run(ctx, o)
	}
	return cli.Execute(context.Background(), nil, env)
}
