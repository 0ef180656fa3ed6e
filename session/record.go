package session

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/files"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/secret"
)

// Record is a session as a [Vault] stores it. Once it has been passed on, a Record never changes:
// a renewal makes a new one.
type Record struct {
	Profile         string `json:"profile"`                    // name of the profile it belongs to
	Authority       string `json:"authority"`                  // "main", "domain" or "test"
	AuthorityDomain string `json:"authority_domain,omitempty"` // for {domain} in its URL, or ""
	AuthorityURL    string `json:"authority_url"`              // the refresh token is sent only there
	ClientID        string `json:"client_id"`
	BaseURL         string `json:"base_url"` // the access token is sent only to these gateways
	Username        string `json:"username"` // the address in the token, or else what was typed

	// ClientDigest is the [clientDigest] of the credentials that the service last accepted from the
	// client, or "" if that is unknown.
	ClientDigest string `json:"client_digest,omitempty"`

	Access  secret.Text `json:"-"`
	Refresh secret.Text `json:"-"` // empty if the session cannot be renewed
	ID      secret.Text `json:"-"`

	RequestedAt time.Time `json:"requested_at,omitzero"` // when the access token was requested
	ExpiresAt   time.Time `json:"expires_at,omitzero"`   // of the access token; zero if unknown
	// SignedInAt is the start of the session. The 30 days of the refresh token count from here, and
	// renewals do not extend them.
	SignedInAt time.Time `json:"signed_in_at,omitzero"`
	// Generation increases with each change of the session in a vault, another sign-in included.
	Generation uint64 `json:"generation"`
	Renewals   int    `json:"renewals,omitempty"` // since the sign-in

	// InDoubt means that the refresh token was sent and the answer is not known, because the
	// process died or the answer was lost. The service may have replaced the token.
	InDoubt bool `json:"in_doubt,omitempty"`

	Ended *Ending `json:"ended,omitempty"` // why the session has ended, or nil
}

// Ending is the end of a session, stored so that the next start can say why.
type Ending struct {
	Reason      EndReason `json:"reason"`
	Answer      string    `json:"answer,omitempty"` // of the service, as in [EndedError]
	At          time.Time `json:"at"`
	Fingerprint string    `json:"fingerprint"` // of the refresh token that was refused
}

// recordVersion is the version of the format below. It increases with every change that an
// older program would misread.
const recordVersion = 1

// sealedRecord is a Record as stored in the vault. Its tokens are strings, because a [secret.Text]
// marshals as a mask.
type sealedRecord struct {
	Version int `json:"version"`
	Record
	AccessToken  string `json:"access_token,omitempty"`
	RefreshToken string `json:"refresh_token,omitempty"`
	IDToken      string `json:"id_token,omitempty"`
	LifeSeconds  int64  `json:"life,omitempty"` // of the access token, for older programs
}

// Sizes in bytes.
const (
	// maxRecord limits a vault file. A session with two hundred domains takes 20 kB.
	maxRecord = 1 << 20
	// sealRoom is the most that sealing adds to a record.
	sealRoom = 8 << 10
	// markRoom is left free in every record, so that it can be marked as in doubt later.
	markRoom = 1 << 10
)

// RecordSizeError means that a session is too large to be saved, as no vault would read it. Size
// and Limit are in bytes.
type RecordSizeError struct{ Size, Limit int }

func (e *RecordSizeError) Error() string {
	size, limit := human.Bytes(int64(e.Size)), human.Bytes(int64(e.Limit))
	return fmt.Sprintf("the tokens of the session take %s, and only %s can be saved", size, limit)
}

// EncodeRecord returns a record as plaintext, which must be sealed before it is stored. The error
// is a *[RecordSizeError] if the record is too large to be read again.
func EncodeRecord(r *Record) ([]byte, error) {
	plain, err := encode(r)
	if err != nil {
		return nil, err
	}
	limit := maxRecord - sealRoom - markRoom
	if r.InDoubt {
		limit += markRoom
	}
	if len(plain) > limit {
		return nil, &RecordSizeError{Size: len(plain), Limit: limit}
	}
	return plain, nil
}

func encode(r *Record) ([]byte, error) {
	return json.Marshal(sealedRecord{
		Version:      recordVersion,
		Record:       *r,
		AccessToken:  r.Access.Reveal(),
		RefreshToken: r.Refresh.Reveal(),
		IDToken:      r.ID.Reveal(),
		LifeSeconds:  int64(r.life() / time.Second),
	})
}

