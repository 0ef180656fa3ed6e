package ui

import (
	"testing"
	"time"

	"gatehouse/internal/testkit/uitest"
	"gatehouse/session"
)

// claimOfAServer is how long a server claims a session that it renews, and latest how much later
// another server has renewed it: when it tries again is random.
const claimOfAServer, latest = 90 * time.Second, 2 * time.Minute

func TestARenewalThatWaitsForAnotherServerSaysSo(t *testing.T) {
	for _, c := range []struct {
		name    string
		left    time.Duration // of the access token
		header  string
		blocked bool
	}{
		{"the token lives", 9 * time.Minute, "renewal delayed, 9m", false},
		{"it has expired", -time.Minute, "renewal delayed, token expired", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			uitest.Run(t, func(t *testing.T, s *uitest.Service) {
				k := uitest.NewKeeper(t)
				d := connect(t, s, k, 80, 24)
				d.signInKeeping("ada")
				d.Press("enter").Expect("row 1 of 42").Press("down").Expect("row 2 of 42")
				d.hangUp()
				k.Change(profile(t, s), func(r *session.Record) {
					r.ExpiresAt = uitest.Noon.Add(c.left)
					r.RequestedAt = r.ExpiresAt.Add(-24 * time.Hour)
				})
				other := k.Connect(profile(t, s))
				record, err := other.Load(t.Context())
				if err == nil {
					_, err = other.Begin(t.Context(), record)
				}
				if err != nil {
					t.Fatal(err)
				}
				d.Pass(10 * time.Second)
				d = connect(t, s, k, 80, 24)
				d.Expect(c.header, "is renewing it", "next attempt is at")
				d.Pass(4 * time.Second)
				if c.blocked {
					d.Gone("row 2 of 42").Expect("Waiting until ", "for another renewal")
				} else {
					d.Expect("row 2 of 42").Gone("Waiting until ")
				}
				d.Press("4").Expect("failed; next at")
				d.Press("1").Pass(claimOfAServer + latest).Expect("row 2 of 42").Gone("renewal delayed")
				d.Press("4", "G").Expect("server is renewing it", "the answer to the last renewal was lost")
				if c.blocked {
					d.Expect("Waiting until ")
				}
			})
		})
	}
}
