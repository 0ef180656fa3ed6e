package token

import (
	"errors"
	"strings"
	"testing"

	"gatehouse/internal/testkit/uitest"
	"gatehouse/session"
	"gatehouse/ui/screen"
	"gatehouse/ui/signin"
)

// keptSession is one that is kept in a database for the visitor's key.
func keptSession() *held {
	kept := active()
	kept.canKeep, kept.status.Store = true, "postgres"
	return kept
}

func TestWhetherASessionIsKeptLooksAsItShould(t *testing.T) {
	newDesk(t, keptSession()).golden("kept")
	not := keptSession()
	not.status.Saved, not.status.Store = false, "memory"
	newDesk(t, not).golden("not-kept")
	failed := keptSession()
	failed.status.Saved, failed.status.Reason = false, &session.VaultError{Kind: "postgres", Op: "write", Err: errors.New("away")}
	if frame := newDesk(t, failed).frame(160, 40); !strings.Contains(frame, "it could not be saved in the database of this server") {
		t.Errorf("why it is not kept is not there:\n%s", frame)
	}
}

// showToken shows the screen of a session on a stage.
func showToken(t *testing.T, s Session, width, height int) *uitest.Stage {
	stage := uitest.NewStage(t, width, height)
	stage.Show(New(stage.Env, s, &signin.Key{KeyID: "ada@laptop", Authority: "SHA256:9Q2mTq0Oq0uHq1g8QG8m4l9m1PpS1kqM0lPzQeVbXcI"}))
	return stage
}

func TestAKeptSessionIsForgottenAfterAQuestion(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		s := keptSession()
		stage := showToken(t, s, 80, 24)
		stage.Expect("certificate ada@laptop").Press("F").Expect("Forget the kept session?", "with this certificate", "y     forget it")
		stage.Golden("token/forget")
		stage.FitsEverySize()
		stage.Press("n").Gone("Forget the kept session?")
		if !s.status.Saved {
			t.Fatal("forgotten without a yes")
		}
		stage.Press("F", "y").Expect("no: it ends with this connection")
		if said := stage.Told[len(stage.Told)-1].(uitest.Say); said.Bad || !strings.Contains(said.Text, "is forgotten") {
			t.Errorf("said %q", said.Text)
		}
		if a, _ := screen.FindAction(stage.Env.Keys.Fill(stage.Top().Actions()), "F", false); a.Enabled() {
			t.Error("it can be forgotten twice")
		}
	})
}

func TestASessionThatCannotBeForgottenSaysSo(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		s := keptSession()
		s.stuck = &session.NotForgottenError{Err: &session.VaultError{Kind: "postgres", Op: "delete", Err: errors.New("connection refused")}}
		stage := showToken(t, s, 80, 24)
		stage.Press("F", "y").Settle()
		said := stage.Told[len(stage.Told)-1].(uitest.Say)
		for _, want := range []string{"could not be forgotten", "connection refused", "tell the operator of this server"} {
			if !said.Bad || !strings.Contains(said.Text, want) {
				t.Errorf("%q lacks %q", said.Text, want)
			}
		}
	})
}

func TestWhereNothingCanBeKeptThereIsNothingToForget(t *testing.T) {
	d := newDesk(t, active())
	if _, ok := screen.FindAction(d.m.env.Keys.Fill(d.m.Actions()), "F", false); ok {
		t.Error("it is offered")
	}
}
