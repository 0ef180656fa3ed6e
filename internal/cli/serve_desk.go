package cli

import (
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"

	"gatehouse/internal/sessionstore"
	"gatehouse/internal/sshd"
)

// openUser is the name under which somebody without a key runs a check. Clients ask to be
// let in without a key before they offer one, so only a name keeps the two apart.
const openUser = "check"

// inPostgres is the kind of the store that keeps what is counted, see [sessionstore.Durability].
const inPostgres = "postgres"

// deskFlags are the flags of the command serve about the support desk.
type deskFlags struct {
	keys      string
	openCheck bool
}

func (f *deskFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.keys, "desk-keys", "", "keep results of checks for the support desk: the owners of the keys in this `file` read them")
	flags.BoolVar(&f.openCheck, "open-check", false, "let anybody run 'ssh -t "+openUser+"@HOST check EMAIL --sign-in' without a key: strangers may try passwords")
}

// refuse returns the error for flags that contradict each other.
func (f *deskFlags) refuse(access sshd.Access) error {
	switch {
	case f.keys != "" && access.Anyone:
		return usage("flags --anyone and --desk-keys contradict each other: whom anybody is let in as, nobody knows",
			"Use --authorized-keys FILE or --user-ca FILE, so that the desk is known by its keys.")
	case f.openCheck && access.Anyone:
		return usage("flags --anyone and --open-check contradict each other: everybody gets in as it is", "Leave one of them out.")
	default:
		return nil
	}
}

// supportDesk is what the visitors of a server leave for its support desk.
type supportDesk struct {
	tickets sessionstore.Desk
	// staff are the keys of the desk; nil: there is none, and no result is kept.
	staff *sshd.KeyList
}

// openDesk opens the keys of the desk and the name that is open, and says what strangers may
// do then. Without the flags there is no desk.
func (a *app) openDesk(s *sharedByVisitors, f *deskFlags, o *sshd.Options) (err error) {
	if f.keys == "" && !f.openCheck {
		return nil
	}
	s.desk = &supportDesk{tickets: sessionstore.Desk{Store: s.store, Keys: s.keys, Now: s.now}}
	o.Commands = append(o.Commands, ticketName)
	if f.keys != "" {
		if s.desk.staff, err = sshd.OpenKeyList(f.keys, "keys of the support desk", s.now, o.Log); err != nil {
			return serveProblem(*o, err)
		}
	}
	if !f.openCheck {
		return nil
	}
	o.Access.Open = openUser
	sentence := fmt.Sprintf("Anybody may run a check with `ssh -t %s@HOST check EMAIL --sign-in`, without a key, and so try passwords: %d in an hour from an address, and %[2]d of an account.", openUser, openTries)
	if !s.kept {
		sentence += " These are counted in memory: each server counts alone, and anew after a restart."
	}
	a.atStart(slog.LevelWarn, "open check", sentence, "user", openUser, "tries", openTries, "within", openWithin.String())
	return nil
}
