package cli

import (
	"strings"
	"testing"
)

func TestTheAccessibleUIAsksEverythingInOneConversation(t *testing.T) {
	d := demoDesk(t).savesToDisk()
	delete(d.variables, "GATEHOUSE_STORE_PASSPHRASE")
	d.variables["GATEHOUSE_ACCESSIBLE"] = "1"
	d.stdin = "first\nfirst\nada@harbor.example\ndemo\n"
	if out := d.mustRun(); !strings.Contains(out, "New passphrase for the session store: \nRepeat the passphrase: \n") ||
		!strings.Contains(out, "You are signed in as ada@harbor.example.\n") {
		t.Errorf("the first time:\n%s", out)
	}
	d.stdin, d.terminal = "first\nquit\n", 30 // cells
	got := d.run("--accessible")
	if got.code != exitDone || !strings.Contains(got.stdout, "You are signed in as\nada@harbor.example.\n") || got.stderr != "" {
		t.Errorf("the second time: %+v", got)
	}
}

func TestCommandsStayAsTheyAreForThoseWhoWantAnAccessibleUI(t *testing.T) {
	d := demoDesk(t)
	d.variables["ACCESSIBLE"] = "1"
	d.login("ada@harbor.example")
	if out := d.mustRun("domains", "-o", "csv"); !strings.HasPrefix(out, "domain,primary") {
		t.Errorf("%s", out)
	}
}
