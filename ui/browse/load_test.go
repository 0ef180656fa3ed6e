package browse

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"gatehouse/internal/testkit/uitest"
	"gatehouse/internal/text/problem"
	"gatehouse/session"
)

func TestASyntaxErrorKeepsTheRecordsBeforeIt(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		body := bytes.Replace(uitest.Library(90), []byte(`"Name":"Share 81"`), []byte(`"Name":oops`), 1)
		gateway := uitest.NewDrip(body, uitest.Whole)
		d := openShares(t, s, gateway, 109, 24)
		d.Expect("not valid JSON", "at line 1, column", "80 shares", "before that are")
	})
}

func TestAReloadShowsTheOldRowsUntilTheNewAreWhole(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		body := uitest.Library(90)
		gateway := uitest.NewDrip(body, uitest.Whole)
		d := openShares(t, s, gateway, 80, 24)
		d.Press("down", "down")
		longer := uitest.Library(140)
		gateway.Replace(longer, uitest.UpTo(t, longer, 60))
		d.Press("r")
		d.Expect("loading the shares again: 60", "▌ Share 3 ", "Share 12 ") // the old rows
		gateway.Let(uitest.Whole)
		d.Expect("140 shares", "▌ Share 3 ")
	})
}

func TestAListIsLoadedAgainWithTheNextAttemptToRenewTheSession(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d, at := openShares(t, s, answers(`[{"Name":"a"}]`, `[{"Name":"b"}]`), 80, 24), uitest.Noon.Add(time.Minute)
		d.Top().(*Shares).showFailure(&loading{}, &session.DelayedError{RetryAt: at, Err: session.ErrSignedOut})
		d.Press("home").Expect("next attempt is at 12:01:00", "▌ a")
		d.Env.Now = func() time.Time { return at }
		d.Press("home").Expect("▌ b").Gone("next attempt")
	})
}

func TestAFailureIsTriedAgainWhereThatMayHelp(t *testing.T) {
	failed := &problem.Problem{}
	for _, c := range []struct {
		problem *problem.Problem
		current *loading
		delayed *session.DelayedError
		want    bool
	}{
		{nil, nil, nil, false},
		{failed, nil, nil, true},
		{failed, &loading{}, nil, false},
		{failed, nil, &session.DelayedError{}, false},
		{&problem.Problem{Kind: problem.SignIn}, nil, nil, true},
		{&problem.Problem{Kind: problem.Cancelled}, nil, nil, false},
	} {
		l := listOf(t, `[]`)
		l.problem, l.loader.current, l.delayed = c.problem, c.current, c.delayed
		if c.current != nil {
			c.current.end = func() {}
		}
		if got := l.Retry() != nil; got != c.want {
			t.Errorf("after %+v it is tried again: %t", c, got)
		}
	}
}

func TestAReloadThatIsCancelledLeavesTheListAsItWas(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		body := uitest.Library(90)
		gateway := uitest.NewDrip(body, uitest.Whole)
		d := openShares(t, s, gateway, 80, 24)
		gateway.Let(uitest.UpTo(t, body, 60))
		d.Press("r")
		d.Expect("again: 60")
		d.Press("esc")
		d.Expect("90 shares")
		d.Gone("loading")
		if strings.Contains(d.Frame(), "kept") {
			t.Errorf("the list is said to be in part:\n%s", d.Frame())
		}
	})
}

func TestWhatIsWrongLeavesRoomForTheRows(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		body := uitest.Library(90)
		gateway := uitest.NewDrip(body, uitest.UpTo(t, body, 60))
		d := openShares(t, s, gateway, 80, 24)
		d.Expect("loading: 60 shares")
		gateway.Cut()
		d.Expect("cut off after")
		gateway.Replace([]byte("<html>"), uitest.Whole)
		d.Press("r")
		d.Expect("from 12:00:00.", "cut off after")
		d.Resize(40, 10)
		d.Expect("from 12:00:00.", "cut off after", "…", "▌ Share 1")
	})
}

func TestASortedColumnCanBeGoneAfterAReload(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		gateway := answers(`[{"A":1,"B":2},{"A":2,"B":1}]`, `[{"A":1},{"A":3},{"A":2}]`)
		d := openShares(t, s, gateway, 100, 24)
		d.Expect("row 1 of 2")
		d.Press("right", "s")
		d.Expect("▲")
		d.Press("r")
		d.Expect("3 shares")
		d.Gone("▲")
	})
}

func TestAReloadKeepsTheCursorOfAListThatIsFilteredAndSorted(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		list := `[{"Name":"c1"},{"Name":"b"},{"Name":"c3"},{"Name":"a"},{"Name":"c2"}]`
		gateway := answers(list, strings.Replace(list, "b", `new"},{"Name":"b`, 1))
		d := openShares(t, s, gateway, 100, 24)
		d.Expect("row 1 of 5")
		d.Press("s", "/")
		d.Type("c")
		d.Expect("3 of 5 shares")
		d.Press("enter", "down", "down")
		d.Expect("▌ c3", "row 3 of 3")
		d.Press("r")
		d.Expect("3 of 6 shares", "▌ c3", "row 3 of 3")
	})
}
