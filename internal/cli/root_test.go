package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

func TestEveryCommandHasHelpWithExamples(t *testing.T) {
	root := newApp(newDesk(t).environment(nil, nil)).rootCommand()
	commands := append(root.Commands(), root)
	for i := 0; i < len(commands); i++ {
		command := commands[i]
		if command != root {
			commands = append(commands, command.Commands()...)
		}
		if command.IsAdditionalHelpTopicCommand() {
			continue
		}
		if command.Short == "" || command.Long == "" || !strings.Contains(command.Example, "gatehouse") {
			t.Errorf("%s: short %q, long %q, example %q", command.Name(), command.Short, command.Long, command.Example)
		}
		got := newDesk(t).run(append(strings.Fields(command.CommandPath())[1:], "--help")...)
		if got.code != exitDone || got.stderr != "" || !strings.Contains(got.stdout, "Examples:") {
			t.Errorf("%s --help: %+v", command.Name(), got)
		}
		narrow := newDesk(t)
		narrow.terminal = 60
		said, _, _ := strings.Cut(narrow.run(append(strings.Fields(command.CommandPath())[1:], "--help")...).stdout, "Usage:")
		wide := func(line string) bool { return len(line) > narrow.terminal }
		if slices.ContainsFunc(strings.Split(said, "\n"), wide) || !strings.HasPrefix(strings.Join(strings.Fields(got.stdout), " "), strings.Join(strings.Fields(command.Long), " ")) {
			t.Errorf("%s --help in %d columns:\n%s", command.Name(), narrow.terminal, said)
		}
	}
}

func TestNoFlagIsASecret(t *testing.T) {
	root := newApp(newDesk(t).environment(nil, nil)).rootCommand()
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

func TestFlagsOverrideVariables(t *testing.T) {
	d := demoDesk(t)
	d.variables["GATEHOUSE_STORE"] = "memory"
	d.stdin = "demo"
	d.mustRun("login", "--store", "file", "--email", "ada@harbor.example", "--password-stdin", "--authority", "test")
	if who := d.mustRun("whoami", "--store", "file", "-o", "csv"); !strings.Contains(who, ",test,env\r\n") {
		t.Errorf("whoami says %s", who)
	}
}

func TestTheOldNameOfTheAccountIsTakenAndNotShown(t *testing.T) {
	d := demoDesk(t)
	d.stdin = "demo"
	d.mustRun("login", "--username", "ada@harbor.example", "--password-stdin")
	if help := d.mustRun("login", "--help"); strings.Contains(help, "--username") || !strings.Contains(help, "-u, --email EMAIL") {
		t.Errorf("the help is:\n%s", help)
	}
}

func TestHelpShowsTheGlobalFlagsThatMeanSomething(t *testing.T) {
	d := newDesk(t)
	for command, want := range map[string]string{
		"man": "", "completion zsh": "", "logout": "--config, --profile\n", "whoami": "--authority, --config, --log-file, --profile, --store\n",
	} {
		help := d.mustRun(append(strings.Fields(command), "--help")...)
		if _, got, _ := strings.Cut(help, "Global flags:\n  "); got != want {
			t.Errorf("%s:\n%s", command, help)
		}
		if shows := strings.Contains(help, "--output FORMAT"); shows != (command == "whoami") {
			t.Errorf("%s: --output is shown: %v", command, shows)
		}
	}
	d.mustRun("--store", "memory", "-o", "json", "help", "man")
}
