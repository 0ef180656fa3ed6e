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
	if err != nil {
		c, t := failed(host, err)
		return c.found(foundDevice{trouble: t, login: login})
	}
	c := judgeLogin(login, result, r.Domain)
	c.Host, c.Status = host, http.StatusOK
	return c
}

// judgeLogin judges a result by its code (interface section 7). domain is the one that the
// person asks for, a name or an id, "" for none.
func judgeLogin(login api.DeviceLoginRequest, result *api.LoginResult, domain string) Check {
	f := foundDevice{login: login, meaning: explain(result, domain), result: result}
	c := Check{State: Fail, Code: loginCodes[f.meaning.Code], Summary: f.meaning.Title}
	if f.meaning.Code != "" {
		c.Summary = f.meaning.Code + ": " + f.meaning.Title
	}
	switch {
	case result.Wipe:
		c.Code, c.Summary = WipeOrdered, "the service orders this device to erase its data"
	case f.isUndocumented():
		c.State, c.Code = Warn, UndocumentedCode
	}
	if f.created() != "" {
		c.Summary += "; this check created the device"
	}
	return c.found(f)
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
