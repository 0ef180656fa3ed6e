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

// Record is what a [Vault] stores of a session. A Record is immutable once it has been
// passed on: a renewal makes a new one.
type Record struct {
	Profile         string `json:"profile"`                    // name of the profile it belongs to
	Authority       string `json:"authority"`                  // "main", "domain" or "test"
	AuthorityDomain string `json:"authority_domain,omitempty"` // for {domain} in its URL, or ""
	AuthorityURL    string `json:"authority_url"`              // where the refresh token may go
	ClientID        string `json:"client_id"`
	BaseURL         string `json:"base_url"` // template of the only gateways the access token may be sent to
	Username        string `json:"username"` // the token's subject, or else what was typed

	// ClientDigest is the [clientDigest] of the credentials with which the client last got tokens;
	// "" if it is unknown.
	ClientDigest string `json:"client_digest,omitempty"`

	Access  secret.Text `json:"-"`
	Refresh secret.Text `json:"-"` // empty if the session cannot be renewed
	ID      secret.Text `json:"-"`

	RequestedAt time.Time `json:"requested_at,omitzero"` // when the access token was asked for
	ExpiresAt   time.Time `json:"expires_at,omitzero"`   // expiry of the access token; zero if unknown
	// SignedInAt is the start of the session, from which the refresh token's 30 days count:
	// renewals do not extend them.
	SignedInAt time.Time `json:"signed_in_at,omitzero"`
	// Generation increases with each change of the session in a vault, also with another sign-in.
	Generation uint64 `json:"generation"`
	Renewals   int    `json:"renewals,omitempty"` // since the sign-in

	// InDoubt means that the refresh token was sent and no answer is known: the process died
	// or the answer was lost. The service may have replaced it.
	InDoubt bool `json:"in_doubt,omitempty"`

	Ended *Ending `json:"ended,omitempty"` // why the session has ended, or nil
}

// Ending is the end of a session, stored so that the next start can say why.
type Ending struct {
	Reason      EndReason `json:"reason"`
	Answer      string    `json:"answer,omitempty"` // of the service, as in [EndedError]
	At          time.Time `json:"at"`
	Fingerprint string    `json:"fingerprint"` // SHA-256 in hex of the refresh token that was refused
}

// recordVersion is the version of the format below. It is increased for a change that an
// older program would misread.
const recordVersion = 1

// sealedRecord is a Record as stored in the vault. It has plain strings because
// [secret.Text] marshals as a mask.
type sealedRecord struct {
	Version int `json:"version"`
	Record
	AccessToken  string `json:"access_token,omitempty"`
	RefreshToken string `json:"refresh_token,omitempty"`
	IDToken      string `json:"id_token,omitempty"`
	LifeSeconds  int64  `json:"life,omitempty"` // of the access token, for programs that do not compute it
}

const (
	// maxRecord limits a vault file; a session with two hundred domains has 20 kB.
	maxRecord = 1 << 20
	// sealRoom is what sealing adds to a record at most, and markRoom what a mark on it does: each
	// record that is saved can be marked as in doubt.
	sealRoom = 8 << 10
	markRoom = 1 << 10
)

// RecordSizeError means that a session is too long to be saved: no vault would read it. Size and
// Limit are in bytes.
type RecordSizeError struct{ Size, Limit int }

func (e *RecordSizeError) Error() string {
	size, limit := human.Bytes(int64(e.Size)), human.Bytes(int64(e.Limit))
	return fmt.Sprintf("the tokens of the session take %s, and only %s can be saved", size, limit)
}

