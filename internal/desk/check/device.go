package check

import (
	"cmp"
	"context"
	"net/http"

	"gatehouse/api"
	"gatehouse/internal/text/redact"
)

// logInDevice sends one device login (interface section 4.5). With a name it may create a
// device.
func logInDevice(ctx context.Context, r *run) Check {
	login := api.DeviceLoginRequest{
		DeviceID:   r.DeviceID,
		DeviceType: r.DeviceType,
		Email:      r.Email,
		Password:   r.Password,
	}
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
		c = asked(host, observe(err, r.isDiscreet()))
	} else {
		c = loggedIn(result, login)
		c.Host, c.Status = host, http.StatusOK
	}
	o := c.found
	o.AskedFor = "a device login as " + login.Email
	o.DeviceName = login.DeviceName
	o.DeviceIDSent = login.DeviceID
	o.DeviceType = login.DeviceType
	o.DomainIDSent = login.Domain
	return c
}

// leaveDeviceOut records that a check with a sign-in tried no device: people should see what was not
// checked.
func leaveDeviceOut(context.Context, *run) Check {
	return Check{State: Skipped, Summary: Summary{"not checked: no device was named"}}
}

// Codes of a device login that the interface explains (section 7).
const (
	codeNoPrimaryDomain    = "U103"
	codeWrongDomain        = api.WrongDomain
	codeDeviceNotValidated = "U107"
)

// maxCode is how many characters of a code are kept.
const maxCode = 64

// loggedIn returns what a device login has shown, whatever its code.
func loggedIn(result *api.LoginResult, login api.DeviceLoginRequest) Check {
	meaning := result.Explain(login.Domain)
	meaning.Code = redact.OneLine(meaning.Code, maxCode)
	o := &observation{
		outcome:    outcomeAnswered,
		ErrorCode:  &meaning.Code,
		Meaning:    meaning.Meaning,
		Documented: &meaning.Known,
		Wipe:       new(result.Wipe),
		Validated:  result.Validated,
		DeviceID:   redact.OneLine(result.DeviceID, maxShown),
	}
	if p := result.PrimaryUserDomain; p != nil {
		o.PrimaryDomain = redact.OneLine(p.Domain.DomainName, maxValue)
		o.DomainID = redact.OneLine(p.Domain.DomainID, maxShown)
	}
	if n := result.UserNotification; n != nil {
		o.Notification = redact.OneLine(n.URL, maxValue)
	}
	c := Check{State: Fail, found: o}
	switch {
	case result.Wipe:
		c.Summary = Summary{"the service orders this device to erase its data"}
	case meaning.Known:
		c.Summary = Summary{meaning.Code + ": " + meaning.Title}
	default:
		c.State, o.Complete, o.lacks = Warn, &meaning.Fine, lacking(result)
		c.Summary = Summary{cmp.Or(meaning.Code, "no code") + ", which is undocumented"}
	}
	if o.answersForOtherDevice() {
		c.Summary = c.Summary.noting("it is about another device than the one that was sent")
	}
	return c
}

// lacking lists what a device needs and the result of its login does not have.
func lacking(result *api.LoginResult) (list []string) {
	p := result.PrimaryUserDomain
	switch {
	case p == nil || p.Domain == api.Domain{}:
		list = append(list, "domain")
	case p.Domain.DomainID == "" && p.Domain.URL == "":
		list = append(list, "id or address of the domain")
	}
	if p == nil || p.UserDomainToken.IsEmpty() {
		list = append(list, "token")
	}
	if result.DeviceID == "" {
		list = append(list, "device")
	}
	return list
}

// answersForOtherDevice reports whether the id in the answer is not the one that was sent.
func (o *observation) answersForOtherDevice() bool {
	return o.DeviceIDSent != "" && o.DeviceID != "" && !equalIDs(o.DeviceIDSent, o.DeviceID)
}
