package cli

import (
	"regexp"
	"strings"
	"testing"

	"gatehouse/internal/config"
)

func TestTopicsOfTheHelpAreThePagesInDocs(t *testing.T) {
	for topic, has := range map[string][]string{
		"profiles": {"auth_url", "`GATEHOUSE_CLIENT_SECRET`", config.DefaultPath(), "docs/keys.md:"},
		"filters":  {"`annual | 2019`", "`created>7d`", "--columns"},
	} {
		got := newDesk(t).run("help", topic)
		if got.code != exitDone || got.stderr != "" || regexp.MustCompile(`\]\(|\\\||\$XDG_CONFIG`).MatchString(got.stdout) {
			t.Errorf("help %s: %+v", topic, got)
		}
		for _, part := range has {
			if !strings.Contains(got.stdout, part) {
				t.Errorf("help %s lacks %q:\n%s", topic, part, got.stdout)
			}
		}
		page := pageText(t, "docs/"+topic+".md")
		if lines := strings.Count(page, "\n"); strings.Count(got.stdout, "\n") != lines {
			t.Errorf("help %s has not the %d lines of the page", topic, lines)
		}
		if list := newDesk(t).mustRun("help"); !regexp.MustCompile(`(?m)^  ` + topic + ` +\w`).MatchString(list) {
			t.Errorf("the help does not list %s:\n%s", topic, list)
		}
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
