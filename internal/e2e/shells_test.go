//go:build unix

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// shells are started with the script of `gatehouse completion` that lies in the file $SCRIPT.
var shells = map[string][]string{
	"bash": {"--norc", "--noprofile", "-i"},
	"zsh":  {"-f", "-i"},
	"fish": {"--no-config", "-i"},
}

// toldFirst is what a shell is told first, as the files of its start would. Bash needs what Debian
// and others have in the package bash-completion.
var toldFirst = map[string]string{
	"bash": ". /usr/share/bash-completion/bash_completion; . $SCRIPT; PS1='rea''dy> '",
	"zsh":  "autoload -U compinit; compinit -u -D; . $SCRIPT; PS1='rea''dy> '",
	"fish": "set -g fish_autosuggestion_enabled 0; source $SCRIPT; function fish_prompt; echo -n 'rea''dy> '; end",
}

func TestShellsCompleteCommandsAndProfiles(t *testing.T) {
	t.Parallel()
	env := home(t)
	profiles := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(profiles, []byte("[profiles.main]\n[profiles.laboratory]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, args := range shells {
		t.Run(name, func(t *testing.T) {
			program, err := exec.LookPath(name)
			if err != nil {
				t.Skip("there is no " + name)
			}
			if _, err := os.Stat("/usr/share/bash-completion/bash_completion"); err != nil && name == "bash" {
				t.Skip("there is no bash-completion")
			}
			script := filepath.Join(t.TempDir(), "script")
			if err := os.WriteFile(script, []byte(gatehouse(t, env, "", "completion", name).stdout), 0o600); err != nil {
				t.Fatal(err)
			}
			command := exec.Command(program, args...)
			command.Env = append(env, "TERM=xterm-256color", "SCRIPT="+script, "PROFILES="+profiles, "PATH="+filepath.Dir(binary)+":/usr/bin:/bin")
			term := startTerminal(t, command, 120, 40)
			term.Type(toldFirst[name] + enter)
			term.WaitFor("ready> ")
			for typed, completed := range map[string]string{
				"gatehouse compan": "ies",
				"gatehouse whoami --config $PROFILES --profile lab": "oratory",
			} {
				term.Type(typed + tab)
				term.WaitFor("ready> " + typed + completed)
				term.Type("\x15") // ctrl+u
				term.WaitGone(typed)
			}
		})
	}
}
