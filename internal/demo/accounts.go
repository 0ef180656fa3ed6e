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

	name string
	// domains are those that the account reaches, the primary one first.
	domains []string

	// claims is the primary domain in tokens; "" for the one that the global service names.
	claims string
	// denies is the domain whose gateway denies access although tokens name it; "" for none.
	denies string
	// waits is the domain whose gateway takes over a second to answer; "" for none.
	waits string
	// life is the life of access tokens; 0 for the usual one.
	life time.Duration
	// cannotRenew means that there is no refresh token, whatever scope is asked for.
	cannotRenew bool
	// barred is what the authority answers in place of a token, whatever the password.
	barred tokenError
	// shares is the number of shares, which are made while they are sent; 0 for those in
	// records.json.
	shares int
	// length is the length of the answer with all shares in bytes, if the service sends it. To
	// count them would take as long as to send them.
	length int64

	// code is the code of each device login; "" if it depends on the device and the domain.
	code string
	// knownDevice means that [KnownDeviceID] is validated, and no other device.
	knownDevice bool
	// wipe means that each device login orders the device to be wiped.
	wipe bool
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

// accounts are everybody who can sign in: first the accounts for browsing, then those for device
// logins, then the troubled ones. They never change.
//
// Eli reaches a domain, but has no primary domain. So his token lacks the claim primary_domain,
// although the interface says that it is always set (section 2.2): what it says of U103 (section 7)
// would be impossible otherwise.
var accounts = []Account{
	{
		Email:   "ada@harbor.example",
		Shows:   "four domains",
		name:    "Ada Lindqvist",
		domains: []string{harbor, minato, fjord, drydock},
		waits:   fjord,
		denies:  drydock,
	},
	{
		Email:   "ben@harbor.example",
		Shows:   "two domains",
		name:    "Ben Okafor",
		domains: []string{harbor, pier},
	},
	{
		Email:   "gus@harbor.example",
		Shows:   "100,000 shares",
		name:    "Gus Tanaka",
		domains: []string{harbor},
		shares:  100_000,
	},
	{
		Email:   "ivy@harbor.example",
		Shows:   "1,000,000 shares",
		name:    "Ivy Nakamura",
		domains: []string{harbor},
		shares:  1_000_000,
		length:  383_631_466,
	},
	{
		Email:   "hal@harbor.example",
		Shows:   "20-second tokens",
		name:    "Hal Jørgensen",
		domains: []string{harbor},
		life:    20 * time.Second,
	},

	{
		Email:       "cleo@harbor.example",
		Shows:       "a known device",
		name:        "Cleo Papadaki",
		domains:     []string{harbor},
		knownDevice: true,
	},
	{
		Email:   "dora@harbor.example",
		Shows:   "device not validated, U107",
		name:    "Dora Møller",
		domains: []string{harbor},
		code:    deviceNotValidated,
	},
	{
		Email:   "eli@harbor.example",
		Shows:   "no primary domain, U103",
		name:    "Eli Haddad",
		domains: []string{harbor},
		code:    noPrimaryDomain,
	},
	{
		Email:   "finn@harbor.example",
		Shows:   "wrong domain, U105",
		name:    "Finn Sørensen",
		domains: []string{harbor},
		code:    wrongDomain,
	},
	{
		Email:   "wes@harbor.example",
		Shows:   "a device to be wiped",
		name:    "Wes Ibarra",
		domains: []string{harbor},
		wipe:    true,
	},

	{
		Email:    "jon@harbor.example",
		Shows:    "look-up and token name different primary domains",
		Troubled: true,
		name:     "Jon Castellanos",
		domains:  []string{harbor, pier},
		claims:   pier,
	},
	{
		Email:    "kit@harbor.example",
		Shows:    "the domain's gateway is down",
		Troubled: true,
		name:     "Kit Rasmussen",
		domains:  []string{shoal},
	},
	{
		Email:    "lena@harbor.example",
		Shows:    "the domain's certificate expired yesterday",
		Troubled: true,
		name:     "Lena Vuković",
		domains:  []string{lagoon},
	},
	{
		Email:    "milo@harbor.example",
		Shows:    "the domain's clock is ten minutes slow",
		Troubled: true,
		name:     "Milo Berntsen",
		domains:  []string{tide},
	},
	{
		Email:    "nora@harbor.example",
		Shows:    "the primary domain refuses her",
		Troubled: true,
		name:     "Nora Ishikawa",
		domains:  []string{harbor},
		denies:   harbor,
	},
	{
		Email:    "olaf@harbor.example",
		Shows:    "a domain other than the primary one refuses him",
		Troubled: true,
		name:     "Olaf Thygesen",
		domains:  []string{harbor, minato},
		denies:   minato,
	},
	{
		Email:    "pia@harbor.example",
		Shows:    "the domain's gateway takes two seconds to answer",
		Troubled: true,
		name:     "Pia Lefèvre",
		domains:  []string{estuary},
	},
	{
		Email:    "quin@harbor.example",
		Shows:    "the domain's gateway is too busy to answer",
		Troubled: true,
		name:     "Quin Adeyemi",
		domains:  []string{strait},
	},
	{
		Email:    "rosa@harbor.example",
		Shows:    "the account is locked",
		Troubled: true,
		name:     "Rosa Ferreira",
		domains:  []string{harbor},
		barred:   tokenError{"invalid_grant", "User account is locked. Try again in 15 minutes."},
	},
	{
		Email:    "sten@harbor.example",
		Shows:    "the service asks for a second factor",
		Troubled: true,
		name:     "Sten Øverland",
		domains:  []string{harbor},
		barred:   tokenError{"mfa_required", "Multifactor authentication required"},
	},
	{
		Email:       "tove@harbor.example",
		Shows:       "the session cannot be renewed",
		Troubled:    true,
		name:        "Tove Hansen",
		domains:     []string{harbor},
		cannotRenew: true,
	},
	{
		Email:    "uma@harbor.example",
		Shows:    "a network in between asks for a sign-in",
		Troubled: true,
		name:     "Uma Castellan",
		domains:  []string{quayside},
	},
}

// Accounts lists everybody who can sign in.
func Accounts() []Account { return slices.Clone(accounts) }

// findAccount finds an account by its e-mail address, whatever the case.
func findAccount(email string) (Account, bool) {
	isWanted := func(a Account) bool { return strings.EqualFold(a.Email, email) }
	i := slices.IndexFunc(accounts, isWanted)
	if i < 0 {
		return Account{}, false
	}
	return accounts[i], true
}

// primaryDomain is the domain that the global service names; "" for the zero account, and for one
// without a primary domain.
func (a *Account) primaryDomain() string {
	if len(a.domains) == 0 || a.code == noPrimaryDomain {
		return ""
	}
	return a.domains[0]
}

// domainExists reports whether any account reaches a domain, which is in lower case.
func domainExists(domain string) bool {
	reachesIt := func(a Account) bool { return slices.Contains(a.domains, domain) }
	return slices.ContainsFunc(accounts, reachesIt)
}
