package testkit

import (
	"context"

	"gatehouse/internal/text/secret"
)

// Token is a source of access tokens that always has this one.
type Token string

func (t Token) Token(context.Context) (secret.Text, error) { return secret.New(string(t)), nil }

func (t Token) Replacement(context.Context, secret.Text) (secret.Text, error) {
	return secret.New(string(t)), nil
}

func (Token) ReplacementRefused(secret.Text) {}

func (Token) IsNew(secret.Text) bool { return false }
