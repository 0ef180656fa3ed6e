// Package clipboard puts text on the clipboard of the desktop that the program
// runs on, through the tool that the desktop has for it.
package clipboard

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"
)

const (
	// patience is how long a tool may take.
	patience = 2 * time.Second
	// leaveTaking is how long the text is still offered to what a tool has left in
	// the background, after it has ended.
	leaveTaking = 500 * time.Millisecond
)

// Native returns what writes to the desktop's clipboard, or nil where there is
// none: no desktop, no tool, or a person who sits at another machine. lookup looks
// an environment variable up.
func Native(lookup func(string) (string, bool)) func(ctx context.Context, text string) error {
	set := func(name string) bool {
		value, _ := lookup(name)
		return value != ""
	}
	if set("SSH_CONNECTION") || set("SSH_TTY") {
		return nil
	}
	for _, tool := range tools(set) {
		if path, err := exec.LookPath(tool[0]); err == nil {
			return func(ctx context.Context, text string) error { return write(ctx, path, tool[1:], text) }
		}
	}
	return nil
}

// tools are the commands to try. There is none for Windows, whose terminals take
// text themselves and whose tool knows no Unicode.
func tools(set func(string) bool) [][]string {
	list := [][]string{}
	if runtime.GOOS == "darwin" {
		return append(list, []string{"pbcopy"})
	}
	if set("WAYLAND_DISPLAY") {
		list = append(list, []string{"wl-copy"})
	}
	if set("DISPLAY") {
		list = append(list, []string{"xclip", "-in", "-selection", "clipboard"}, []string{"xsel", "--input", "--clipboard"})
	}
	return list
}

// write gives the text to a tool on its standard input: arguments can be read by
// everybody. What the tool says is not read.
func write(ctx context.Context, path string, args []string, text string) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	command := exec.CommandContext(ctx, path, args...)
	command.Stdin = strings.NewReader(text)
	command.Env = withoutOwn(os.Environ())
	command.WaitDelay = leaveTaking
	if err := command.Run(); err != nil {
		return fmt.Errorf("copy with %s: %w", path, err)
	}
	return nil
}

// ownPrefix begins the names of the program's own variables, some of which are
// secret. A tool that keeps the clipboard lives on with its environment.
const ownPrefix = "GATEHOUSE_"

func withoutOwn(environ []string) []string {
	return slices.DeleteFunc(environ, func(variable string) bool {
		return len(variable) >= len(ownPrefix) && strings.EqualFold(variable[:len(ownPrefix)], ownPrefix)
	})
}
