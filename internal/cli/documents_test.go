package cli

import (
	"bytes"
	"context"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gatehouse/internal/secret"
	"gatehouse/internal/serve"
	"gatehouse/internal/sshd"
	"gatehouse/internal/testkit"
)

var (
	// listing is a block of commands, or of commands after $ and what they print.
	listing = regexp.MustCompile("(?ms)^ *```(sh|console|)\n(.*?)^ *```$")
	// mention is a command in a text: with placeholders, and with parts that may be left out.
	mention = regexp.MustCompile("`((?:gatehouse|ssh) [^`]+)`")
	// shellToken is a word of a shell, or a sign between commands.
	shellToken = regexp.MustCompile(`(?:'[^']*'|"[^"]*"|\\.|[^\s'"\\|;&()<>#])+|\|\||&&|[|;&()]|[<>]+|#.*`)
	assignment = regexp.MustCompile(`^[A-Z_]+=`)
)

// invocation is the program as a page calls it, here or by ssh.
type invocation struct {
	words   []string
	visitor bool
}

// invocations finds the calls of the program in a line of a shell.
func invocations(line string) (all []invocation) {
	line = strings.NewReplacer(`"$(`, "(", `)"`, ")", "<(", "(", "$(", "(").Replace(strings.TrimPrefix(strings.TrimSpace(line), "$ "))
	var words []string
	end := func() {
		for len(words) > 0 && (assignment.MatchString(words[0]) || slices.Contains([]string{"do", "then", "if", "!", "{", "exec"}, words[0])) {
			words = words[1:]
		}
		if len(words) > 0 && words[0] == "ssh" {
			if own := behindHost(words[1:]); len(own) > 0 {
				all = append(all, invocation{own, true})
			}
		} else if len(words) > 0 && (words[0] == "gatehouse" || words[0] == "./gatehouse") {
			all = append(all, invocation{words[1:], false})
		} else if len(words) > 2 && slices.Equal(words[:3], []string{"go", "run", "."}) {
			all = append(all, invocation{words[3:], false})
		}
		words = nil
	}
	redirected := false
	for _, token := range shellToken.FindAllString(line, -1) {
		switch {
		case strings.HasPrefix(token, "#"):
			end()
			return all
		case strings.ContainsAny(token[:1], "|;&()"):
			end()
		case strings.Trim(token, "<>") == "":
			redirected = true
			continue
		case !redirected:
			words = append(words, strings.Trim(token, `'"`))
		}
		redirected = false
	}
	end()
	return all
}

// behindHost are the words of a call of ssh that the server gets.
func behindHost(words []string) []string {
	for len(words) > 0 && strings.HasPrefix(words[0], "-") {
		if words[0] == "-p" || words[0] == "-o" || words[0] == "-i" {
			words = words[1:]
		}
		words = words[min(1, len(words)):]
	}
	return words[min(1, len(words)):]
}

// understand reads the words as the program does, and runs nothing. Arguments that stand for
// others are not looked at.
func (i invocation) understand(t *testing.T, placeholders bool) error {
	a := newApp(newDesk(t).environment(nil, nil))
	adapt := func(*cobra.Command) {}
	if i.visitor {
		shared := &serve.Visitors{Staff: new(sshd.KeyFile)}
		v := newVisit(&serve.Visitor{Connection: new(sshd.Connection), Demo: true, Shared: shared}, a.env)
		a, adapt = v.app, v.restrict
	}
	root := a.rootCommand()
	addBuiltins(root)
	adapt(root)
	a.addVersion(root)
	command, rest, err := root.Find(i.words)
	if err != nil {
		return err
	}
	if err := command.ParseFlags(rest); err != nil {
		if errors.Is(err, pflag.ErrHelp) {
			return nil
		}
		return err
	}
	if placeholders {
		return nil
	}
	return command.ValidateArgs(command.Flags().Args())
}

