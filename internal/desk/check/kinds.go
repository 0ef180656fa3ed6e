package check

import "strings"

// part is a part of the service that a check asks.
type part uint8

// The parts.
const (
	noPart part = iota
	globalPart
	authorityPart
	gatewayPart
)

// Kind is all that the program knows of a kind of check beside what it does: a check that is added
// has its entry in kinds, a step in [plan], and rows in docs/check.schema.json and
// docs/support-desk.md. TestEachCheckHasAllItsParts says what is missing.
type Kind struct {
	// ID is the id of its checks; of those of domains it is [DomainPrefix], before the domain.
	ID string
	// Column is the column of a CSV that has the state of its checks, the worst of several.
	Column string

	name        string // in the middle of a sentence; "" for the domain itself
	gives       string // what later checks need it for, after "not possible without"; "" is the id
	asks        part   // whose host it asks
	unreachable Code   // of a check of a host alone: the code where that cannot be reached
}

// Kinds are all kinds in causal order, which is that of the card and of the columns of a CSV.
var Kinds = []Kind{
	{ID: Profile, Column: "profile", name: "the check of the profile", gives: "a usable profile"},
	{ID: Lookup, Column: "lookup", name: "the look-up", gives: "a primary domain", asks: globalPart},
	{ID: Global, Column: "global", name: "the check of the global service", asks: globalPart, unreachable: GlobalUnreachable},
	{ID: Authority, Column: "authority", name: "the check of the authority", asks: authorityPart, unreachable: AuthorityUnreachable},
	{ID: Gateway, Column: "gateway", name: "the check of the gateway", asks: gatewayPart, unreachable: GatewayUnreachable},
	{ID: SignIn, Column: "sign-in", name: "the sign-in", gives: "a sign-in", asks: authorityPart},
	{ID: Claims, Column: "claims", name: "the check of the claims"},
	{ID: DomainPrefix, Column: "domains", asks: gatewayPart},
	{ID: Device, Column: "device", name: "the device login", asks: globalPart},
	{ID: Control, Column: "control", name: "the comparison"},
}

// kindRanks are the places in Kinds by id.
var kindRanks = func() map[string]int {
	ranks := map[string]int{}
	for rank, kind := range Kinds {
		ranks[kind.ID] = rank
	}
	return ranks
}()

// DomainOf is the domain that a check is about by its id, if it is one of a domain.
func DomainOf(id string) (domain string, ok bool) { return strings.CutPrefix(id, DomainPrefix) }

// Rank is the place of a check in the causal order by its id, -1 for one that a newer program made.
func Rank(id string) int {
	if _, isDomain := DomainOf(id); isDomain {
		id = DomainPrefix
	}
	if rank, known := kindRanks[id]; known {
		return rank
	}
	return -1
}

// KindOf is the kind of a check by its id, the zero Kind for one that a newer program made.
func KindOf(id string) Kind {
	if rank := Rank(id); rank >= 0 {
		return Kinds[rank]
	}
	return Kind{}
}

// isHost reports whether a check looks at a host and asks for nothing of the person.
func isHost(id string) bool { return KindOf(id).unreachable != "" }

// verdictKind is what is said of a code wherever it stands.
type verdictKind struct {
	code  Code
	title string // what people call it, as a heading
	// atHost is set where the cause is at a host, which a summary names.
	atHost bool
	// ofProfile is set where whoever uses the profile is affected.
	ofProfile bool
}

// verdictKinds are all codes. One that is added has its rules, and rows in docs/check.schema.json
// and docs/support-desk.md. TestEachVerdictHasAllItsParts says what is missing.
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

// kind is what is said of a code, nothing of one that a newer program made.
func (c Code) kind() verdictKind {
	for _, kind := range verdictKinds {
		if kind.code == c {
			return kind
		}
	}
	return verdictKind{code: c, title: string(c)}
}

// Title is a code in a few words, as a heading: "Wrong password".
func (c Code) Title() string { return c.kind().title }
