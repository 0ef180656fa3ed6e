package linemode

import (
	"context"
	"encoding/json"
	"strings"

	"gatehouse/api"
	"gatehouse/internal/problem"
	"gatehouse/ui/device"
)

// deviceLogin tries a device login and explains the answer (interface sections
// 2.4, 4.5 and 7).
func (c *conversation) deviceLogin(string) error {
	c.say("Device login. It is sent once, and may create a device.")
	email, err := c.email(c.service.Session.Status().Username)
	if err != nil {
		return err
	}
	request := api.DeviceLoginRequest{Email: email}
	chosen, err := c.choose("Which device?", []string{"Create one by its name", "One that exists, by its id"})
	if err != nil {
		return err
	}
	if chosen == 0 {
		request.DeviceName, err = c.askDefault(question{text: "Name of the device", help: []string{"The service creates a device of that name."}}, "gatehouse")
	} else {
		request.DeviceID, err = c.askRequired(question{text: "Id of the device", help: []string{"It is in the answer of an earlier device login."}})
	}
	if err != nil {
		return err
	}
	if err := c.deviceType(&request); err != nil {
		return err
	}
	if err := c.furtherParameters(&request); err != nil {
		return err
	}
	return c.sendDeviceLogin(request)
}

// askRequired asks until the answer is not empty.
func (c *conversation) askRequired(q question) (string, error) {
	for {
		answer, err := c.ask(q)
		if err != nil || answer != "" {
			return answer, err
		}
		c.say("This is needed.")
	}
}

func (c *conversation) deviceType(r *api.DeviceLoginRequest) error {
	types := api.DeviceTypes()
	var names []string
	for _, t := range types {
		names = append(names, string(t))
	}
	q := question{text: "Type of the device, or nothing to leave it out", help: []string{"Type one of " + strings.Join(names, ", ") + "."}}
	for {
		answer, err := c.ask(q)
		if err != nil || answer == "" {
			return err
		}
		for _, t := range types {
			if strings.EqualFold(answer, string(t)) {
				r.DeviceType = t
				return nil
			}
		}
		c.say("%s", q.help[0])
	}
}

// furtherParameters asks for the parameters that most device logins omit.
func (c *conversation) furtherParameters(r *api.DeviceLoginRequest) error {
	chosen, err := c.choose("Do you want to send further parameters?", []string{
		"No", "Yes: domain id, reseller id, IP address, place",
	})
	if err != nil || chosen == 0 {
		return err
	}
	for _, p := range []struct {
		name  string
		value *string
	}{
		{"Domain id, of the file Domain.Config", &r.Domain},
		{"Reseller id", &r.ResellerID},
		{"IP address of the device", &r.DeviceIP},
		{"Latitude", &r.Latitude},
		{"Longitude", &r.Longitude},
		{"Location as JSON", &r.DeviceGeo},
	} {
		if *p.value, err = c.ask(question{text: p.name + ", or nothing to leave it out"}); err != nil {
			return err
		}
	}
	if r.DeviceGeo != "" && !json.Valid([]byte(r.DeviceGeo)) {
		c.say("The location is not valid JSON, so it is left out.")
		r.DeviceGeo = ""
	}
	return nil
}

// sendDeviceLogin asks for the password and sends the request once. The person can then
// repeat it with the device id of the answer.
func (c *conversation) sendDeviceLogin(request api.DeviceLoginRequest) error {
	password, err := c.askSecret(question{text: "Password, which is not shown", help: []string{"Type the password of " + line(request.Email) + "."}})
	if err != nil {
		return err
	}
	request.Password = password
	c.say("Sending the device login.")
	var answer *api.LoginResult
	err = c.await(stillWaiting, func(ctx context.Context) (err error) {
		answer, err = c.service.DeviceLogin(ctx, request)
		return err
	})
	switch {
	case c.ctx.Err() != nil:
		return errQuit
	case err != nil:
		c.explain(problem.OfDeviceLogin(err))
		return errBack
	}
	c.verdict(answer)
	return c.menu("What next? Type back to leave the answer.", []item{
		{"Read the whole answer, with its tokens hidden", func() error { return c.read(fields(answer.Masked())) }},
		{"Hear the verdict again", func() error { c.verdict(answer); return nil }},
		{"Log in again with the device id of the answer", func() error { return c.sameDevice(request, answer) }},
	})
}

func (c *conversation) sameDevice(request api.DeviceLoginRequest, answer *api.LoginResult) error {
	if answer.DeviceID == "" {
		c.say("The answer names no device.")
		return nil
	}
	request.DeviceName, request.DeviceID = "", answer.DeviceID
	return c.sendDeviceLogin(request)
}

// verdict says what an answer means and what to do next.
func (c *conversation) verdict(answer *api.LoginResult) {
	if p := answer.PrimaryUserDomain; p != nil && p.Domain.ResellerID != "" && c.reseller == "" {
		c.reseller = p.Domain.ResellerID
	}
	answer = answer.Sealed() // a service may repeat a token anywhere in it
	meaning := api.ExplainCode(answer.ErrorCode)
	if answer.Wipe {
		c.say("Warning: wipe is set. %s", device.WipeMeaning)
	}
	c.say("%s. %s", device.Verdict(meaning), sentence(clip(meaning.Meaning, maxValue)))
	if meaning.NextStep != "" {
		c.say("Next: %s", sentence(meaning.NextStep))
	}
	for _, f := range device.Facts(answer, ", ") {
		c.fact(f.Label, f.Value)
	}
}

// fact says a label and its value, unless the value is empty.
func (c *conversation) fact(name, value string) {
	if value != "" {
		c.say("%s", sentence(name+": "+clip(value, maxValue)))
	}
}
