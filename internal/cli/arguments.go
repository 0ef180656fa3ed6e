package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gatehouse/internal/config"
)

// badFlag turns pflag's error about a flag into a sentence. An unknown command is
// reported first: its flags cannot be known.
func (a *app) badFlag(cmd *cobra.Command, err error) error {
	if first := a.args[:min(1, len(a.args))]; !cmd.HasParent() && len(first) > 0 && !strings.HasPrefix(first[0], "-") {
		return knownCommand(cmd, first)
	}
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		flag := invalid.GetFlag()
		return usage(fmt.Sprintf("flag --%s is %q", flag.Name, invalid.GetValue()), "Use "+config.Accepts(flag.Value.Type())+".")
	}
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		return unknownFlag(cmd, unknown)
	}
	return err
}

// unknownFlag returns the error for a flag that a command does not have, with the name of
// the one that was probably meant.
func unknownFlag(cmd *cobra.Command, unknown *pflag.NotExistError) error {
	hint := "`" + cmd.CommandPath() + " --help` lists the flags."
	if unknown.GetSpecifiedShortnames() != "" {
		return usage("unknown flag -"+unknown.GetSpecifiedName(), hint)
	}
	if similar := config.Nearest("--"+unknown.GetSpecifiedName(), flagNames(cmd.Flags())); similar != "" {
		hint = "Did you mean " + similar + "? " + hint
	}
	return usage("unknown flag --"+unknown.GetSpecifiedName(), hint)
}

// knownCommand checks the arguments of a command that has only subcommands: any argument
// is an unknown command.
func knownCommand(parent *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := hintHelp(parent.CommandPath())
	if parent.HasParent() {
		hint = "`" + parent.CommandPath() + " --help` lists the commands."
	}
	if args[0] == "version" && !parent.HasParent() {
		hint = "`" + parent.CommandPath() + " --version` prints the version."
	} else if similar := parent.SuggestionsFor(args[0]); len(similar) > 0 {
		hint = "Did you mean " + strings.Join(similar, " or ") + "? " + hint
	}
	return usage(fmt.Sprintf("unknown command %q", args[0]), hint)
}

// unknownValue returns the error for a flag that takes one of some words, with the one that was
// probably meant.
func unknownValue(flag, value string, known []string) error {
	hint := "Use one of " + strings.Join(known, ", ") + "."
	if similar := config.Nearest(value, known); similar != "" {
		hint = "Did you mean " + similar + "? " + hint
	}
	return usage(fmt.Sprintf("flag %s is %q", flag, value), hint)
}

// noArguments checks the arguments of a command that takes flags only.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usage(fmt.Sprintf("`%s` takes no arguments, and was given %q", cmd.CommandPath(), args[0]), hintHelp(cmd.Root().CommandPath()))
}

// hintHelp names the help of a program that is called as given. The command help comes behind
// "ssh HOST", where ssh would take a flag as its own.
func hintHelp(called string) string {
	return "`" + called + " help` lists the commands, `" + called + " COMMAND --help` the flags of one."
}
