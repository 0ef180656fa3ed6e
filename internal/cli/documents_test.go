package cli

import (
	"bytes"
	"context"
	"net/url"
	"strings"
	"testing"

	"gatehouse/internal/testkit"
	"gatehouse/internal/text/secret"
	"gatehouse/session"
)

// dialogue is a person whose answers stand behind the questions, as on a terminal; a secret
// does not.
type dialogue struct{ person }

func (d *dialogue) Line(ctx context.Context, question string) (string, error) {
	answer, err := d.person.Line(ctx, question)
	return answer, d.show(question, answer, err)
}

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

func TestThePageOfProfilesHasEachStore(t *testing.T) {
	table := "| store | what it is |\n|---|---|\n"
	for i, store := range session.Stores() {
		usual := ""
		if i == 0 {
			usual = " (default)"
		}
		table += "| `" + store.Name + "`" + usual + " | " + store.About + " |\n"
	}
	testkit.Section(t, "docs/profiles.md", "stores", table)
}

func TestThePageForBeginnersShowsHowAProfileIsSetUp(t *testing.T) {
	answers := []string{"", "client_id", "global_url", "ada@harbor.example", "", "auth_url", "base_url", "client_secret", "", "", "demo"}
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
