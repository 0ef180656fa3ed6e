package check

import (
	"context"
	"net/http"
	"regexp"
	"sync"

	"gatehouse/api"
	"gatehouse/internal/hostname"
)

var guid = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
})

// isGUID reports whether a domain is named by its id, as device logins do.
func isGUID(domain string) bool { return guid().MatchString(domain) }

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
	result, err := r.service.DeviceLogin(ctx, login)
	var c Check
	if err != nil {
		c = failed(host, err)
	} else {
		c = judgeLogin(result, r.Domain, login.DeviceName != "")
		c.Host, c.Status = host, http.StatusOK
	}
	f := c.found
	f.AskedFor, f.DeviceName, f.DeviceIDSent = "a device login of "+login.Email, login.DeviceName, login.DeviceID
	f.DeviceType, f.DomainIDSent = login.DeviceType, login.Domain
	return c
}

// judgeLogin judges a result by its code (interface section 7). domain is the one that the
// person asks for, a name or an id, "" for none. A login with a name creates a device.
func judgeLogin(result *api.LoginResult, domain string, named bool) Check {
	meaning := explain(result, domain)
	c := Check{State: Fail, Code: loginCodes[meaning.Code], Summary: meaning.Title}
	if meaning.Code != "" {
		c.Summary = meaning.Code + ": " + meaning.Title
	}
	c.found = &finding{
		ErrorCode: &meaning.Code, Meaning: meaning.Meaning, Documented: &meaning.Known, Wipe: new(result.Wipe), Validated: result.Validated,
		DeviceID: result.DeviceID, DeviceCreated: named && result.DeviceID != "", KnownBy: byNobody,
	}
	f := c.found
	if p := result.PrimaryUserDomain; p != nil {
		f.PrimaryDomain, f.DomainID = p.Domain.DomainName, p.Domain.DomainID
	}
	if f.Validated != "" {
		f.MeaningOfValidated = byNobody
	}
	if meaning.Known {
		f.KnownBy = bySection + "7"
	}
	switch {
	case result.Wipe:
		c.Code, c.Summary = WipeOrdered, "the service orders this device to erase its data"
	case c.Code == "":
		c.State, c.Code = Warn, UndocumentedCode
		f.Complete = &meaning.Fine
	}
	if f.DeviceCreated {
		c.Summary += "; this check created the device"
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
		meaning.Meaning = "A device login only takes the id of a domain, so " + hostname.Readable(domain) +
			" was not sent. The answer names " + hostname.ReadableURL(p.Domain.DomainName) + " as the primary domain."
	}
	return meaning
}

// loginCodes are the codes that the interface explains.
var loginCodes = map[string]Code{
	"U103":          NoPrimaryDomain,
	api.WrongDomain: OtherPrimaryDomain,
	"U107":          DeviceNotValidated,
}