func TestEveryCommandInThePagesIsUnderstood(t *testing.T) {
	var files []string
	for _, pattern := range []string{"*.md", "docs/*.md"} {
		found, err := filepath.Glob(filepath.Join(testkit.Root(t), pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	understood := 0
	check := func(file, line string, placeholders bool) {
		placeholders = placeholders || strings.Contains(line, "...") || strings.Contains(line, "…")
		for _, i := range invocations(line) {
			understood++
			if err := i.understand(t, placeholders); err != nil {
				t.Errorf("%s: %s: %v", filepath.Base(file), line, err)
			}
		}
	}
	for _, file := range files {
		page, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(page), "\\\n", " ")
		for _, block := range listing.FindAllStringSubmatch(text, -1) {
			dialogue := strings.Contains(block[2], "$ ")
			for line := range strings.Lines(block[2]) {
				if line = strings.TrimSpace(line); block[1] == "sh" || dialogue && strings.HasPrefix(line, "$ ") {
					check(file, line, false)
				}
			}
		}
		for _, found := range mention.FindAllStringSubmatch(listing.ReplaceAllString(text, ""), -1) {
			check(file, strings.NewReplacer(`\|`, " ", "[", "", "]", "", "(", "", ")", "").Replace(found[1]), true)
		}
	}
	if understood < 90 {
		t.Errorf("%d commands were looked at", understood)
	}
}

func TestHowTheCommandsOfAPageAreRead(t *testing.T) {
	for line, want := range map[string]string{
		`printf %s "$P" | ./gatehouse login -u a@x --password-stdin`: "login -u a@x --password-stdin",
		`A=b gatehouse shares --filter 'a|b' > x.csv # all`:          "shares --filter a|b",
		`printf 'A: %s' "$(gatehouse token)" | curl`:                 "token",
		`$ ssh -t -p 2222 host check a@x --sign-in`:                  "check a@x --sign-in",
		`install gatehouse /usr/bin; go run . demo --no-mouse`:       "demo --no-mouse",
	} {
		got := invocations(line)
		if len(got) != 1 || strings.Join(got[0].words, " ") != want || got[0].visitor != strings.Contains(line, "ssh") {
			t.Errorf("%s: %+v, want %s", line, got, want)
		}
	}
	for _, wrong := range []invocation{
		{words: []string{"nosuch"}}, {words: []string{"shares", "--nosuch"}}, {words: []string{"lookup", "a@x"}, visitor: true},
	} {
		if err := wrong.understand(t, false); (err == nil) != wrong.visitor {
			t.Errorf("%+v: %v", wrong, err)
		}
	}
}

// dialogue is a person whose answers stand behind the questions, as on a terminal; a secret
// does not.
type dialogue struct{ person }

// Line implements [Asker].
func (d *dialogue) Line(ctx context.Context, question string) (string, error) {
	answer, err := d.person.Line(ctx, question)
	return answer, d.show(question, answer, err)
}

// Secret implements [Asker].
func (d *dialogue) Secret(ctx context.Context, question string) (secret.Text, error) {
	answer, err := d.person.Secret(ctx, question)
	return answer, d.show(question, "", err)
}

// show replaces the line of a question by one with its answer.
func (d *dialogue) show(question, answer string, err error) error {
	if err == nil {
		text := d.stderr.(*bytes.Buffer)
		text.Truncate(text.Len() - len(question) - 1)
		text.WriteString(strings.TrimSpace(question+answer) + "\n")
	}
	return err
}

func TestThePageForBeginnersShowsHowAProfileIsSetUp(t *testing.T) {
	answers := []string{"", "", "client_id", "global_url", "ada@harbor.example", "", "auth_url", "base_url", "client_secret", "", "", "demo"}
	d, service, file := setupDesk(t, answers...)
	var stdout, stderr bytes.Buffer
	env := d.environment(&stdout, &stderr)
	env.Ask = &dialogue{person{answers: answers, stderr: &stderr}}
	if code := Execute(t.Context(), []string{"config", "init", "--config", file}, env); code != exitDone {
		t.Fatalf("exit code %d\n%s", code, &stderr)
	}
	listens, _ := url.Parse(service["global_url"])
	told := strings.NewReplacer(file, "~/.config/gatehouse/config.toml", listens.Host, "127.0.0.1:8080",
		`the store "file"`, `the store "keyring"`). // of which a test has none for sessions
		Replace(stderr.String())
	testkit.Section(t, "docs/getting-started.md", "init", "```console\n$ gatehouse config init\n"+told+"```\n")
}
