package check

import (
	"cmp"
	"context"
	"net/http"
	"regexp"
	"sync"

	"gatehouse/api"
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
		c = judgeLogin(result, login)
		c.Host, c.Status = host, http.StatusOK
	}
	f := c.found
	f.AskedFor, f.DeviceName, f.DeviceIDSent = "a device login of "+login.Email, login.DeviceName, login.DeviceID
	f.DeviceType, f.DomainIDSent = login.DeviceType, login.Domain
	return c
}

// judgeLogin judges the result of a login by its code (interface section 7).
func judgeLogin(result *api.LoginResult, login api.DeviceLoginRequest) Check {
	meaning := result.Explain(login.Domain)
	c := Check{State: Fail, Code: loginCodes[meaning.Code], Summary: meaning.Title}
	switch {
	case meaning.Fine:
		c.Summary = "looks fine (" + cmp.Or(meaning.Code, "no code") + ", undocumented)"
	case meaning.Code != "":
		c.Summary = meaning.Code + ": " + meaning.Title
	}
	c.found = &finding{
		ErrorCode: &meaning.Code, Meaning: meaning.Meaning, Documented: &meaning.Known, Wipe: new(result.Wipe), Validated: result.Validated,
		DeviceID: result.DeviceID, DeviceCreated: login.DeviceName != "" && result.DeviceID != "",
	}
	f := c.found
	if p := result.PrimaryUserDomain; p != nil {
		f.PrimaryDomain, f.DomainID = p.Domain.DomainName, p.Domain.DomainID
	}
	switch {
	case result.Wipe:
		c.Code, c.Summary = WipeOrdered, "the service orders this device to erase its data"
	case c.Code == "":
		c.State, c.Code = Warn, UndocumentedCode
		f.Complete = &meaning.Fine
	}
	if f.DeviceCreated {
		c.Summary += "; test device created"
	}
	return c
}

// loginCodes are the codes that the interface explains.
var loginCodes = map[string]Code{
	"U103":          NoPrimaryDomain,
	api.WrongDomain: OtherPrimaryDomain,
	"U107":          DeviceNotValidated,
}
