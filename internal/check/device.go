package check

import (
	"context"
	"net/http"
	"regexp"

	"gatehouse/api"
	"gatehouse/internal/hostname"
)

var guid = regexp.MustCompile(`(?i)^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)

// isGUID reports whether a domain is named by its id, as device logins do.
func isGUID(domain string) bool { return guid.MatchString(domain) }

// logInDevice sends one device login (interface section 4.5). With a name it creates a
// device.
func logInDevice(ctx context.Context, r *run) Check {
	host := hostOf(r.service.Profile.GlobalURL)
	login := api.DeviceLoginRequest{
		DeviceName: r.DeviceName, DeviceID: r.DeviceID, DeviceType: r.DeviceType,
		Email: r.Email, Password: r.Password,
	}
	if r.DeviceID != "" {
		login.DeviceName = ""
	}
	if isGUID(r.Domain) { // the interface names domains by their id here
		login.Domain = r.Domain
	}
	asked := Detail{{factAsked, "a device login of " + r.Email}}.
		with("device_name", login.DeviceName).with("device_id_sent", login.DeviceID).
		with("device_type", string(login.DeviceType)).with("domain_id_sent", login.Domain)
	result, err := r.service.DeviceLogin(ctx, login)
	if err != nil {
		c := failed(host, err)
		c.Detail = append(asked, c.Detail...)
		return c
	}
	c := judgeLogin(result, r.Domain)
	c.Host, c.Status = host, http.StatusOK
	c.Detail = append(asked, c.Detail...)
	return c
}

// judgeLogin judges a result by its code (interface section 7). domain is the one that the
// person asks for, a name or an id, "" for none.
func judgeLogin(result *api.LoginResult, domain string) Check {
	meaning := explain(result, domain)
	c := Check{Detail: Detail{{FactErrorCode, meaning.Code}, {FactMeaning, meaning.Meaning}, {"documented", meaning.Known}, {"wipe", result.Wipe}}}
	if result.Validated != "" {
		c.Detail = append(c.Detail, Fact{"validated", number(result.Validated.String())}, Fact{"meaning_of_validated", byNobody})
	}
	if p := result.PrimaryUserDomain; p != nil {
		c.Detail = c.Detail.with(FactPrimaryDomain, p.Domain.DomainName).with("domain_id", p.Domain.DomainID)
	}
	c.Detail = c.Detail.with("device_id", result.DeviceID)
	known := byNobody
	if meaning.Known {
		known = bySection + "7"
	}
	c.Detail = append(c.Detail, Fact{FactKnownBy, known})
	c.State, c.Code, c.Summary = Fail, loginCodes[meaning.Code], meaning.Code+": "+meaning.Title
	switch {
	case result.Wipe:
		c.Code, c.Summary = WipeOrdered, "the service orders this device to erase its data"
	case c.Code == "":
		c.State, c.Code, c.Summary = Warn, UndocumentedCode, meaning.Title
		if meaning.Code != "" {
			c.Summary = meaning.Code + ": " + meaning.Title
		}
		c.Detail = append(c.Detail, Fact{FactComplete, meaning.Fine})
	}
	return c
}

// explain explains the code of a result. A domain that the person names is not part of the
// login, which takes an id alone.
func explain(result *api.LoginResult, domain string) api.CodeMeaning {
	if domain == "" || isGUID(domain) {
		return result.Explain(domain)
	}
	meaning := result.Explain("")
	if p := result.PrimaryUserDomain; meaning.Code == api.WrongDomain && p != nil && p.Domain.DomainName != "" {
		meaning.Meaning = "A device login takes the id of a domain alone, so " + hostname.Readable(domain) +
			" was not sent; the answer names " + hostname.ReadableURL(p.Domain.DomainName) + " as the primary domain."
	}
	return meaning
}

// loginCodes are the codes that the interface explains.
var loginCodes = map[string]Code{
	"U103":          NoPrimaryDomain,
	api.WrongDomain: OtherPrimaryDomain,
	"U107":          DeviceNotValidated,
}
