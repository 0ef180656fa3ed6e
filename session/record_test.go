package session

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/files"
	"gatehouse/internal/text/secret"
)

func fullRecord() *Record {
	return &Record{
		Profile: "main", Authority: "domain", AuthorityDomain: "harbor.example",
		AuthorityURL: "https://auth.harbor.example", ClientID: "client", BaseURL: "https://gateway.{domain}", Username: user,
		Access: secret.New("canary-access"), Refresh: secret.New("canary-refresh"), ID: secret.New("canary-id"),
		RequestedAt: start, ExpiresAt: start.Add(time.Hour),
		SignedInAt: start.Add(-time.Hour), Generation: 7,
	}
}

func TestAnEndedRecordHasNoTokens(t *testing.T) {
	clear, err := EncodeRecord(fullRecord().withEnding("over", "", start))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(clear), "canary") {
		t.Errorf("tokens are left in %s", clear)
	}
	var w sealedRecord
	if err := json.Unmarshal(clear, &w); err != nil || w.Ended == nil || w.Ended.Fingerprint != fingerprint(secret.New("canary-refresh")) {
		t.Errorf("the refused token cannot be recognised in %s", clear)
	}
}

func TestADamagedRecordIsRefusedWithoutQuotingIt(t *testing.T) {
	for _, clear := range []string{"", "{}", "null", `{"version":0}`, `{"version":"x"}`, `{"version":1,"access_token":{"canary":1}}`, `{"version":1,"access_token":"canary`} {
		_, err := DecodeRecord([]byte(clear))
		if err == nil || files.IsNewer(err) || strings.Contains(err.Error(), "canary") {
			t.Errorf("of %s the error is %v", clear, err)
		}
	}
}

func TestTheEndOfATokenIsCountedFromItsRequest(t *testing.T) {
	jwt := func(payload string) secret.Text { return secret.New(makeJWT(payload)) }
	exp := `{"exp":1772370000}` // an hour after start
	hour := start.Add(time.Hour)
	tests := []struct {
		name    string
		token   api.Token
		expires time.Time
		life    time.Duration
	}{
		{"expires_in", api.Token{Access: jwt(exp), ExpiresIn: time.Minute, RequestedAt: start}, start.Add(time.Minute), time.Minute},
		{"exp alone", api.Token{Access: jwt(exp), RequestedAt: start}, hour, time.Hour},
		{"exp, the service's clock is ahead", api.Token{Access: jwt(exp), RequestedAt: start.Add(-10 * time.Minute), ServerTime: start}, hour.Add(-10 * time.Minute), time.Hour},
		{"exp, our clock is ahead", api.Token{Access: jwt(exp), RequestedAt: start.Add(2 * time.Hour), ServerTime: start}, start.Add(3 * time.Hour), time.Hour},
		{"neither", api.Token{Access: secret.New("opaque"), RequestedAt: start}, time.Time{}, 0},
		{"expired on arrival", api.Token{Access: jwt(`{"exp":1772362800}`), RequestedAt: start}, start.Add(-time.Hour), -time.Hour},
		{"an absurd exp", api.Token{Access: jwt(`{"exp":1e300}`), RequestedAt: start}, start.Add(maxLife), maxLife},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := new(Record).withToken(&test.token)
			if !r.ExpiresAt.Equal(test.expires) || r.life() != test.life {
				t.Errorf("it ends %v after %v, want %v after %v", r.ExpiresAt, r.life(), test.expires, test.life)
			}
		})
	}
}

func TestARenewalWithoutARefreshTokenKeepsTheOldOne(t *testing.T) {
	r := fullRecord().withToken(&api.Token{Access: secret.New("new"), RequestedAt: start})
	if r.Refresh.Reveal() != "canary-refresh" || r.ID.Reveal() != "canary-id" || r.Generation != 8 {
		t.Errorf("the next record has %q, %q, generation %d", r.Refresh.Reveal(), r.ID.Reveal(), r.Generation)
	}
}

func TestARenewalIsDueInTheLastTenthOfALife(t *testing.T) {
	tests := []struct{ life, margin time.Duration }{
		{24 * time.Hour, 144 * time.Minute},
		{time.Hour, 10 * time.Minute},
		{15 * time.Minute, 7*time.Minute + 30*time.Second},
		{20 * time.Second, 10 * time.Second},
		{-time.Hour, 0},
	}
	for _, test := range tests {
		r := &Record{Refresh: secret.New("r"), RequestedAt: start, ExpiresAt: start.Add(test.life)}
		if got := r.ExpiresAt.Sub(r.renewAt()); got != test.margin {
			t.Errorf("a life of %v is renewed %v before its end, want %v", test.life, got, test.margin)
		}
		r.Refresh = secret.Text{}
		if !r.renewAt().Equal(r.ExpiresAt) {
			t.Errorf("a life of %v without a refresh token is looked at %v before its end", test.life, r.ExpiresAt.Sub(r.renewAt()))
		}
	}
	unknown := &Record{Refresh: secret.New("r"), RequestedAt: start}
	if got := unknown.renewAt().Sub(start); got != 24*time.Hour {
		t.Errorf("a life that nobody told is renewed after %v, want a day", got)
	}
}

// Ended sessions have no tokens to tell them apart.
func TestAnEndedSessionIsNotTakenForThatOfSomebodyElse(t *testing.T) {
	ours := fullRecord().withEnding(EndRefused, "", start)
	theirs := *ours
	theirs.Username = "ben@harbor.example"
	for name, tt := range map[string]struct {
		stored *Record
		over   uint64
		want   bool
	}{
		"the one that was read":   {&theirs, ours.Generation, true},
		"another one":             {&theirs, ours.Generation - 1, false},
		"ours, saved once before": {ours, ours.Generation - 1, true},
		"none":                    {nil, 0, true},
		"none any more":           {nil, ours.Generation, false},
	} {
		if got := ours.canReplace(tt.stored, tt.over); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestARecordSaysWhyItsAuthorityIsGone(t *testing.T) {
	r := fullRecord()
	r.Authority, r.AuthorityDomain = config.AuthorityDomain, "harbor.example"
	belongs, err := r.belongsTo(&config.Profile{Name: r.Profile, AuthURL: r.AuthorityURL, ClientID: r.ClientID})
	if belongs || err == nil {
		t.Errorf("it belongs there: %v, %v", belongs, err)
	}
}

// Who waits for a lease has to know when the request of its owner has ended.
func TestALeaseSaysUntilWhenItsTokenMayBeSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := NewMemoryVault()
		r := fullRecord()
		if err := v.Put(t.Context(), r, 0, true); err != nil {
			t.Fatal(err)
		}
		lease, err := v.Begin(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		defer lease.Abort(t.Context(), false)
		of := func(of Lease) time.Duration { return time.Until(of.SendBy()) }
		s := sessionAt(t, &slowService{}, NewMemoryVault())
		unsaved := (&attempt{snapshot: *s.current.Load(), session: s}).unsaved()
		if got := of(unsaved); got != 75*time.Second {
			t.Errorf("without a vault it is %v", got)
		}
		if got := of(lease) + 2*time.Hour; got != 75*time.Second { // which have passed since
			t.Errorf("in a vault it is %v", got)
		}
	})
}
