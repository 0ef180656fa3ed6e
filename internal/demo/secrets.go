package demo

import "cmp"

// Password is the password of every account unless [Secrets] says otherwise.
const Password = "demo"

// Secrets are what callers of the service show to be let in.
type Secrets struct {
	Password     string // of every account
	ClientSecret string // of the client that [Server.Env] names
	// The keys of server-to-server use (interface section 5): a reseller key is
	// for reseller endpoints, a company key for company and share endpoints.
	ResellerKey, CompanyKey string
}

// orOwn fills in the demo's own secrets.
func (s Secrets) orOwn() Secrets {
	return Secrets{
		Password:     cmp.Or(s.Password, Password),
		ClientSecret: cmp.Or(s.ClientSecret, "demo-secret"),
		ResellerKey:  cmp.Or(s.ResellerKey, "demo-reseller-key"),
		CompanyKey:   cmp.Or(s.CompanyKey, "demo-company-key"),
	}
}

// authenticate finds the account that an e-mail and a password belong to.
func (s *Server) authenticate(email, password string) (account, bool) {
	a, found := findAccount(email)
	return a, found && password == s.secrets.Password
}
