package session

import (
	"testing"
	"time"

	"gatehouse/internal/text/secret"
)

// Each part of a record decides whether another one may take its place.
func TestWhatMakesTwoRecordsTheSame(t *testing.T) {
	for name, tt := range map[string]struct {
		change                          func(r *Record)
		sameOwner, sameSignIn, sameness bool
	}{
		"nothing":       {func(*Record) {}, true, true, true},
		"capitals":      {func(r *Record) { r.Username = "ANN@harbor.example" }, true, true, true},
		"the user":      {func(r *Record) { r.Username = "ben@harbor.example" }, false, false, false},
		"the authority": {func(r *Record) { r.AuthorityURL += ".example" }, false, false, false},
		"the client":    {func(r *Record) { r.ClientID += "2" }, false, false, false},
		"the sign-in":   {func(r *Record) { r.SignedInAt = r.SignedInAt.Add(1) }, true, false, false},
		"the access":    {func(r *Record) { r.Access = secret.New("x") }, true, true, false},
		"the refresh":   {func(r *Record) { r.Refresh = secret.New("x") }, true, true, false},
		"a change":      {func(r *Record) { r.Generation++ }, true, true, false},
	} {
		r, other := fullRecord(), fullRecord()
		tt.change(other)
		if got := r.sameOwner(other); got != tt.sameOwner {
			t.Errorf("%s: the owner is the same: %v", name, got)
		}
		if got := r.SameSignIn(other); got != tt.sameSignIn {
			t.Errorf("%s: the sign-in is the same: %v", name, got)
		}
		if got := r.isSame(other); got != tt.sameness {
			t.Errorf("%s: it is the same: %v", name, got)
		}
	}
}

// The subject of an access token counts only where a service uses one subject for both tokens.
func TestATokenOfAnotherPersonIsKnownByItsSubject(t *testing.T) {
	of := func(subject string) secret.Text {
		if subject == "" {
			return secret.New("opaque")
		}
		return secret.New(makeJWT(`{"sub":"` + subject + `"}`))
	}
	for name, tt := range map[string]struct {
		access, id, nextAccess, nextID string
		want                           bool
	}{
		"the same":                   {"ann", "ann", "Ann", "ANN", true},
		"another id":                 {"ann", "ann", "ann", "ben", false},
		"another access":             {"ann", "ann", "ben", "", false},
		"both":                       {"ann", "ann", "ben", "ben", false},
		"invented for each":          {"x1", "ann", "x2", "ann", true},
		"invented first":             {"x1", "ann", "ann", "ann", true},
		"invented next":              {"ann", "ann", "x2", "ann", true},
		"no id, and the same access": {"ann", "", "ann", "", true},
		"no id, and another access":  {"ann", "", "ben", "", false},
		"nothing to tell by":         {"", "", "", "", true},
	} {
		before := &Record{Access: of(tt.access), ID: of(tt.id)}
		next := &Record{Access: of(tt.nextAccess), ID: of(tt.nextID)}
		if got := next.samePerson(before); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestASessionWithoutARefreshTokenIsNeverRenewed(t *testing.T) {
	r := &Record{RequestedAt: start, SignedInAt: start}
	if got := r.renewAt(); got.Year() < 9999 || !r.refreshEndsAt().IsZero() {
		t.Errorf("without an end it is renewed at %v", got)
	}
	r.ExpiresAt = start.Add(time.Hour)
	if got := r.renewAt(); !got.Equal(r.ExpiresAt) {
		t.Errorf("it is over at %v", got)
	}
}

func TestACredentialThatWasNeverNotedHasNotChanged(t *testing.T) {
	_, _, s := signedIn(t, NewMemoryVault())
	for digest, want := range map[string]bool{"": false, "other": true, clientDigest(s.options.Profile): false} {
		a := &attempt{snapshot: snapshot{record: &Record{ClientDigest: digest}}, session: s}
		if got := a.clientChanged(); got != want {
			t.Errorf("with the digest %q: %v", digest, got)
		}
	}
}

func TestWhatIsKnownOfATokenByTheError(t *testing.T) {
	claimed := &VaultError{Op: "claim", What: theSession, Err: &ClaimedError{}}
	for name, tt := range map[string]struct {
		inDoubt, uncertain bool
		err                error
		want               TokenFate
	}{
		"the client has changed": {false, false, &ClientChangedError{Err: errFull}, TokenRefused},
		"claimed elsewhere":      {false, false, claimed, TokenElsewhere},
		"a full disk":            {false, false, errFull, TokenKept},
		"in doubt":               {true, false, &ClientChangedError{Err: errFull}, TokenInDoubt},
		"sent":                   {false, true, claimed, TokenInDoubt},
	} {
		a := &attempt{snapshot: snapshot{record: &Record{InDoubt: tt.inDoubt}}, uncertain: tt.uncertain}
		if got := a.fate(tt.err); got != tt.want {
			t.Errorf("%s: %d", name, got)
		}
	}
}
