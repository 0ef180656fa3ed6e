package check

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"unicode"

	"gatehouse/internal/config"
)

// variant chooses among the sentences of a code.
func (j judgement) variant(c cause) string {
	switch c.code {
	case LooksFine:
		return j.fineVariant(c)
	case UnknownAddress:
		return j.addressVariant(c)
	case NoPrimaryDomain:
		return j.missingVariant(c)
	case OtherPrimaryDomain:
		return j.wrongVariant(c)
	case WrongPassword:
		if !isPlainRefusal(c.check.trouble().description) {
			return "described"
		}
	case ClientRefused:
		if f, ok := c.check.finding.(foundSignIn); ok && f.noSecret {
			return "no secret"
		}
	case DeviceNotValidated, WipeOrdered:
		if j.device().created() != "" {
			return "own"
		}
	case UndocumentedCode:
		if j.device().meaning.Fine {
			return "complete"
		}
	case NoAccess:
		return refusedVariant(c.check)
	case OtherDomains:
		return j.otherVariant()
	case Certificate, Clock, GlobalUnreachable, AuthorityUnreachable, GatewayUnreachable:
		return j.hostVariant(c)
	case Undecided:
		switch {
		case c.check.ID == SignIn && c.check.trouble().code != "":
			return "oauth"
		case j.getsIn():
			return "gets in"
		case j.works(SignIn):
			return "accepted"
		}
	}
	return ""
}

func (j judgement) fineVariant(c cause) string {
	_, signedIn := find(j.checks, SignIn)
	switch {
	case !signedIn && c.state == Warn:
		return "slow outside"
	case !signedIn:
		return "outside"
	case c.state == Warn:
		return "slow"
	}
	return ""
}

func (j judgement) addressVariant(c cause) string {
	in, _ := find(j.checks, SignIn)
	switch {
	case j.Email == "":
		return "nothing"
	case c.check.trouble().failure == failureAddress:
		return "no address"
	case in.Code == WrongPassword && isPlainRefusal(in.trouble().description):
		return "refused"
	case in.Code == WrongPassword:
		return "described"
	}
	return ""
}

// missingVariant says who names no primary domain: the look-up, the token or the device login.
func (j judgement) missingVariant(c cause) string {
	lookup, _ := find(j.checks, Lookup)
	said, _ := find(j.checks, Claims)
	claims, token := j.claims(), c.check.ID == Claims
	switch {
	case c.check.ID == Device:
		return "device"
	case token && j.lookup().primary != "":
		return "token"
	case token && lookup.Code != UnknownAddress:
		return "token alone"
	case !token && claims.primary != "":
		return "look-up"
	case !token && said.State != Fail: // they could not be read
		return "look-up alone"
	}
	return ""
}

func (j judgement) wrongVariant(c cause) string {
	named, known := j.device().primary(), primaryDomain(j.checks)
	primary := cmp.Or(named, known)
	_, err := config.CheckDomain(named)
	byName := j.Domain != "" && !isGUID(j.Domain)
	switch {
	case c.check.ID != Device:
		return ""
	case primary == "":
		return "nameless"
	case err == nil && known != "" && !strings.EqualFold(named, known):
		return "sources"
	case byName && strings.EqualFold(j.Domain, primary), isGUID(j.Domain) && strings.EqualFold(j.Domain, j.device().domainID()):
		return "same"
	case byName:
		return "asked"
	case j.Domain == "":
		return "none asked"
	}
	return "device"
}

// plainWords are those in which servers say that the address or the password is wrong, and
// nothing else. A description with any other word may mean something else.
var plainWords = strings.Fields(`a an and are bad credential credentials did do does e email error found given grant in incorrect
	invalid is login mail address match matched name no not of or owner password passwords provided refused resource supplied that
	the these this unknown user username wrong you your`)

// isPlainRefusal reports whether what an authority adds to invalid_grant says no more than that.
func isPlainRefusal(description string) bool {
	words := strings.FieldsFunc(strings.ToLower(description), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for _, word := range words {
		if !slices.Contains(plainWords, word) {
			return false
		}
	}
	return len(words) > 0 || description == ""
}

func refusedVariant(c Check) string {
	switch f, _ := c.finding.(foundDomain); {
	case c.Status == http.StatusForbidden && f.without == c.Status:
		return "everybody"
	case c.Status == http.StatusUnauthorized:
		return "token"
	}
	return ""
}

func (j judgement) otherVariant() string {
	switch {
	case !j.claims().readable:
		return "outside"
	case slices.Contains(j.claims().others, j.Domain):
		return ""
	}
	return "not reached"
}

func (j judgement) hostVariant(c cause) string {
	here := j.isHere(c)
	if c.code == Clock && c.state == Warn && j.getsIn() {
		return "harmless"
	}
	switch ends := c.check.host().certificateEnds(); {
	case c.code == GlobalUnreachable && isRefused(c.check) && j.alike(c) > 0:
		if here {
			return "refused here"
		}
		return "refused"
	case c.code == GlobalUnreachable && here && j.alike(c) >= serversAlike:
		return "all"
	case here:
		return "here"
	case c.code == Certificate && c.state == Warn:
		return "soon"
	case c.code == Certificate && !ends.IsZero() && ends.Before(j.At):
		return "ended"
	case c.code != Certificate && c.code != Clock && isServerError(c.check):
		return "errors"
	}
	return ""
}