// DecodeRecord reverses [EncodeRecord]. The error is a *[files.NewerError] for the record of a
// newer program. No error quotes the content.
func DecodeRecord(plain []byte) (*Record, error) {
	var head struct {
		Version int `json:"version"`
	}
	if json.Unmarshal(plain, &head) != nil || head.Version < 1 {
		return nil, errors.New("it holds no session record")
	}
	if err := files.CheckVersion(head.Version, recordVersion); err != nil {
		return nil, err
	}
	var s sealedRecord
	if json.Unmarshal(plain, &s) != nil { // its error text could quote a token
		return nil, fmt.Errorf("its session record of version %d is not readable", head.Version)
	}
	r := s.Record
	r.Access = secret.New(s.AccessToken)
	r.Refresh = secret.New(s.RefreshToken)
	r.ID = secret.New(s.IDToken)
	return &r, nil
}

// withToken returns the next generation of the record, with the tokens of an answer. Tokens that
// the answer lacks stay as they are.
func (r *Record) withToken(token *api.Token) *Record {
	next := *r
	next.Access = token.Access
	if !token.Refresh.IsEmpty() { // a service that does not rotate tokens sends none
		next.Refresh = token.Refresh
	}
	if !token.ID.IsEmpty() {
		next.ID = token.ID
	}
	next.InDoubt = false
	next.RequestedAt = wallClock(token.RequestedAt)
	next.ExpiresAt = wallClock(expiry(token))
	if latest := next.RequestedAt.Add(maxLife); next.ExpiresAt.After(latest) {
		next.ExpiresAt = latest
	}
	next.Generation++
	return &next
}

// withGenerationAbove returns the record with a generation above another one. The generations in a
// vault only increase, so that a session that was replaced cannot be taken for a newer one.
func (r *Record) withGenerationAbove(generation uint64) *Record {
	if r.Generation > generation {
		return r
	}
	next := *r
	next.Generation = generation + 1
	return &next
}

// expiry returns when an access token expires, or zero if that is unknown. It is expires_in after
// the request (interface section 2.1), or else the JWT's exp, corrected by the difference between
// the clock of the service and ours.
func expiry(token *api.Token) time.Time {
	if token.ExpiresIn > 0 {
		return token.RequestedAt.Add(token.ExpiresIn)
	}
	at := decodeClaims(token.Access).Expiry
	if !at.IsZero() && !token.ServerTime.IsZero() {
		at = at.Add(token.RequestedAt.Sub(token.ServerTime))
	}
	return at
}

// wallClock removes the monotonic reading, which stops while the machine sleeps, and the zone.
func wallClock(t time.Time) time.Time { return t.Round(0).UTC() }

// withEnding returns the next generation of the record for a session that has ended: it has the
// reason, and the tokens no longer.
func (r *Record) withEnding(reason EndReason, answer string, at time.Time) *Record {
	next := *r
	next.Ended = &Ending{
		Reason:      reason,
		Answer:      answer,
		At:          wallClock(at),
		Fingerprint: fingerprint(r.Refresh),
	}
	next.Access, next.Refresh, next.ID = secret.Text{}, secret.Text{}, secret.Text{}
	next.InDoubt = false
	next.Generation++
	return &next
}

// withDoubt returns the record with its refresh token in doubt or not, in the same generation.
func (r *Record) withDoubt(doubt bool) *Record {
	next := *r
	next.InDoubt = doubt
	return &next
}

// belongsTo reports whether a profile still names the authority, the gateways and the client that
// the record came from. err says why the profile has no such authority, and is nil otherwise.
func (r *Record) belongsTo(p *config.Profile) (belongs bool, err error) {
	authority, err := p.AuthorityURL(r.Authority, r.AuthorityDomain)
	if err == nil {
		err = p.CheckSecretDomain(r.AuthorityDomain)
	}
	same := authority == r.AuthorityURL && r.BaseURL == p.BaseURL &&
		r.ClientID == p.ClientID && r.Profile == p.Name
	return err == nil && same, err
}

// canReplace reports whether a vault may save r over the session of generation over. stored is
// what the vault holds, or nil if it holds nothing that can be read. A record that is there
// already may be saved again, as the caller may not know that it was saved.
func (r *Record) canReplace(stored *Record, over uint64) bool {
	if stored == nil {
		return over == 0
	}
	return stored.Generation == over || stored.isSame(r)
}

