package linemode

import (
	"strings"
	"testing"

	"gatehouse/internal/testkit"
)

func TestTheReadmeHasTheCommandsOfAList(t *testing.T) {
	table := "| command | what it does |\n|---|---|\n"
	for _, c := range commands() {
		table += "| `" + strings.TrimSpace(c.verb+" "+c.argument) + "` | " + c.help + " |\n"
	}
	testkit.Section(t, "README.md", "accessible", table)
}
