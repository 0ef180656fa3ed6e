package demo

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// KnownDeviceID is the device of cleo@harbor.example that the service knows:
// signing in from a device of any name answers with it, and any other device
// id of hers is not validated.
const KnownDeviceID = "c1e05d2f7a9b4386b0d4e81f3a6c2975"

// Account is a person of the demo and the situation that signing in as them
// shows.
type Account struct {
	Email, Shows string
	// Troubled accounts are for the support desk: something is wrong with the account or with
	// its domain's gateway.
	Troubled bool
}

// Accounts lists everybody who can sign in: accounts for browsing, for device logins, then the
// troubled ones.
func Accounts() []Account {
	list := make([]Account, len(accounts))
	for i, a := range accounts {
		list[i] = Account{a.email, a.shows, a.troubled}
	}
	return list
}

type account struct {
	email, firstName, lastName string
	shows                      string
	domains                    []membership // the primary domain first, if there is one
	device                     deviceSituation
	shortLived                 bool // access tokens of 20 seconds
	troubled                   bool
	// claimed is the primary domain that tokens name where it is not that of the global
	// service.
	claimed string
}

// membership is a domain that an account reaches, and what it finds there.
type membership struct {
	domain string
	many   int   // lean records, made while they are sent; 0: those of records.json
	length int64 // of the answer with all of them, where the service tells it
	// refused is set where tokens name the domain and its gateway refuses the account.
	refused bool
	// takes is how long its gateway waits before it answers the account.
	takes time.Duration
}

// deviceSituation decides what a device login answers (interface section 7).
type deviceSituation int

const (
	anyDevice deviceSituation = iota
	knownDevice
	unvalidatedDevice
	noPrimaryDomain
	foreignDomain
	wipedDevice
)

const (
	harbor  = "harbor.example"
	minato  = "minato.example"
	fjord   = "fjord.example"
	drydock = "drydock.example"
	pier    = "pier.example"
)

// ivysLength is how long the list of a million shares is. To find out takes as
// long as to send it.
const ivysLength = 383_201_862

