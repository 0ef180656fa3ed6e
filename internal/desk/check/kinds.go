package check

import (
	"strings"
	"time"

	"gatehouse/api"
)

// The ids of checks in causal order. Between Claims and Device comes one for each domain,
// with the id DomainPrefix and the name.
const (
	Profile      = "profile"
	Lookup       = "lookup"
	Global       = "global"
	Authority    = "authority"
	Gateway      = "gateway"
	SignIn       = "sign-in"
	Claims       = "claims"
	DomainPrefix = "domain:"
	Device       = "device"
	Control      = "control"
)

// ServicePart is a part of the service that a check asks.
type ServicePart uint8

// The parts. The zero ServicePart is none.
const (
	_ ServicePart = iota
	GlobalPart
	AuthorityPart
	GatewayPart
)

// place returns what the host of a part is asked for; package api says why.
func (p ServicePart) place(baseURL string) api.Place {
	switch p {
	case GlobalPart:
		return api.GlobalPlace(baseURL)
	case AuthorityPart:
		return api.TokenPlace(baseURL)
	}
	return api.GatewayPlace(baseURL)
}

// Kind is everything that the program knows about a kind of check, except what it does. A new check
// needs an id, an entry in [Kinds] and a step in plan, all in this file, and a row in
// docs/support-desk.md. TestEachCheckHasAllItsParts says what is missing. docs/check.schema.json is
// written by go test with -update.
type Kind struct {
	// ID is the id of its checks, or [DomainPrefix] for the checks of domains.
	ID string
	// Column is the column of a CSV with the state of its checks, or the worst state of several.
	Column string

	name        string      // in the middle of a sentence; "" if it is called like its domain
	gives       string      // completes "not possible without ..."; "" stands for the id
	asks        ServicePart // the part of the service whose host it asks
	domain      about       // finds the domain that sentences name; nil: see scene.wanted
	unreachable Code        // of a check that only looks at a host: the code if it cannot be reached
}

// about finds the domain of the check with an id, a host name, or "" if it is unknown.
type about func(s *scene, id string) string

func domainOfLookup(s *scene, _ string) string { return s.lookedUp() }

func domainInID(_ *scene, id string) string {
	domain, _ := DomainOf(id)
	return domain
}

// Kinds lists all kinds in causal order, which is also the order on the card and in a CSV.
var Kinds = []Kind{
	{ID: Profile, Column: "profile", name: "the check of the profile", gives: "a usable profile"},
	{ID: Lookup, Column: "lookup", name: "the look-up", gives: "a primary domain", asks: GlobalPart},
	{
		ID: Global, Column: "global", name: "the check of the global service",
		asks: GlobalPart, unreachable: GlobalUnreachable,
	},
	{
		ID: Authority, Column: "authority", name: "the check of the authority",
		asks: AuthorityPart, unreachable: AuthorityUnreachable,
	},
	{
		ID: Gateway, Column: "gateway", name: "the check of the gateway",
		asks: GatewayPart, unreachable: GatewayUnreachable, domain: domainOfLookup,
	},
	{ID: SignIn, Column: "sign-in", name: "the sign-in", gives: "a sign-in", asks: AuthorityPart},
	{ID: Claims, Column: "claims", name: "the check of the claims"},
	{ID: DomainPrefix, Column: "domains", asks: GatewayPart, domain: domainInID},
	{ID: Device, Column: "device", name: "the device login", asks: GlobalPart},
	{ID: Control, Column: "control", name: "the comparison"},
}

// kindRanks has the positions in Kinds by id.
var kindRanks = func() map[string]int {
	ranks := map[string]int{}
	for rank, kind := range Kinds {
		ranks[kind.ID] = rank
	}
	return ranks
}()

// DomainOf returns the domain of a check by its id. ok is false if it is not the check of a domain.
func DomainOf(id string) (domain string, ok bool) { return strings.CutPrefix(id, DomainPrefix) }

// Rank returns the position of a check in the causal order by its id, or -1 if the id is unknown, for
// instance in the report of a newer program.
func Rank(id string) int {
	if _, isDomain := DomainOf(id); isDomain {
		id = DomainPrefix
	}
	if rank, known := kindRanks[id]; known {
		return rank
	}
	return -1
}

// KindOf returns the kind of a check by its id, or the zero Kind if the id is unknown.
func KindOf(id string) Kind {
	if rank := Rank(id); rank >= 0 {
		return Kinds[rank]
	}
	return Kind{}
}

