package e2e

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// pagesThatRun are the pages whose blocks of sh run as they stand, in one shell for each
// page, as ada of the demo.
var pagesThatRun = []string{
	"docs/accessible.md", "docs/commands.md", "docs/demo.md", "docs/getting-started.md", "docs/lists.md", recipes, "docs/support-desk.md",
}

// recipes is the page for scripts: it shows what they get, without the messages for people.
const recipes = "docs/scripting.md"

// block is a script of a page and, where it is shown, what it prints.
var block = regexp.MustCompile("(?ms)^```sh\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?")

func TestTheCommandsOfThePagesPrintWhatThePagesShow(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"bash", "jq", "fzf", "sqlite3", "curl"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(tool + " is not installed")
		}
	}
	for _, page := range pagesThatRun {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			blocks := block.FindAllStringSubmatch(read(t, page), -1)
			if n := strings.Count(read(t, page), "\n```sh\n"); len(blocks) != n || n == 0 || page == recipes && n < 20 {
				t.Fatalf("%d of %d blocks are understood", len(blocks), n)
			}
			printed, err := runBlocks(t, blocks, page != recipes)
			for i, b := range blocks {
				if i >= len(printed) {
					t.Fatalf("the page ended before:\n%s%v", b[1], err)
				}
				if diff := cmp.Diff(steady(b[2]), steady(printed[i])); diff != "" && b[2] != "" {
					t.Errorf("%sprints (-page +printed):\n%s", b[1], diff)
				}
			}
			if err != nil {
				last := len(printed) - 1
				t.Errorf("%v after\n%s%s", err, blocks[last][1], printed[last])
			}
		})
	}
}

// begins is what a page prints before each of its blocks.
const begins = "\x01\n"

// runBlocks runs the blocks of a page in a directory of their own, and says what each that
// was begun has printed, with or without messages.
func runBlocks(t *testing.T, blocks [][]string, messages bool) ([]string, error) {
	t.Helper()
	env, dir := demoService(t), t.TempDir()
	var variables strings.Builder
	for _, variable := range env {
		name, value, _ := strings.Cut(variable, "=")
		fmt.Fprintf(&variables, "export %s='%s'\n", name, value)
		if name == "GATEHOUSE_BASE_URL" {
			env = append(env, "GATEWAY="+strings.ReplaceAll(value, "{domain}", "harbor.example"))
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "demo.env"), []byte(variables.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	var script strings.Builder
	if !slices.ContainsFunc(blocks, func(b []string) bool { return strings.Contains(b[1], "gatehouse login") }) {
		script.WriteString("printf demo | gatehouse login --username ada@harbor.example --password-stdin\n")
	}
	for _, b := range blocks {
		script.WriteString("printf " + strconv.Quote(`\001\n`) + "\n" + b[1])
	}
	run := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", script.String())
	var output bytes.Buffer
	run.Dir, run.Stdout, run.Stderr = dir, &output, t.Output()
	if messages {
		run.Stderr = &output
	}
	run.Env = append(env, "PASSWORD=demo", "PATH="+filepath.Dir(binary)+":"+os.Getenv("PATH"))
	err := run.Run()
	return strings.Split(output.String(), begins)[1:], err
}

// differing is what differs from run to run: ids, the port of the service, and the line ends
// of the standard of CSV.
var differing = regexp.MustCompile(`\b[0-9A-Z]{4}-[0-9A-Z]{4}\b|127\.0\.0\.1:\d+|\r`)

// steady is a text with the same in place of what differs.
func steady(text string) string {
	return differing.ReplaceAllStringFunc(text, func(found string) string {
		return map[bool]string{true: "", false: "?"}[found == "\r"]
	})
}
