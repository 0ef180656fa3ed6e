package ui

import (
	"strings"
	"testing"

	"gatehouse/internal/config"
	"gatehouse/internal/hostile"
	"gatehouse/internal/testkit"
	"gatehouse/internal/testkit/uitest"
)

func TestTheWayBackAndTheHelpStandAtTheEndOfEveryFooter(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		for _, width := range []int{40, 80, 120} {
			d := open(t, s, 80, 10)
			footer := func(want string) {
				t.Helper()
				d.Settle()
				lines := strings.Split(d.Frame(), "\n")
				if last := testkit.OneBlank(strings.TrimSpace(lines[len(lines)-1])); !strings.HasSuffix(last, want) || last == want {
					t.Errorf("%d cells: the footer is %q, want keys and %q at its end", width, last, want)
				}
			}
			d.Expect("E-mail").Resize(width, 10)
			signIn := "esc leave f1 keys ctrl+p all"
			if width == 40 {
				signIn = "esc leave f1 keys" // beside "ctrl+k check"
			}
			footer(signIn)
			d.Resize(80, 10)
			d.signIn("ada")
			d.Resize(width, 10)
			domains := "esc leave ? keys ctrl+p all"
			if width == 40 {
				domains = "esc leave ? keys"
			}
			footer(domains)
			d.Press("enter").Expect("42 shares").Gone("loading")
			footer("esc back ? keys ctrl+p all")
			s.Faults.Set(hostile.Rule{Fault: hostile.Respond(404, "", "")})
			d.Press("r").Expect("The list is from", "r refresh")
			s.Faults.Set()
		}
	})
}

func TestTheWayBackStandsAtTheEndWithWhateverKey(t *testing.T) {
	keys, err := Keys().Bind([]config.Binding{{Action: "root.back", Keys: []string{"f9"}}})
	if err != nil {
		t.Fatal(err)
	}
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 80, 10)
		d.model.root.env.Keys = keys
		d.Resize(80, 11).Expect("f9 leave f1 keys ctrl+p all")
	})
}

func TestTheFooterOfAListComparesTheTwoMarked(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 120, 24)
		d.signIn("ada")
		d.Press("space", "space").Expect("2 marked", "v compare")
		d.Press("esc").Gone("v compare").Press("enter").Expect("12 shares").Gone("loading")
		d.Press("space", "space").Expect("2 marked", "v compare")
	})
}

func TestNoticesStayOnEachScreenUntilOthersCome(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := start(t, Options{Open: neverOpens}, 80, 24)
		d.Update(noticeMsg{"this server is restarted in a minute\x1b[2J"})
		d.Expect("This server is restarted in a minute")
		d.Press("ctrl+t") // whose toast stands below
		d.Expect("ignores the mouse", "This server is restarted")
		d.Press("ctrl+p").Expect("run", "This server is restarted")
		if strings.Contains(textOf(d.model.root.frame), "\x1b[2J") {
			t.Error("a sequence of the notices is drawn")
		}
		d.Update(noticeMsg{"it is not, after all"})
		d.Expect("It is not, after all").Gone("restarted")
		d.Press("esc").Expect("It is not, after all")
	})
}

func TestNoticesComeBeforeAllElseOnALowScreen(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := start(t, Options{Open: neverOpens}, 40, 6)
		d.Update(noticeMsg{"this server ends in half a minute, and takes no new connections"})
		d.Expect("This server ends")
		d.Press("ctrl+t")
		if frame := d.Frame(); !strings.Contains(frame, "This server ends") || strings.Contains(frame, "Mouse o") {
			t.Errorf("the frame is\n%s", frame)
		}
	})
}
