package testkit

import (
	"context"

	"gatehouse/internal/secret"
)

// Token is a source of access tokens that has this one and no other.
type Token string

// Token returns it.
func (t Token) Token(context.Context) (secret.Text, error) { return secret.New(string(t)), nil }

// Replacement returns it again.
func (t Token) Replacement(context.Context, secret.Text) (secret.Text, error) {
	return secret.New(string(t)), nil
}

// ReplacementRefused does nothing.
func (Token) ReplacementRefused(secret.Text) {}
