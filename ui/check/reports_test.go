package check

import (
	"testing"

	"gatehouse/internal/testkit/uitest"
)

func TestTheFormThatACardOpensComesBackToTheCard(t *testing.T) {
	for _, key := range []string{"p", "n"} {
		uitest.RunAlone(t, func(t *testing.T) {
			stage, s := cardOf(t, 120, 34, looksFine())
			stage.Press(key).Expect("Who cannot get in?").Press("esc").Expect("No fault seen from outside")
			if len(s.requests) != 1 {
				t.Errorf("%s and esc checked again: %+v", key, s.requests)
			}
			stage.Press("esc").Settle()
			if stage.Top() != nil {
				t.Errorf("after %s, esc leads to %v", key, stage.Top())
			}
		})
	}
}

func TestACheckFromTheFormOverACardTakesItsPlace(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		stage, s := cardOf(t, 120, 34, looksFine())
		s.report <- wrongDomain()
		stage.Press("n").Type("finn@harbor.example").Press("enter").Expect("Wrong domain")
		stage.Press("esc").Settle()
		if stage.Top() != nil {
			t.Errorf("back leads to %v", stage.Top())
		}
	})
}

func TestReportsOfBeforeAreAListThatOpens(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		s, stage := newScript(), uitest.NewStage(t, 120, 34)
		stage.Show(New(stage.Env, s.options("")))
		s.report <- wrongDomain()
		stage.Type("finn@harbor.example").Press("enter").Expect("Wrong domain").Press("esc")
		s.report <- looksFine()
		stage.Type("ada@harbor.example").Press("enter").Expect("No fault seen").Press("esc")
		stage.Expect("Earlier", "✓ 12:00:00 ada@harbor.example", "✗ 12:00:00 finn@harbor.example")
		stage.Press("down").Expect("▌✓ 12:00:00 ada")
		stage.Golden("check/earlier")
		stage.FitsEverySize()
		stage.Press("down").Expect("▌✗ 12:00:00 finn").Press("enter").Expect("Wrong domain", "▌✗ device")
		if len(s.requests) != 2 {
			t.Errorf("opening a report checked again: %+v", s.requests)
		}
		stage.Press("esc").Expect("Who cannot get in?").Type("eli").Expect("E-mail eli")
		stage.Press("down").Expect("▌✓ 12:00:00 ada").Press("up").Type("x").Expect("E-mail elix")
		stage.Press("down", "esc").Type("y").Expect("E-mail elixy")
		stage.Click("finn@harbor.example").Expect("Wrong domain")
	})
}