// isSame reports whether both are the same generation of the same sign-in with the same tokens.
func (r *Record) isSame(other *Record) bool {
	return r.Generation == other.Generation && r.SameSignIn(other) && r.sameTokens(other)
}

func (r *Record) sameTokens(other *Record) bool {
	return r.Access == other.Access && r.Refresh == other.Refresh
}

// clientDigest identifies the client and its credentials, so that a record can tell whether the
// profile has changed them. It is stored only sealed.
func clientDigest(p *config.Profile) string {
	parts := []string{p.ClientID, p.ClientAuth, p.ClientSecret.Reveal()}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])
}

// fingerprint identifies a refresh token without revealing it: its SHA-256 in hex.
func fingerprint(token secret.Text) string {
	sum := sha256.Sum256([]byte(token.Reveal()))
	return hex.EncodeToString(sum[:])
}

// SameSignIn reports whether both belong to the same sign-in. Then, and only then, the higher
// generation is newer: two sign-ins cannot be ordered by their time, as the clock may have been
// set back in between.
func (r *Record) SameSignIn(other *Record) bool {
	return r.SignedInAt.Equal(other.SignedInAt) && r.sameOwner(other)
}

// sameOwner reports whether both are sessions of the same user, authority and client, so that one
// may replace the other.
func (r *Record) sameOwner(other *Record) bool {
	return strings.EqualFold(r.Username, other.Username) &&
		r.AuthorityURL == other.AuthorityURL && r.ClientID == other.ClientID
}

// samePerson reports whether the tokens of both belong to the same person, as far as the tokens
// name one. A renewal keeps the subject of the id token (OpenID Connect Core, section 12.2). The
// subject of the access token is compared only if it equals that of the id token: some services
// invent a new subject for each access token.
func (r *Record) samePerson(other *Record) bool {
	if !sameSubject(r.ID, other.ID) {
		return false
	}
	isComparable := sameSubject(r.Access, r.ID) && sameSubject(other.Access, other.ID)
	return !isComparable || sameSubject(r.Access, other.Access)
}

// sameSubject reports whether two tokens have the same subject. A token without one matches any.
func sameSubject(token, other secret.Text) bool {
	a, b := decodeClaims(token).Subject, decodeClaims(other).Subject
	return a == "" || b == "" || strings.EqualFold(a, b)
}

// valid reports whether the access token has not expired. A token whose expiry is unknown is used
// until the service refuses it.
func (r *Record) valid(now time.Time) bool {
	return r.ExpiresAt.IsZero() || now.Before(r.ExpiresAt)
}

// life is the life of the access token from its request: 0 if unknown, and negative if the token
// was expired on arrival.
func (r *Record) life() time.Duration {
	if r.ExpiresAt.IsZero() {
		return 0
	}
	return r.ExpiresAt.Sub(r.RequestedAt)
}

// The life of tokens.
const (
	marginPart  = 10 // a token is renewed when a tenth of its life is left
	minMargin   = 10 * time.Minute
	assumedLife = 24 * time.Hour            // of an access token, if unknown: interface section 8
	maxLife     = 10 * 365 * 24 * time.Hour // of an access token: a longer one is a mistake
	// RefreshLife is how long a refresh token can be used after the sign-in (interface section 8).
	RefreshLife = 30 * 24 * time.Hour
)

// refreshEndsAt is when the refresh token expires, or zero if there is none.
func (r *Record) refreshEndsAt() time.Time {
	if r.Refresh.IsEmpty() {
		return time.Time{}
	}
	return r.SignedInAt.Add(RefreshLife)
}

// renewAt is when the access token should be renewed: before it expires by a tenth of its life,
// but by ten minutes or more, and never by more than half its life.
func (r *Record) renewAt() time.Time {
	switch {
	case r.Refresh.IsEmpty() && r.ExpiresAt.IsZero():
		return time.Unix(endOf9999, 0)
	case r.Refresh.IsEmpty():
		return r.ExpiresAt
	case r.ExpiresAt.IsZero():
		return r.RequestedAt.Add(assumedLife)
	}
	margin := min(max(r.life()/marginPart, minMargin), r.life()/2)
	return r.ExpiresAt.Add(-max(margin, 0))
}
