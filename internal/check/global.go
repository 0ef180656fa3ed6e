package check

import (
	"cmp"
	"context"
	"encoding/hex"
	"net/http"
	"strings"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/hostname"
)

// lookUp asks the global service for the primary domain (interface section 4.4).
func lookUp(ctx context.Context, r *run) Check {
	if reason := hostname.EmailObjection(r.Email); reason != "" {
		return Check{
			State: Fail, Code: UnknownAddress, Summary: "not an e-mail address: " + reason,
			found: &finding{Failure: failureAddress, Reason: reason},
		}
	}
	host := hostOf(r.service.Profile.GlobalURL)
	c := Check{Host: host, Status: http.StatusOK, found: &finding{}}
	answer, err := r.service.Lookup(ctx, r.Email)
	name, invalid := config.CheckDomain(answer)
	switch {
	case as[*api.NoDomainError](err) != nil:
		c.State, c.Code, c.Summary = Fail, UnknownAddress, "no primary domain for this address"
		c.found.Answered = "the address, with no domain"
	case err != nil:
		c = failed(host, err)
	case invalid != nil:
		c.State, c.Summary = Unknown, "the answer names an invalid domain"
		c.found.Answered, c.found.Failure = answer, failureAnswer
	default:
		r.looked.Store(name)
		c.State, c.Summary = OK, hostname.Readable(name)+" is the primary domain"
		c.found.PrimaryDomain = name
		if r.Domain != "" && r.Domain != name && !isGUID(r.Domain) {
			c.State, c.Code = Warn, OtherDomains
			c.Summary += ", not " + hostname.Readable(r.Domain)
		}
	}
	c.found.AskedFor = "the primary domain of " + r.Email
	return c
}

// ParseDomain returns the domain that a person asks for as a [Request] has it: a host name, an
// id, or nothing. The error is a [*config.DomainError].
func ParseDomain(text string) (string, error) {
	text = strings.TrimSpace(text)
	if text == "" || isGUID(text) {
		return text, nil
	}
	return config.CheckDomain(strings.TrimSuffix(text, "."))
}

// isGUID reports whether a domain is named by its id, as device logins do.
func isGUID(domain string) bool {
	digits, err := hex.DecodeString(strings.ReplaceAll(domain, "-", ""))
	return err == nil && len(digits) == 16 && len(domain) == 36 && domain[8] == '-' && domain[13] == '-' && domain[18] == '-' && domain[23] == '-'
}

// logInDevice sends one device login (interface section 4.5). With a name it may create a
// device.
func logInDevice(ctx context.Context, r *run) Check {
	login := api.DeviceLoginRequest{DeviceID: r.DeviceID, DeviceType: r.DeviceType, Email: r.Email, Password: r.Password}
	if r.DeviceID == "" {
		login.DeviceName = r.DeviceName
	}
	if isGUID(r.Domain) { // the interface names domains by their id here
		login.Domain = r.Domain
	}
	host := hostOf(r.service.Profile.GlobalURL)
	result, err := r.service.DeviceLogin(ctx, login)
	var c Check
	if err != nil {
		c = failed(host, err)
	} else {
		c = judgeLogin(result, login)
		c.Host, c.Status = host, http.StatusOK
	}
	f := c.found
	f.AskedFor, f.DeviceName, f.DeviceIDSent = "a device login as "+login.Email, login.DeviceName, login.DeviceID
	f.DeviceType, f.DomainIDSent = login.DeviceType, login.Domain
	return c
}

// loginCodes are the codes that the interface explains.
var loginCodes = map[string]Code{
	"U103":          NoPrimaryDomain,
	api.WrongDomain: OtherPrimaryDomain,
	"U107":          DeviceNotValidated,
}

// judgeLogin judges the result of a login by its code (interface section 7).
func judgeLogin(result *api.LoginResult, login api.DeviceLoginRequest) Check {
	meaning := result.Explain(login.Domain)
	f := &finding{
		ErrorCode: &meaning.Code, Meaning: meaning.Meaning, Documented: &meaning.Known, Wipe: new(result.Wipe), Validated: result.Validated,
		DeviceID: result.DeviceID,
	}
	if p := result.PrimaryUserDomain; p != nil {
		f.PrimaryDomain, f.DomainID = p.Domain.DomainName, p.Domain.DomainID
	}
	c := Check{State: Fail, Code: loginCodes[meaning.Code], Summary: meaning.Title, found: f}
	switch {
	case result.Wipe:
		c.Code, c.Summary = WipeOrdered, "the service orders this device to erase its data"
	case meaning.Fine:
		c.Summary = "looks fine (" + cmp.Or(meaning.Code, "no code") + ", undocumented)"
	case meaning.Code != "":
		c.Summary = meaning.Code + ": " + meaning.Title
	}
	if c.Code == "" {
		c.State, c.Code = Warn, UndocumentedCode
		f.Complete = &meaning.Fine
	}
	return c
}
