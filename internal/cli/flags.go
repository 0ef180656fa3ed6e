package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// badFlag puts into words what is wrong with a flag, where pflag does so in Go's. A
// word that is no command comes before its flags.
func (a *app) badFlag(cmd *cobra.Command, err error) error {
	if first := a.args[:min(1, len(a.args))]; !cmd.HasParent() && len(first) > 0 && !strings.HasPrefix(first[0], "-") {
		return knownCommand(cmd, first)
	}
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		flag := invalid.GetFlag()
		return usage(fmt.Sprintf("flag --%s is %q", flag.Name, invalid.GetValue()), wanted(flag.Value.Type()))
	}
	return err
}

// wanted says what a flag of that type of pflag's takes.
func wanted(kind string) string {
	switch kind {
	case "duration":
		return "Want a time such as 30s, 15m or 2h."
	case "bool":
		return "Want true or false."
	case "float64":
		return "Want a number such as 2 or 0.5."
	default:
		return "Want a whole number."
	}
}