// accounts never changes.
//
// Eli reaches a domain, but has no primary domain anywhere: the claim primary_domain is
// missing in his token, although the interface calls it always set (section 2.2), for it
// explains what U103 means (section 7).
var accounts = []account{
	{
		email: "ada@harbor.example", firstName: "Ada", lastName: "Lindqvist",
		shows:   "four domains",
		domains: []membership{{domain: harbor}, {domain: minato}, {domain: fjord, takes: 1200 * time.Millisecond}, {domain: drydock, refused: true}},
	},
	{
		email: "ben@harbor.example", firstName: "Ben", lastName: "Okafor",
		shows:   "two domains",
		domains: []membership{{domain: harbor}, {domain: pier}},
	},
	{
		email: "gus@harbor.example", firstName: "Gus", lastName: "Tanaka",
		shows:   "100,000 shares",
		domains: []membership{{domain: harbor, many: 100_000}},
	},
	{
		email: "ivy@harbor.example", firstName: "Ivy", lastName: "Nakamura",
		shows:   "1,000,000 shares",
		domains: []membership{{domain: harbor, many: 1_000_000, length: ivysLength}},
	},
	{
		email: "hal@harbor.example", firstName: "Hal", lastName: "Jørgensen",
		shows:      "20-second tokens",
		domains:    []membership{{domain: harbor}},
		shortLived: true,
	},
	{
		email: "cleo@harbor.example", firstName: "Cleo", lastName: "Papadaki",
		shows:   "a known device",
		domains: []membership{{domain: harbor}},
		device:  knownDevice,
	},
	{
		email: "dora@harbor.example", firstName: "Dora", lastName: "Møller",
		shows:   "device not validated, U107",
		domains: []membership{{domain: harbor}},
		device:  unvalidatedDevice,
	},
	{
		email: "eli@harbor.example", firstName: "Eli", lastName: "Haddad",
		shows:   "no primary domain, U103",
		domains: []membership{{domain: harbor}},
		device:  noPrimaryDomain,
	},
	{
		email: "finn@harbor.example", firstName: "Finn", lastName: "Sørensen",
		shows:   "wrong domain, U105",
		domains: []membership{{domain: harbor}},
		device:  foreignDomain,
	},
	{
		email: "wes@harbor.example", firstName: "Wes", lastName: "Ibarra",
		shows:   "a device to be wiped",
		domains: []membership{{domain: harbor}},
		device:  wipedDevice,
	},
	{
		email: "jon@harbor.example", firstName: "Jon", lastName: "Castellanos",
		shows:   "look-up and token name different primary domains",
		domains: []membership{{domain: harbor}, {domain: pier}},
		claimed: pier, troubled: true,
	},
	{
		email: "kit@harbor.example", firstName: "Kit", lastName: "Rasmussen",
		shows:   "the domain's gateway is down",
		domains: []membership{{domain: shoal}}, troubled: true,
	},
	{
		email: "lena@harbor.example", firstName: "Lena", lastName: "Vuković",
		shows:   "the domain's certificate expired yesterday",
		domains: []membership{{domain: lagoon}}, troubled: true,
	},
	{
		email: "milo@harbor.example", firstName: "Milo", lastName: "Berntsen",
		shows:   "the domain's clock is ten minutes slow",
		domains: []membership{{domain: tide}}, troubled: true,
	},
	{
		email: "nora@harbor.example", firstName: "Nora", lastName: "Ishikawa",
		shows:   "the primary domain refuses her",
		domains: []membership{{domain: harbor, refused: true}}, troubled: true,
	},
	{
		email: "olaf@harbor.example", firstName: "Olaf", lastName: "Thygesen",
		shows:   "a domain other than the primary one refuses him",
		domains: []membership{{domain: harbor}, {domain: minato, refused: true}}, troubled: true,
	},
	{
		email: "pia@harbor.example", firstName: "Pia", lastName: "Lefèvre",
		shows:   "the domain's gateway takes two seconds to answer",
		domains: []membership{{domain: estuary}}, troubled: true,
	},
	{
		email: "quin@harbor.example", firstName: "Quin", lastName: "Adeyemi",
		shows:   "the domain's gateway is too busy to answer",
		domains: []membership{{domain: strait}}, troubled: true,
	},
}

// findAccount finds an account by e-mail, without case.
func findAccount(email string) (account, bool) {
	i := slices.IndexFunc(accounts, func(a account) bool { return strings.EqualFold(a.email, email) })
	if i < 0 {
		return account{}, false
	}
	return accounts[i], true
}

// primaryDomain is that of the global service. It is empty for nobody's account and for
// one without a primary domain.
func (a account) primaryDomain() string {
	if len(a.domains) == 0 || a.device == noPrimaryDomain {
		return ""
	}
	return a.domains[0].domain
}

// claimedDomain is the primary domain as tokens have it.
func (a account) claimedDomain() string { return cmp.Or(a.claimed, a.primaryDomain()) }

// otherDomains are those that tokens name beside the primary one.
func (a account) otherDomains() []string {
	var others []string
	for _, m := range a.domains {
		if m.domain != a.claimedDomain() {
			others = append(others, m.domain)
		}
	}
	return others
}

// in returns what the account finds in a domain.
func (a account) in(domain string) (membership, bool) {
	i := slices.IndexFunc(a.domains, func(m membership) bool { return m.domain == domain })
	if i < 0 {
		return membership{}, false
	}
	return a.domains[i], true
}

// domainExists reports whether anybody reaches a domain, given in lower case.
func domainExists(domain string) bool {
	return slices.ContainsFunc(accounts, func(a account) bool {
		_, reaches := a.in(domain)
		return reaches
	})
}
