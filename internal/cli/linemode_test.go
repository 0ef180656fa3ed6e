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
	d.stdin = "wrong\nfirst\nquit\n"
	got := d.run("--accessible")
	if got.code != exitDone || !strings.Contains(got.stdout, "You are signed in as ada@harbor.example.\n") || got.stderr != "Wrong passphrase.\n" {
		t.Errorf("the second time: %+v", got)
	}
}

func TestDomainsOfASignInInLinesAreKnownToCompletions(t *testing.T) {
	d := demoDesk(t)
	d.stdin = "ada@harbor.example\ndemo\nquit\n"
	d.mustRun("--accessible")
	if offered, _ := d.completed("shares", "--domain", ""); len(offered) != 4 {
		t.Errorf("after signing in %q are offered", offered)
	}
	d.stdin = "sign out\nquit\n"
	out := d.mustRun("--accessible")
	if offered, _ := d.completed("shares", "--domain", ""); len(offered) != 0 {
		t.Errorf("after signing out %q are offered:\n%s", offered, out)
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
