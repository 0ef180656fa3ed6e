package cli

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"gatehouse/internal/config"
	"gatehouse/internal/testkit"
	"gatehouse/internal/text/safetext"
)

func TestTopicsOfTheHelpAreThePagesInDocs(t *testing.T) {
	for topic, has := range map[string][]string{
		"profiles": {"auth_url", "GATEHOUSE_CLIENT_SECRET ", config.DefaultPath(), "docs/keys.md:"},
		"filters":  {"\n annual | 2019 either", "created>7d", "larger:1GB", "--columns"},
	} {
		got := newDesk(t).run("help", topic)
		if got.code != exitDone || got.stderr != "" || regexp.MustCompile(`\]\(|\\\||\$XDG_CONFIG`).MatchString(got.stdout) {
			t.Errorf("help %s: %+v", topic, got)
		}
		for _, part := range has {
			if !strings.Contains(testkit.OneBlank(got.stdout), part) {
				t.Errorf("help %s lacks %q:\n%s", topic, part, got.stdout)
			}
		}
		said := strings.Fields(got.stdout)
		for _, word := range strings.Fields(readable(pageText(t, "docs/"+topic+".md"))) {
			if !slices.Contains(said, word) && !strings.Contains(word, "XDG_CONFIG") {
				t.Errorf("help %s has not the word %q of the page", topic, word)
			}
		}
		for line := range strings.Lines(got.stdout) {
			if strings.HasPrefix(line, "|") || strings.HasPrefix(line, "  ") && safetext.Width(line) > topicWidth {
				t.Errorf("help %s has the line %q", topic, line)
			}
		}
		if list := newDesk(t).mustRun("help"); !regexp.MustCompile(`(?m)^  ` + topic + ` +\w`).MatchString(list) {
			t.Errorf("the help does not list %s:\n%s", topic, list)
		}
	}
}

// The rows of a table stand in columns, the last of which takes several lines.
func TestTablesOfTopicsAreSetInColumns(t *testing.T) {
	page := "before\n| a | b |\n| --- | --- |\n| `x \\| y` | [one](two.md) |\n| z | " + strings.Repeat("word ", 30) + "|\nbehind\n"
	want := "before\n  a      b\n  x | y  one\n  z      " + strings.TrimSpace(strings.Repeat("word ", 18)) + "\n" +
		"         " + strings.TrimSpace(strings.Repeat("word ", 12)) + "\nbehind\n"
	if got := readable(page); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// namedTopic is a topic as texts of the program name it.
var namedTopic = regexp.MustCompile(`gatehouse help ([a-z]+)`)

// The hints that lead to a topic are run.
func TestHintsNameTopicsThatThereAre(t *testing.T) {
	for name, hint := range map[string]outcome{
		"no profile":             newDesk(t).run("whoami"),
		"a set-up without tty":   newDesk(t).run("config", "init"),
		"a list":                 newDesk(t).run("shares", "--help"),
		"a list of companies":    newDesk(t).run("companies", "--help"),
		"no manual pages to see": newDesk(t).run("man", "--help"),
	} {
		found := namedTopic.FindStringSubmatch(strings.Join(strings.Fields(hint.stdout+hint.stderr), " "))
		if found == nil {
			t.Errorf("%s: no topic is named: %+v", name, hint)
			continue
		}
		if got := newDesk(t).run("help", found[1]); got.code != exitDone || !strings.HasPrefix(got.stdout, "# ") {
			t.Errorf("%s: help %s: %+v", name, found[1], got)
		}
	}
}
