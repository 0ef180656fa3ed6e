package cli

import (
	"bytes"
	"context"
	"io"
	"regexp"
	"strings"
	"testing"

	"gatehouse/internal/text/shell"
)

// endsWhen is a writer that ends the command when something is said.
type endsWhen struct {
	io.Writer
	said string
	end  context.CancelFunc
}

func (w endsWhen) Write(p []byte) (int, error) {
	if strings.Contains(string(p), w.said) {
		w.end()
	}
	return w.Writer.Write(p)
}

// The demo that is started writes its variables for the shell that the person uses, or asks for.
func TestTheDemoWritesItsVariablesForAShell(t *testing.T) {
	lines := map[shell.Shell]*regexp.Regexp{
		shell.POSIX:      regexp.MustCompile(`^export (GATEHOUSE_\w+)='(.*)'\n$`),
		shell.Cmd:        regexp.MustCompile(`^@set "(GATEHOUSE_\w+)=(.*)"\r\n$`),
		shell.PowerShell: regexp.MustCompile(`^\$env:(GATEHOUSE_\w+) = '(.*)'\n$`),
	}
	for _, tc := range []struct {
		from  shell.Shell // the shell that the command is started from
		asked string
		want  shell.Shell
	}{
		{shell.POSIX, "", shell.POSIX},
		{shell.Cmd, "", shell.Cmd},
		{shell.PowerShell, "", shell.PowerShell},
		{shell.Cmd, "sh", shell.POSIX},
		{shell.POSIX, "cmd", shell.Cmd},
		{shell.POSIX, "powershell", shell.PowerShell},
	} {
		ctx, end := context.WithCancel(t.Context())
		defer end()
		var stdout, stderr bytes.Buffer
		env := newDesk(t).environment(&stdout, endsWhen{&stderr, "listens on", end})
		env.Shell = func() shell.Shell { return tc.from }
		args := []string{"demo", "--listen", "127.0.0.1:0"}
		if tc.asked != "" {
			args = append(args, "--shell", tc.asked)
		}
		if code := Execute(ctx, args, env); code != exitDone {
			t.Fatalf("%+v: exit code %d\n%s", tc, code, &stderr)
		}
		set := map[string]string{}
		for line := range strings.Lines(stdout.String()) {
			found := lines[tc.want].FindStringSubmatch(line)
			if found == nil {
				t.Fatalf("%+v: %q", tc, line)
			}
			set[found[1]] = found[2]
		}
		if set["GATEHOUSE_CLIENT_ID"] != "gatehouse-demo" || set["GATEHOUSE_CA_FILE"] == "" || len(set) != 11 {
			t.Errorf("%+v: %q", tc, set)
		}
	}
}
