package session

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"gatehouse/api"
)

func TestThePauseAfterAFailureDoublesUpToFiveMinutes(t *testing.T) {
	want := []time.Duration{30 * time.Second, time.Minute, 2 * time.Minute, 4 * time.Minute, 5 * time.Minute, 5 * time.Minute}
	for i, want := range want {
		if got := new(Session).pause(errors.New("no answer"), i+1); got != want {
			t.Errorf("after %d failures it is %v, want %v", i+1, got, want)
		}
	}
	if got := backoff(1 << 40); got != 5*time.Minute {
		t.Errorf("after more than can be counted it is %v", got)
	}
}

func TestAPauseIsAsLongAsItWasAskedForWithinBounds(t *testing.T) {
	for name, tt := range map[string]struct {
		err  error
		want time.Duration
	}{
		"a claim that has just ended":       {&ClaimedError{}, time.Second},
		"a claim":                           {&ClaimedError{Left: 17 * time.Second}, 17 * time.Second},
		"a claim by a clock that is wrong":  {&ClaimedError{Left: 24 * time.Hour}, 5 * time.Minute},
		"a service that asks for less":      {&api.StatusError{RetryAfter: time.Second}, 30 * time.Second},
		"a service that asks for more":      {&api.StatusError{RetryAfter: time.Minute}, time.Minute},
		"a service that asks for a day":     {&api.StatusError{RetryAfter: 24 * time.Hour}, 5 * time.Minute},
		"an authority that asks for more":   {&api.TokenError{RetryAfter: time.Minute}, time.Minute},
		"an authority that asks for a year": {&api.TokenError{RetryAfter: 365 * 24 * time.Hour}, 5 * time.Minute},
	} {
		if got := new(Session).pause(tt.err, 1); got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}

// renewedAt is a session whose token is renewed and ends so long from now.
func renewedAt(now time.Time, jitter float64, due, expires time.Duration) *Session {
	s := &Session{jitter: jitter}
	s.options.Now = func() time.Time { return now }
	s.current.Store(&snapshot{dueAt: now.Add(due), record: &Record{ExpiresAt: now.Add(expires)}})
	return s
}

func TestASessionIsLookedAfterFromOnceASecondToTwiceAMinute(t *testing.T) {
	for due, want := range map[time.Duration]time.Duration{
		-time.Hour: time.Second, 0: time.Second, 7 * time.Second: 7 * time.Second, time.Hour: 30 * time.Second,
	} {
		if got := renewedAt(time.Now(), 0, due, time.Hour).RenewIn(); got != want {
			t.Errorf("a renewal that is due in %v is looked for after %v, want %v", due, got, want)
		}
	}
}

func TestRenewalsAreSpreadOverATenthOfWhatIsLeftAndAMinuteAtMost(t *testing.T) {
	now := time.Now()
	for _, tt := range []struct {
		jitter  float64
		expires time.Duration // from when it is due
		want    time.Duration
	}{
		{0, time.Hour, 0}, {1, time.Hour, time.Minute}, {0.5, time.Hour, 30 * time.Second},
		{1, 100 * time.Second, 10 * time.Second}, {1, -time.Hour, 0},
	} {
		const due = time.Minute
		s := renewedAt(now, tt.jitter, due, due+tt.expires)
		if got := s.renewalDue().Sub(now.Add(due)); got != tt.want {
			t.Errorf("%+v: it is put off by %v", tt, got)
		}
	}
}

func TestOfAClaimAsManyDomainsAreReadAsTheLimitSays(t *testing.T) {
	list := gjson.Parse(`["a.example","b.example"]`)
	if named, ok := domainsIn(list, 2); !ok || !slices.Equal(named, []string{"a.example", "b.example"}) {
		t.Errorf("two of two are %q, %t", named, ok)
	}
	if named, ok := domainsIn(list, 1); ok {
		t.Errorf("two of one are %q", named)
	}
}

func TestAListInANoteSaysHowManyAreLeftOut(t *testing.T) {
	values := []string{"one", "two", "three", "four"}
	if got := quotedList(values); !strings.Contains(got, `"three"`) || !strings.Contains(got, "1 more") {
		t.Errorf("four values: %s", got)
	}
	if got := quotedList(values[:3]); !strings.Contains(got, `"three"`) || strings.Contains(got, "more") {
		t.Errorf("three values: %s", got)
	}
}