// EncodeRecord returns a record in plain text, for sealing only. The error is a
// *[RecordSizeError] for one that could not be read again.
func EncodeRecord(r *Record) ([]byte, error) {
	clear, err := encode(r)
	if err != nil {
		return nil, err
	}
	limit := maxRecord - sealRoom - markRoom
	if r.InDoubt {
		limit += markRoom
	}
	if len(clear) > limit {
		return nil, &RecordSizeError{Size: len(clear), Limit: limit}
	}
	return clear, nil
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

// DecodeRecord reverses EncodeRecord. The error is a *[files.NewerError] for the record of a
// newer program; no error quotes the content.
func DecodeRecord(clear []byte) (*Record, error) {
	var head struct {
		Version int `json:"version"`
	}
	if json.Unmarshal(clear, &head) != nil || head.Version < 1 {
		return nil, errors.New("it holds no session record")
	}
	if err := files.CheckVersion(head.Version, recordVersion); err != nil {
		return nil, err
	}
	var s sealedRecord
	if json.Unmarshal(clear, &s) != nil { // its error text could quote a token
		return nil, fmt.Errorf("its session record of version %d is not readable", head.Version)
	}
	r := s.Record
	r.Access, r.Refresh, r.ID = secret.New(s.AccessToken), secret.New(s.RefreshToken), secret.New(s.IDToken)
	return &r, nil
}

// with is the record after r, with a newly issued token and whatever else the answer has.
func (r *Record) with(token *api.Token) *Record {
	next := *r
	next.Access = token.Access
	if !token.Refresh.IsEmpty() { // without rotation the service sends none
		next.Refresh = token.Refresh
	}
	if !token.ID.IsEmpty() {
		next.ID = token.ID
	}
	next.InDoubt = false
	next.RequestedAt = wall(token.RequestedAt)
	next.ExpiresAt = wall(expiry(token))
	if latest := next.RequestedAt.Add(maxLife); next.ExpiresAt.After(latest) {
		next.ExpiresAt = latest
	}
	next.Generation++
	return &next
}

// above is the record with a generation above another one: the generations in a vault only
// increase, so that a session that was replaced cannot be taken for a newer one.
func (r *Record) above(generation uint64) *Record {
	if r.Generation > generation {
		return r
	}
	next := *r
	next.Generation = generation + 1
	return &next
}

// expiry is when an access token expires: expires_in counted from the request (interface
// section 2.1), or else the JWT's exp, corrected by the difference between the service's
// clock and ours. Zero if unknown.
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

// wall removes the monotonic reading, which stops while the machine sleeps, and the zone.
func wall(t time.Time) time.Time { return t.Round(0).UTC() }

// asEnded is the record after r when its refresh token was refused: without the tokens.
func (r *Record) asEnded(reason EndReason, answer string, at time.Time) *Record {
	next := *r
	next.Ended = &Ending{Reason: reason, Answer: answer, At: wall(at), Fingerprint: fingerprint(r.Refresh)}
	next.Access, next.Refresh, next.ID, next.InDoubt = secret.Text{}, secret.Text{}, secret.Text{}, false
	next.Generation++
	return &next
}

// inDoubt is the record with that mark, or without it. Its generation stays the same.
func (r *Record) inDoubt(doubt bool) *Record {
	next := *r
	next.InDoubt = doubt
	return &next
}

// belongsTo reports whether a profile still has the authority, the gateways and the client that
// the record came from. The error says why the profile has no such authority, if so.
func (r *Record) belongsTo(p *config.Profile) (bool, error) {
	authority, err := p.AuthorityURL(r.Authority, r.AuthorityDomain)
	if err == nil {
		err = p.CheckSecretDomain(r.AuthorityDomain)
	}
	same := authority == r.AuthorityURL && r.BaseURL == p.BaseURL &&
		r.ClientID == p.ClientID && r.Profile == p.Name
	return err == nil && same, err
}

// canReplace reports whether a vault may save r over the session of generation over: stored is
// what it holds, nil if that is none or cannot be read. A record that is there already may be
// saved again, as the answer to the first time may have been lost.
func (r *Record) canReplace(stored *Record, over uint64) bool {
	if stored == nil {
		return over == 0
	}
	return stored.Generation == over || stored.isSame(r)
}

// isSame reports whether both are one generation of one sign-in, with the same tokens.
func (r *Record) isSame(other *Record) bool {
	return r.Generation == other.Generation && r.SameSignIn(other) && r.sameTokens(other)
}

// sameTokens reports whether both hold the same tokens.
func (r *Record) sameTokens(other *Record) bool {
	return r.Access == other.Access && r.Refresh == other.Refresh
}

// clientDigest identifies what a profile authenticates the client with, so that a record can tell
// whether that has changed. Records are sealed.
func clientDigest(p *config.Profile) string {
	parts := []string{p.ClientID, p.ClientAuth, p.ClientSecret.Reveal()}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])
}

// fingerprint identifies a refresh token without revealing it.
func fingerprint(token secret.Text) string {
	sum := sha256.Sum256([]byte(token.Reveal()))
	return hex.EncodeToString(sum[:])
}

// SameSignIn reports whether both belong to one sign-in: then the higher generation is
// newer. The clock cannot order two sign-ins reliably, as it may be set back between
// them.
func (r *Record) SameSignIn(other *Record) bool {
	return r.SignedInAt.Equal(other.SignedInAt) && r.sameOwner(other)
}

// sameOwner reports whether both are sessions of the same user, authority and client, so
// that one can replace the other.
func (r *Record) sameOwner(other *Record) bool {
	return strings.EqualFold(r.Username, other.Username) &&
		r.AuthorityURL == other.AuthorityURL && r.ClientID == other.ClientID
}

// samePerson reports whether the tokens of both belong to one person, as far as they name one. A
// renewal keeps the subject of an id token (OpenID Connect Core, section 12.2). The subject of an
// access token is compared only where it is that of the id token as well: some services make up
// a new one for each access token.
func (r *Record) samePerson(other *Record) bool {
	if !sameSubject(r.ID, other.ID) {
		return false
	}
	named := sameSubject(r.Access, r.ID) && sameSubject(other.Access, other.ID)
	return !named || sameSubject(r.Access, other.Access)
}

// sameSubject reports whether two tokens have the same subject, or one has none.
func sameSubject(token, other secret.Text) bool {
	a, b := decodeClaims(token).Subject, decodeClaims(other).Subject
	return a == "" || b == "" || strings.EqualFold(a, b)
}

// valid reports whether the access token has not expired by the clock. If its expiry is
// unknown it is used until the service refuses it.
func (r *Record) valid(now time.Time) bool {
	return r.ExpiresAt.IsZero() || now.Before(r.ExpiresAt)
}

// life is how long the access token lives: 0 if that is unknown, negative if it had expired on
// arrival.
func (r *Record) life() time.Duration {
	if r.ExpiresAt.IsZero() {
		return 0
	}
	return r.ExpiresAt.Sub(r.RequestedAt)
}

// The life of tokens: its limits, and what is assumed where the service does not say it.
const (
	marginPart  = 10 // a token is renewed when a tenth of its life is left
	minMargin   = 10 * time.Minute
	assumedLife = 24 * time.Hour // if unknown: interface section 8
	maxLife     = 10 * 365 * 24 * time.Hour
	// RefreshLife is how long a refresh token can be used after the sign-in (interface section 8).
	RefreshLife = 30 * 24 * time.Hour
)

// refreshEndsAt is when the refresh token expires, zero if there is none.
func (r *Record) refreshEndsAt() time.Time {
	if r.Refresh.IsEmpty() {
		return time.Time{}
	}
	return r.SignedInAt.Add(RefreshLife)
}

// renewAt is when the access token should be renewed: a tenth of its life before it
// expires, but at least ten minutes and at most half its life.
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
