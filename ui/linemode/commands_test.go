package linemode

import (
	"strings"
	"testing"

	"gatehouse/internal/testkit"
)

func TestThePageOfPlainLinesHasTheCommandsOfAList(t *testing.T) {
	table := "| command | what it does |\n|---|---|\n"
	for _, c := range commands() {
		table += "| " + strings.TrimSuffix("`"+c.verb+"` "+c.argument, " ") + " | " + c.help + " |\n"
	}
	testkit.Section(t, "docs/accessible.md", "accessible", table)
}
