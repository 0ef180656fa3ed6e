package demo

import (
	"slices"
	"strings"
	"time"
)

// Account is a person of the demo and the situation that signing in as them shows.
type Account struct {
	Email, Shows string
	// Troubled accounts are for the support desk: something is wrong with the account or with
	// its domain's gateway.
	Troubled bool

	name    string
	domains []string // that the account reaches, the primary one first

	claims string        // the primary domain in tokens, where it is not that of the global service
	denies string        // the domain whose gateway denies access, although tokens name it
	waits  string        // the domain whose gateway takes over a second to answer
	life   time.Duration // of access tokens; 0: the usual one
	once   bool          // there is no refresh token, whatever is asked for
	barred tokenError    // what the authority says in place of a token, whatever the password; zero: nothing
	shares int           // that are made while they are sent; 0: those of records.json
	length int64         // of the answer with all of them, where the service tells it: to find out takes as long as to send it

	code        string // of each device login; "": it depends on the device and the domain
	knownDevice bool   // [KnownDeviceID], and no other id is validated
	wipe        bool
}

// KnownDeviceID is the device of cleo@harbor.example that the service knows: signing in from a
// device of any name answers with it, and any other device id of hers is not validated.
const KnownDeviceID = "c1e05d2f7a9b4386b0d4e81f3a6c2975"

const (
	harbor  = "harbor.example"
	minato  = "minato.example"
	fjord   = "fjord.example"
	drydock = "drydock.example"
	pier    = "pier.example"
)

// accounts are everybody who can sign in: for browsing, for device logins, then the troubled
// ones. They never change.
//
// Eli reaches a domain, but has no primary domain anywhere: the claim primary_domain is
// missing in his token, although the interface calls it always set (section 2.2), for it
// explains what U103 means (section 7).
var accounts = []Account{
	{Email: "ada@harbor.example", name: "Ada Lindqvist", Shows: "four domains",
		domains: []string{harbor, minato, fjord, drydock}, waits: fjord, denies: drydock},
	{Email: "ben@harbor.example", name: "Ben Okafor", Shows: "two domains", domains: []string{harbor, pier}},
	{Email: "gus@harbor.example", name: "Gus Tanaka", Shows: "100,000 shares", domains: []string{harbor}, shares: 100_000},
	{Email: "ivy@harbor.example", name: "Ivy Nakamura", Shows: "1,000,000 shares", domains: []string{harbor}, shares: 1_000_000, length: 383_631_466},
	{Email: "hal@harbor.example", name: "Hal Jørgensen", Shows: "20-second tokens", domains: []string{harbor}, life: 20 * time.Second},

	{Email: "cleo@harbor.example", name: "Cleo Papadaki", Shows: "a known device", domains: []string{harbor}, knownDevice: true},
	{Email: "dora@harbor.example", name: "Dora Møller", Shows: "device not validated, U107", domains: []string{harbor}, code: deviceNotValidated},
	{Email: "eli@harbor.example", name: "Eli Haddad", Shows: "no primary domain, U103", domains: []string{harbor}, code: noPrimaryDomain},
	{Email: "finn@harbor.example", name: "Finn Sørensen", Shows: "wrong domain, U105", domains: []string{harbor}, code: wrongDomain},
	{Email: "wes@harbor.example", name: "Wes Ibarra", Shows: "a device to be wiped", domains: []string{harbor}, wipe: true},

	{Email: "jon@harbor.example", name: "Jon Castellanos", Shows: "look-up and token name different primary domains", Troubled: true,
		domains: []string{harbor, pier}, claims: pier},
	{Email: "kit@harbor.example", name: "Kit Rasmussen", Shows: "the domain's gateway is down", Troubled: true, domains: []string{shoal}},
	{Email: "lena@harbor.example", name: "Lena Vuković", Shows: "the domain's certificate expired yesterday", Troubled: true, domains: []string{lagoon}},
	{Email: "milo@harbor.example", name: "Milo Berntsen", Shows: "the domain's clock is ten minutes slow", Troubled: true, domains: []string{tide}},
	{Email: "nora@harbor.example", name: "Nora Ishikawa", Shows: "the primary domain refuses her", Troubled: true,
		domains: []string{harbor}, denies: harbor},
	{Email: "olaf@harbor.example", name: "Olaf Thygesen", Shows: "a domain other than the primary one refuses him", Troubled: true,
		domains: []string{harbor, minato}, denies: minato},
	{Email: "pia@harbor.example", name: "Pia Lefèvre", Shows: "the domain's gateway takes two seconds to answer", Troubled: true, domains: []string{estuary}},
	{Email: "quin@harbor.example", name: "Quin Adeyemi", Shows: "the domain's gateway is too busy to answer", Troubled: true, domains: []string{strait}},
	{Email: "rosa@harbor.example", name: "Rosa Ferreira", Shows: "the account is locked", Troubled: true,
		domains: []string{harbor}, barred: tokenError{"invalid_grant", "User account is locked. Try again in 15 minutes."}},
	{Email: "sten@harbor.example", name: "Sten Øverland", Shows: "the service asks for a second factor", Troubled: true,
		domains: []string{harbor}, barred: tokenError{"mfa_required", "Multifactor authentication required"}},
	{Email: "tove@harbor.example", name: "Tove Hansen", Shows: "the session cannot be renewed", Troubled: true, domains: []string{harbor}, once: true},
	{Email: "uma@harbor.example", name: "Uma Castellan", Shows: "a network in between asks for a sign-in", Troubled: true, domains: []string{quayside}},
}

// Accounts lists everybody who can sign in.
func Accounts() []Account { return slices.Clone(accounts) }

// findAccount finds an account by e-mail, without case.
func findAccount(email string) (Account, bool) {
	i := slices.IndexFunc(accounts, func(a Account) bool { return strings.EqualFold(a.Email, email) })
	if i < 0 {
		return Account{}, false
	}
	return accounts[i], true
}

// primaryDomain is what the global service names. It is empty for nobody's account and for
// one without a primary domain.
func (a *Account) primaryDomain() string {
	if len(a.domains) == 0 || a.code == noPrimaryDomain {
		return ""
	}
	return a.domains[0]
}

// domainExists reports whether anybody reaches a domain, given in lower case.
func domainExists(domain string) bool {
	return slices.ContainsFunc(accounts, func(a Account) bool { return slices.Contains(a.domains, domain) })
}
