package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// recipe is a heading of docs/scripting.md with its script and, where one is shown, its output.
var recipe = regexp.MustCompile("(?ms)^### ([^\n]+)\n.*?^```sh\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?")

func TestTheRecipesForScriptsWork(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"bash", "jq", "fzf", "sqlite3", "curl"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(tool + " is not installed")
		}
	}
	recipes := recipe.FindAllStringSubmatch(read(t, "docs/scripting.md"), -1)
	if len(recipes) < 20 || len(recipes) != strings.Count(read(t, "docs/scripting.md"), "\n### ") {
		t.Fatalf("%d recipes are understood", len(recipes))
	}
	env := append(demoService(t), "PASSWORD=demo", "PATH="+filepath.Dir(binary)+":"+os.Getenv("PATH"))
	for _, variable := range env {
		if url, found := strings.CutPrefix(variable, "GATEHOUSE_BASE_URL="); found {
			env = append(env, "GATEWAY="+strings.ReplaceAll(url, "{domain}", "harbor.example"))
		}
	}
	dir := t.TempDir()
	for i, r := range recipes {
		script := r[2]
		if i == 0 { // the passphrase is that of the tests, which those that follow have too
			script = script[strings.Index(script, "\n")+1:]
		}
		run := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", script)
		run.Dir, run.Env = dir, env
		var stdout, stderr bytes.Buffer
		run.Stdout, run.Stderr = &stdout, &stderr
		if err := run.Run(); err != nil || r[3] != "" && strings.ReplaceAll(stdout.String(), "\r\n", "\n") != r[3] { // CSV has the line ends of its standard
			t.Errorf("%s: %v\n%s%s\nwant\n%s", r[1], err, stdout.String(), stderr.String(), r[3])
		}
	}
}
