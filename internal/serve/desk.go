package serve

import (
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"

	"gatehouse/internal/sshd"
)

// OpenUser is the name under which somebody without a key runs a check. Clients ask to be
// let in without a key before they offer one, so only a name keeps the two apart.
const OpenUser = "check"

// deskFlags are the flags of the command serve about the support desk.
type deskFlags struct {
	keys      string
	openCheck bool
}

func (f *deskFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.keys, "desk-keys", "", "keep the results of checks as tickets for the support desk, whose keys are in `FILE`")
	flags.BoolVar(&f.openCheck, "open-check", false, "let anyone run 'ssh -t "+OpenUser+"@HOST check EMAIL --sign-in' without a key; strangers can then try passwords")
}

// openDesk opens the keys of the desk and the name that is open, and says what strangers may
// do then. Without the flags there is no desk.
func (s *Visitors) openDesk(f *deskFlags, operator operator, o *sshd.Options) (err error) {
	if f.keys != "" {
		if s.Staff, err = sshd.OpenKeyFile(f.keys, "keys of the support desk", o.Log); err != nil {
			return err
		}
	}
	if f.keys != "" || f.openCheck {
		o.Commands = append(o.Commands, TicketCommand)
	}
	if !f.openCheck {
		return nil
	}
	o.Access.Open = OpenUser
	sentence := fmt.Sprintf("Anyone can run a check with `ssh -t %s@HOST check EMAIL --sign-in`, without a key, and so try passwords: %d an hour from an address, and %[2]d for an account.", OpenUser, openTries)
	if !s.Kept {
		sentence += " Each server counts on its own, in memory, and starts from 0 after a restart."
	}
	operator.tell(slog.LevelWarn, "open check", sentence, "user", OpenUser, "tries", openTries, "within", tryWithin.String())
	return nil
}
