// Command gatehouse-release writes what a release has beside the program: the list of
// its modules, their licences, and the changelog in the form of Debian. `.release/make` runs it.
package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"
)

const use = `usage: gatehouse-release COMMAND
  sbom BINARY VERSION SECONDS VENDOR DOCUMENT   write the modules of a binary as CycloneDX
  licences VENDOR GO-LICENCE                    print the licences of Go and of the modules named on standard input
  copyright LICENCE                             print the licence in the form of Debian
  changelog CHANGELOG VERSION SECONDS           print the changelog in the form of Debian
  section CHANGELOG VERSION                     print the section of a version; fail without one
SECONDS is the time of the commit since 1970.`

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "gatehouse-release:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	command := ""
	if len(args) > 0 {
		command, args = args[0], args[1:]
	}
	switch {
	case command == "sbom" && len(args) == 5:
		at, err := timeOf(args[2])
		if err != nil {
			return err
		}
		return writeSBOM(args[0], args[1], at, args[3], args[4])
	case command == "licences" && len(args) == 2:
		return printLicences(args[0], args[1], os.Stdin)
	case command == "copyright" && len(args) == 1:
		return printCopyright(args[0])
	case command == "changelog" && len(args) == 3:
		at, err := timeOf(args[2])
		if err != nil {
			return err
		}
		return printDebian(args[0], args[1], at)
	case command == "section" && len(args) == 2:
		return printSection(args[0], args[1])
	}
	return errors.New(use)
}

func timeOf(seconds string) (time.Time, error) {
	n, err := strconv.ParseInt(seconds, 10, 64)
	return time.Unix(n, 0).UTC(), err
}
