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

// SignIn is what a person enters to sign in.
type SignIn struct {
	// Authority is "main", "domain" or "test"; "" stands for the profile's own.
	Authority string
	Username  string // an e-mail address; it is trimmed
	Password  secret.Text
	// PrimaryDomain is the host name of the user's primary domain, if known. It saves the look-up
	// that the authority "domain" needs.
	PrimaryDomain string
	// Answer, if set, receives what the authority says about the token that it issues.
	Answer *TokenAnswer
	// Keep saves the session in a vault that is optional. Other vaults always save it.
	Keep bool
}

// TokenAnswer is what an authority says about a token that it issues.
type TokenAnswer struct {
	Scopes []string // of the token; nil if the answer does not name any
	Life   string   // in seconds, as one line exactly as sent, perhaps no number; "" if not sent
}

// SignIn gets tokens for a password (interface section 4.1) and saves them. It tries the vault
// before it sends the password, with up to 60 seconds for a prompt of the keyring. The password is
// sent once.
//
// The error is a *[WrongPasswordError] if the service refuses the password, and a *[api.GateError]
// if the gate does. After any error the session is unchanged. That the tokens cannot be saved is
// not an error: the session continues in memory, and its status is then not Saved and has the
// Reason.
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

// accept saves the first record of a session over whatever the vault holds and makes it current.
// No erasure can come in between, and the end of ctx no longer cancels the sign-in.
func (s *Session) accept(ctx context.Context, r *Record, keep bool) (saveErr error) {
	ctx = context.WithoutCancel(ctx)
	s.vaultMu.Lock()
	defer s.vaultMu.Unlock()
	s.keepChosen.Store(keep)
	for range outdatedTries {
		var replaced uint64 // 0 if it cannot be read: the vault decides whether to set it aside
		if stored, err := s.load(ctx); err == nil {
			replaced = stored.Generation
		}
		r = r.withGenerationAbove(replaced)
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

// grant gets the tokens of a sign-in and returns its record, which is not saved yet.
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
		return nil, err // cancelled while the answer was being read
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
		Username:        decodeClaims(token.Access).userOr(username),
		SignedInAt:      wallClock(s.options.Now()),
	}
	return r.withToken(token), nil
}

// sendPassword gets a token for a password, which is sent once.
func (s *Session) sendPassword(
	ctx context.Context, url, username string, password secret.Text,
) (*api.Token, error) {
	token, err := s.tokenClient(url).Password(ctx, username, password)
	return token, wrongPassword(username, err)
}

// wrongPassword turns the refusal of an address or a password into a *[WrongPasswordError]. It
// returns any other error unchanged, such as the refusal of a locked account.
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

// authorityOf returns the base URL of an authority and the domain that is part of it, or "" if none
// is. For the authority "domain" that is the user's primary domain, which is looked up unless it is
// known (interface section 4.4).
func (s *Session) authorityOf(
	ctx context.Context, authority, username, knownDomain string,
) (url, domain string, err error) {
	profile := s.options.Profile
	needsDomain := authority == config.AuthorityDomain &&
		strings.Contains(profile.DomainAuthURL, "{domain}")
	if !needsDomain {
		url, err = profile.AuthorityURL(authority, "")
		return url, "", err
	}
	domain = knownDomain
	if domain == "" {
		if profile.GlobalURL == "" {
			return "", "", &MissingError{What: MissingGlobal}
		}
		if domain, err = primaryDomain(ctx, s.global, username); err != nil {
			return "", "", err
		}
	}
	if err := profile.CheckSecretDomain(domain); err != nil {
		return "", "", err
	}
	url, err = profile.AuthorityURL(authority, domain)
	return url, domain, err
}
