package check

import (
	"testing"

	"gatehouse/internal/testkit/uitest"
	"gatehouse/ui/screen"
)

// entriesOf are the palette's entries of the reports of a stage.
func entriesOf(stage *uitest.Stage, m *Model) []screen.Entry {
	return Entries(stage.Env, m.options, m, nil)
}

func TestAListThatWasLeftOpensAgain(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		f := &fleet{report: mixed}
		stage := pasted(t, f, mixedList, 120, 40)
		stage.Expect("5 fail", "1 unknown").Gone("checking").Press("esc").Expect("Who cannot get in?")
		stage.Expect("✗ 12:00:00 11 addresses 5 ok, 5 fail, 1 unknown")
		stage.Press("down", "enter").Expect("Summary", "5 fail", "of 11").Gone("checking")
		stage.FitsEverySize()
		stage.Press("down", "enter").Expect("AAAA-BE-1").Press("esc").Expect("row 2 of 11")
		stage.Press("esc").Expect("Who cannot get in?")
		if n := f.times("ben@harbor.example"); n != 1 {
			t.Errorf("the list was checked again: %d", n)
		}

		desk := stage.Top().(*Model)
		if n := len(desk.options.History.Entries); n != 2 { // the list, and the card that was opened
			t.Errorf("%d entries are kept", n)
		}
		stage.Type("elis")
		list := entriesOf(stage, desk)
		stage.Run(list[1].Run()).Expect("Summary", "5 fail").Gone("checking")
		stage.Press("R").Settle().Gone("checking")
		if failed, fine := f.times("ben@harbor.example"), f.times("ada@harbor.example"); failed != 2 || fine != 1 {
			t.Errorf("what failed was asked %d times, and what did not %d times", failed, fine)
		}
		stage.Press("esc").Expect("E-mail elis")
		if n := len(desk.options.History.Entries); n != 3 {
			t.Errorf("with the list that was checked again, %d entries are kept", n)
		}
	})
}

func TestWhatAStoppedListHasFoundIsKept(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		f := &fleet{report: mixed, stalls: func(email string) bool { return email[0] == 'h' }}
		stage := pasted(t, f, mixedList, 120, 40)
		stage.Expect("10 of 11", "gus@harbor.example").Press("esc", "y").Expect("10 addresses of 11 kept").Settle()
		stage.Press("esc").Expect("11 addresses 4 ok, 5 fail, 1 unknown, 1 not asked")
		stage.Press("down", "enter").Expect("Summary", "1 not asked").Gone("checking")
		if n := f.underWay(); n != 0 {
			t.Errorf("%d checks are under way again", n)
		}
	})
}

func TestAListIsNotComparedWithAReport(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		stage := pasted(t, &fleet{report: mixed}, "ada@harbor.example\nben@harbor.example\n", 120, 40)
		stage.Expect("1 fail").Gone("checking").Press("esc").Type("cleo@harbor.example").Press("enter").Expect("AAAA-CL-1")
		stage.Press("v")
		requireReason(t, stage, "there is no other report yet")
		stage.Press("esc", "down", "down", "v")
		requireReason(t, stage, "only one report is compared with another")
	})
}

func TestAFormThatWasNotSentIsThereAgain(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		s, stage := newScript(), uitest.NewStage(t, 120, 34)
		o := s.options("")
		o.Draft = &Draft{}
		show := func() *uitest.Driver {
			for stage.Top() != nil {
				stage.Run(stage.Root.Pop(stage.Top()))
			}
			return stage.Show(New(stage.Env, o)).Settle()
		}
		show().Type("finn@harbor.example").Press("ctrl+o", "tab").Type("fjord.example").Press("tab", "tab", "tab", "right", "tab").Type("secret")
		show().Expect("finn@harbor.example", "fjord.example", "with my session")
		if got := stage.Top().(*Model).Value(fieldPassword); got != "" {
			t.Errorf("the password %q is kept", got)
		}
		stage.Type("x").Expect("finn@harbor.examplex").Press("backspace")

		s.report <- looksFine()
		stage.Press("enter", "enter", "enter", "enter", "enter", "enter").Expect("No fault seen").Press("esc").Expect("Who cannot get in?")
		stage.Gone("finn@harbor.example ").Gone("fjord.example")
		show().Gone("fjord.example").Type("ada")
		show().Expect("E-mail ada").Press("ctrl+u")
		show().Gone("ada ")
	})
}

func TestOpeningAReportLeavesTheFormAsItWas(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		s, stage := newScript(), uitest.NewStage(t, 120, 34)
		stage.Show(New(stage.Env, s.options("")))
		s.report <- wrongDomain()
		stage.Type("finn@harbor.example").Press("enter").Expect("Wrong domain").Press("esc").Type("eli")
		stage.Press("down", "enter").Expect("Wrong domain").Press("n").Type("gus").Expect("E-mail gus")
		stage.Press("esc").Expect("Wrong domain").Press("esc").Expect("E-mail eli").Type("x").Expect("E-mail elix")
	})
}
