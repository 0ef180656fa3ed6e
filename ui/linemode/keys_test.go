package linemode

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/config"
	"gatehouse/ui"
)

// otherKeys is a key map in which no action has a key that another has by default.
func otherKeys(t *testing.T) *ui.KeyMap {
	t.Helper()
	var free []string
	for _, modifiers := range []string{"alt+", "ctrl+alt+"} {
		for _, sign := range "abcdefghijklmnopqrstuvwxyz0123456789" {
			free = append(free, modifiers+string(sign))
		}
	}
	for _, modifiers := range []string{"ctrl+", "alt+", "shift+", "ctrl+alt+", "ctrl+shift+", "alt+shift+", "ctrl+alt+shift+"} {
		for number := range 12 {
			free = append(free, modifiers+"f"+strconv.Itoa(number+1))
		}
	}
	var bindings []config.Binding
	for e := range ui.Keys().Entries() {
		if len(free) == 0 {
			t.Fatal("there are more actions than keys for them")
		}
		bindings = append(bindings, config.Binding{Action: e.Name(), Keys: free[:1]})
		free = free[1:]
	}
	bound, err := ui.Keys().Bind(bindings)
	if err != nil {
		t.Fatal(err)
	}
	return bound
}

// ownOfARun is what differs between two conversations with the same answers: the ids of checks, how
// long something took, and how far a list had been loaded when that was said.
var ownOfARun = regexp.MustCompile(`[0-9A-Z]{4}-[0-9A-Z]{4}|<?[0-9.]+ m?s\b|Loading.*|Started at .*`)

// A person types words, so the conversation is the same whatever keys are bound.
func TestAConversationDoesNotDependOnKeys(t *testing.T) {
	v := demoVariables(t)
	talkWith := func(t *testing.T, keys *ui.KeyMap, answers []string) string {
		o, dir := v.options(t), t.TempDir()
		o.Keys = keys
		inDir := make([]string, len(answers))
		for i, answer := range answers {
			inDir[i] = strings.ReplaceAll(answer, "DIR", dir)
		}
		said := strings.ReplaceAll(talk(t, o, inDir...), dir, "DIR")
		return ownOfARun.ReplaceAllString(said, "")
	}
	for name, answers := range map[string][]string{
		"lists": signedIn("ada", "filter minato", "filter", "1", "help", "filter board", "help", "1", "back", "filter", "2", "next", "back", "refresh",
			"sort name", "mark 1-2", "unmark", "values category", "filter team", "filter", "1", "filter", "values category", "back", "back", "back"),
		"an export": signedIn("ada", "1", "export DIR/shares.csv", "export DIR/shares.csv", "replace", "back"),
		"a check":   {"check", "more fields", "finn@harbor.example", "", "laptop", "", "demo", "help", "1", "back", "back"},
		"a login":   signedIn("ada", "1", "Device login", "", "", "", "", "", "demo", "help", "back", "back"),
	} {
		t.Run(name, func(t *testing.T) {
			usual, other := talkWith(t, ui.Keys(), answers), talkWith(t, otherKeys(t), answers)
			if diff := cmp.Diff(usual, other); diff != "" {
				t.Errorf("with other keys (+) another thing is said:\n%s", diff)
			}
		})
	}
}
