package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"gatehouse/internal/testkit"
)

func TestEveryCommandHasHelpWithExamples(t *testing.T) {
	root := (&app{env: newDesk(t).environment(nil, nil)}).rootCommand()
	commands := append(root.Commands(), root)
	for i := 0; i < len(commands); i++ {
		command := commands[i]
		if command != root {
			commands = append(commands, command.Commands()...)
		}
		if command.Short == "" || command.Long == "" || !strings.Contains(command.Example, "gatehouse") {
			t.Errorf("%s: short %q, long %q, example %q", command.Name(), command.Short, command.Long, command.Example)
		}
		got := newDesk(t).run(append(strings.Fields(command.CommandPath())[1:], "--help")...)
		if got.code != exitDone || got.stderr != "" || !strings.Contains(got.stdout, "Examples:") {
			t.Errorf("%s --help: %+v", command.Name(), got)
		}
	}
}

func TestTheReadmeHasEveryCommand(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join(testkit.Root(t), "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	root := (&app{env: newDesk(t).environment(nil, nil)}).rootCommand()
	for commands := root.Commands(); len(commands) > 0; commands = commands[1:] {
		command := commands[0]
		commands = append(commands, command.Commands()...)
		if !command.HasSubCommands() && !strings.Contains(string(readme), "| `"+command.CommandPath()) {
			t.Errorf("`%s` has no row in the table of commands", command.CommandPath())
		}
	}
}

func TestNoFlagIsASecret(t *testing.T) {
	root := (&app{env: newDesk(t).environment(nil, nil)}).rootCommand()
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		for _, name := range []string{"password", "client-secret", "api-key", "store-passphrase", "token", "ad-token"} {
			if c.Flags().Lookup(name) != nil || c.PersistentFlags().Lookup(name) != nil {
				t.Errorf("%s has the flag --%s", c.Name(), name)
			}
		}
		for _, child := range c.Commands() {
			walk(child)
		}
	}
	walk(root)
}

func TestTheShellCompletesTheValuesOfFlags(t *testing.T) {
	config := oneProfile(t)
	for _, tc := range []struct {
		args []string
		want string
	}{
		{[]string{"whoami", "--output", ""}, "table\njson\nndjson\ncsv\n"},
		{[]string{"whoami", "--store", ""}, "keyring\nfile\nmemory\n"},
		{[]string{"login", "--authority", ""}, "main\ndomain\ntest\n"},
		{[]string{"device-login", "--device-type", ""}, "Pc\nAndroidPhone\nAndroidTable\nIpad\nIpadMine\nIphone\nWindowsPhone\nWindowsTablet\nMac\nUnknown\n"},
		{[]string{"whoami", "--config", config, "--profile", ""}, "main\n"},
		{[]string{"whoami", "--config", "/nonexistent", "--profile", ""}, ""},
		{[]string{"shares", "--domain", ""}, ""},
		{[]string{"config", "set-secret", ""}, "client-secret\napi-key\n"},
		{[]string{"config", "set-secret", "api-key", ""}, ""},
	} {
		got := newDesk(t).run(append([]string{"__complete"}, tc.args...)...)
		want := tc.want + ":4\n" // ShellCompDirectiveNoFileComp
		if got.code != exitDone || got.stdout != want {
			t.Errorf("%v: got %q, want %q", tc.args, got.stdout, want)
		}
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if got := newDesk(t).run("completion", shell); got.code != exitDone || len(got.stdout) < 1000 {
			t.Errorf("completion %s: exit code %d, %d bytes", shell, got.code, len(got.stdout))
		}
	}
}

func TestFlagsOverrideVariables(t *testing.T) {
	d := demoDesk(t)
	d.variables["GATEHOUSE_STORE"] = "memory"
	d.stdin = "demo"
	d.mustRun("login", "--store", "file", "--username", "ada@harbor.example", "--password-stdin", "--authority", "test")
	if who := d.mustRun("whoami", "--store", "file", "-o", "csv"); !strings.Contains(who, ",test,env\r\n") {
		t.Errorf("whoami says %s", who)
	}
}
