package session

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/text/secret"
)

// SignIn is what a person enters to sign in. An empty authority ("main", "domain" or
// "test") is the profile's.
type SignIn struct {
	Authority string
	Username  string // an e-mail address; it is trimmed
	Password  secret.Text
	// PrimaryDomain is the host name of the user's primary domain, if known. It saves the look-up
	// that the authority "domain" needs.
	PrimaryDomain string
	// Answer, if it is not nil, gets what the authority says of the token beside it.
	Answer *TokenAnswer
	// Keep saves the session where the vault is optional; other vaults always save it.
	Keep bool
}

// TokenAnswer is what an authority says of a token that it issues.
type TokenAnswer struct {
	Scopes []string // that it is for; nil if the answer does not say
	Life   string   // in seconds, as it came: one line, which may be no number; "" if the answer does not say
}

// SignIn gets tokens for a password (interface section 4.1) and saves them. The vault is
// tried before the password is sent, with up to 60 seconds for a prompt of the keyring;
// the password is sent once. A refused one is a *[WrongPasswordError], one that the gate has not
// let pass a *[api.GateError]; after any error the session is unchanged. If the tokens cannot be
// saved, the session continues in memory: Status is then not Saved, and its Reason says why.
func (s *Session) SignIn(ctx context.Context, in SignIn) error {
	select {
	case s.signInSlot <- struct{}{}:
		defer func() { <-s.signInSlot }()
	case <-ctx.Done():
		return ctx.Err()
	}
	r, err := s.grant(ctx, in)
	if err != nil {
		return err
	}
	saveErr := s.accept(ctx, r, in.Keep)
	s.emit(EventSignedIn, saveErr)
	return nil
}

// accept saves the first record of a session over whatever the vault holds, and makes it current,
// with no erasing in between. From here on ctx no longer cancels the sign-in.
func (s *Session) accept(ctx context.Context, r *Record, keep bool) (saveErr error) {
	ctx = context.WithoutCancel(ctx)
	s.vaultMu.Lock()
	defer s.vaultMu.Unlock()
	s.keepChosen.Store(keep)
	for range outdatedTries {
		var replaced uint64 // 0 if it cannot be read: the vault decides whether it is set aside
		if stored, err := s.load(ctx); err == nil {
			replaced = stored.Generation
		}
		r = r.above(replaced)
		saveErr = s.commit(ctx, r, func(ctx context.Context, r *Record) error {
			return s.options.Vault.Put(ctx, r, replaced, keep)
		})
		if !errors.Is(saveErr, ErrOutdated) {
			break
		}
	}
	s.startEpoch(s.active(r, true, saveErr, 0))
	return saveErr
}

// grant does everything of a sign-in up to its record.
func (s *Session) grant(ctx context.Context, in SignIn) (*Record, error) {
	username := strings.TrimSpace(in.Username)
	if username == "" {
		return nil, &MissingError{What: MissingEmail}
	}
	if in.Password.IsEmpty() {
		return nil, &MissingError{What: MissingPassword}
	}
	authority := cmp.Or(in.Authority, s.options.Profile.Authority)
	url, domain, err := s.authorityOf(ctx, authority, username, in.PrimaryDomain)
	if err != nil {
		return nil, err
	}
	if err := s.options.Vault.Try(ctx, in.Keep); err != nil {
		return nil, err
	}
	token, err := s.sendPassword(ctx, url, username, in.Password)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err // cancelled while the answer came
	}
	if in.Answer != nil {
		*in.Answer = TokenAnswer{Scopes: token.Scopes, Life: token.Life}
	}
	r := &Record{
		Profile:         s.options.Profile.Name,
		Authority:       authority,
		AuthorityDomain: domain,
		AuthorityURL:    url,
		ClientID:        s.options.Profile.ClientID,
		ClientDigest:    clientDigest(s.options.Profile),
		BaseURL:         s.options.Profile.BaseURL,
		Username:        cmp.Or(decodeClaims(token.Access).Subject, username),
		SignedInAt:      wall(s.options.Now()),
	}
	return r.with(token), nil
}

// sendPassword gets a token for a password, which is sent once.
func (s *Session) sendPassword(ctx context.Context, url, username string, password secret.Text) (*api.Token, error) {
	token, err := s.tokenClient(url).Password(ctx, username, password)
	err = wrongPassword(username, err)
	return token, err
}

// wrongPassword makes the refusal of an address or a password a *[WrongPasswordError]; one for
// another reason, such as a locked account, stays what it is.
func wrongPassword(username string, err error) error {
	if refused, ok := errors.AsType[*api.TokenError](err); ok && refused.WrongPassword() {
		return &WrongPasswordError{Username: username, Host: refused.Host, Err: refused}
	}
	refused, ok := errors.AsType[*api.StatusError](err)
	if ok && refused.RefusesSignIn() && refused.Reason() == api.ReasonCredentials {
		return &WrongPasswordError{Username: username, Host: refused.Host, Err: refused}
	}
	return err
}

// authorityOf returns the base URL of an authority, and the domain in it. The authority
// "domain" is found by the user's primary domain (interface section 4.4).
func (s *Session) authorityOf(ctx context.Context, authority, username, known string) (url, domain string, err error) {
	if authority != config.AuthorityDomain || !strings.Contains(s.options.Profile.DomainAuthURL, "{domain}") {
		url, err = s.options.Profile.AuthorityURL(authority, "")
		return url, "", err
	}
	if domain = known; domain == "" {
		if s.options.Profile.GlobalURL == "" {
			return "", "", &MissingError{What: MissingGlobal}
		}
		if domain, err = primaryDomain(ctx, s.global, username); err != nil {
			return "", "", err
		}
	}
	if err := s.options.Profile.CheckSecretDomain(domain); err != nil {
		return "", "", err
	}
	url, err = s.options.Profile.AuthorityURL(authority, domain)
	return url, domain, err
}