// plan returns the steps of a check in causal order. The steps of domains follow when the claims are
// known.
func plan(r *run) []*step {
	needs := func(primaryDomainIsInURL bool) []string {
		if primaryDomainIsInURL {
			return []string{Profile, Lookup}
		}
		return []string{Profile}
	}
	steps := []*step{
		{id: Profile, limit: stepLimit, run: checkProfile},
		{id: Lookup, needs: needs(false), limit: stepLimit, run: lookUp},
		{id: Global, needs: needs(false), limit: stepLimit, run: checkGlobal},
		{id: Authority, needs: needs(r.service.Profile.AsksDomain()), limit: stepLimit, run: checkAuthority},
		{id: Gateway, needs: needs(!r.hasOneGateway()), limit: stepLimit, run: checkGateway},
	}
	if r.Password.IsEmpty() && r.asksOtherDomain() {
		steps = append(steps, &step{
			id: DomainPrefix + r.Domain, needs: needs(false), after: []string{Lookup},
			limit: stepLimit, run: askWantedGateway,
		})
	}
	if !r.Password.IsEmpty() {
		steps = append(steps,
			&step{
				id: SignIn, needs: []string{Authority}, after: []string{Lookup},
				limit: stepLimit, run: signIn,
			},
			&step{
				id: Claims, needs: []string{SignIn}, after: []string{Lookup},
				limit: time.Second, run: checkClaims, then: domainSteps,
			},
		)
	}
	if !r.Password.IsEmpty() && (r.DeviceName != "" || r.DeviceID != "") {
		steps = append(steps, &step{
			id: Device, needs: []string{Global, SignIn}, after: []string{Claims},
			limit: stepLimit, run: logInDevice,
		})
	} else if !r.Password.IsEmpty() {
		steps = append(steps, &step{id: Device, limit: stepLimit, run: leaveDeviceOut})
	}
	if r.Control {
		steps = append(steps, &step{
			id: Control, after: []string{Lookup, Gateway, SignIn, Claims, DomainPrefix},
			limit: stepLimit, run: askControl,
		})
	}
	return steps
}

// isHost reports whether a check only looks at a host, without asking about the person.
func isHost(id string) bool { return KindOf(id).unreachable != "" }

// verdictKind is what holds for a code in every report.
type verdictKind struct {
	code      Code
	title     string // a heading
	atHost    bool   // the cause is at a host, which a summary names
	ofProfile bool   // everybody who uses the profile is affected
}

// verdictKinds lists all codes. A new code needs its rules, and rows in docs/check.schema.json and
// docs/support-desk.md. TestEachVerdictHasAllItsParts says what is missing.
var verdictKinds = []verdictKind{
	{code: LooksFine, title: "Looks fine"},
	{code: UnknownAddress, title: "Unknown address"},
	{code: NoPrimaryDomain, title: "No primary domain"},
	{code: OtherPrimaryDomain, title: "Wrong domain"},
	{code: WrongPassword, title: "Sign-in rejected"},
	{code: SignInRefused, title: "Sign-in refused"},
	{code: ClientRefused, title: "Client refused", ofProfile: true},
	{code: DeviceNotValidated, title: "Device not validated"},
	{code: WipeOrdered, title: "Wipe ordered"},
	{code: UndocumentedCode, title: "Undocumented code"},
	{code: NoAccess, title: "No access"},
	{code: OtherDomains, title: "Other domains"},
	{code: AuthorityUnreachable, title: "Authority unreachable", atHost: true},
	{code: GatewayUnreachable, title: "Gateway unreachable", atHost: true},
	{code: GlobalUnreachable, title: "Global service unreachable", atHost: true},
	{code: ServiceFailing, title: "Service failing", atHost: true},
	{code: Network, title: "Network problem here"},
	{code: Certificate, title: "Certificate not valid", atHost: true},
	{code: Clock, title: "Clock wrong", atHost: true},
	{code: NotRenewable, title: "Not renewable"},
	{code: BadProfile, title: "Profile unusable", ofProfile: true},
	{code: Undecided, title: "Check interrupted"},
}

// kind returns what holds for a code. Of a code that is unknown, that is only the code as its title.
func (c Code) kind() verdictKind {
	for _, kind := range verdictKinds {
		if kind.code == c {
			return kind
		}
	}
	return verdictKind{code: c, title: string(c)}
}

// Title returns a code in a few words, as a heading: "Sign-in rejected".
func (c Code) Title() string { return c.kind().title }
