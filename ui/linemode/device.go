package linemode

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"gatehouse/api"
	"gatehouse/internal/secret"
	"gatehouse/ui/compare"
	"gatehouse/ui/device"
	"gatehouse/ui/record"
)

// deviceLogin tries a device login and explains the answer (interface sections
// 2.4, 4.5 and 7).
func (c *conversation) deviceLogin(string) error {
	c.say("Device login. With a name it creates a device in the service. It is sent once.")
	email, err := c.email(c.service.Session.Status().Username)
	if err != nil {
		return err
	}
	request := api.DeviceLoginRequest{Email: email}
	chosen, err := c.choose("Which device?", []string{"A new one, by its name", "An existing one, by its id"})
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
	chosen, err := c.choose("Send more parameters?", []string{
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
		c.explain(err)
		return errBack
	}
	c.verdict(request, answer)
	earlier := c.result
	c.result = &loginResult{request.Email, c.options.Now(), answer.Sealed().Raw}
	items := []item{
		{"Read the whole answer, with its tokens hidden", func() error { return c.read(valuesAs(answer.Masked(), c.readable)) }},
		{"Hear what was asked for", func() error { c.facts(device.AskedIn(request)); return nil }},
		{"Hear the verdict again", func() error { c.verdict(request, answer); return nil }},
		{"Log in again with the device id of the answer", func() error { return c.sameDevice(request, answer) }},
	}
	if now := c.result; earlier != nil {
		title := "Compare it with the result before, of " + clip(earlier.email, maxListText) + " at " + earlier.at.Local().Format(time.TimeOnly)
		items = append(items, item{title, func() error { return c.compare(earlier, now) }})
	}
	return c.menu("What next? Type back to leave the answer.", items)
}

// loginResult is the answer of a device login without its tokens.
type loginResult struct {
	email string
	at    time.Time
	raw   []byte
}

// compare says in what two results differ that may tell why one login went another way.
func (c *conversation) compare(before, now *loginResult) error {
	var found compare.Differences
	err := c.await(func() string { return "Still comparing." }, func(context.Context) error {
		found = device.Compare(before.raw, now.raw, c.options.Now())
		return nil
	})
	if err != nil {
		return err
	}
	return c.sayDifferences(found)
}

// sayDifferences says in what two results differ.
func (c *conversation) sayDifferences(found compare.Differences) error {
	c.say("%s", sentence(found.String()))
	if found.Note != "" {
		c.say("Note: %s", sentence(found.Note))
	}
	return c.read(func(yield func(string) bool) {
		for _, d := range found.Matter {
			if !yield(field(d.Path, compared(d.First)+" before, "+compared(d.Second)+" now")) {
				return
			}
		}
	})
}

// compared is one of two values that differ.
func compared(text string) string {
	switch text {
	case "":
		return "not there"
	case secret.Mask:
		return "hidden"
	}
	return clip(text, maxListText)
}

func (c *conversation) sameDevice(request api.DeviceLoginRequest, answer *api.LoginResult) error {
	if answer.DeviceID == "" {
		c.say("The answer names no device.")
		return nil
	}
	request.DeviceName, request.DeviceID = "", answer.DeviceID
	return c.sendDeviceLogin(request)
}

// verdict says what the answer to a request means and what to do next.
func (c *conversation) verdict(request api.DeviceLoginRequest, answer *api.LoginResult) {
	if p := answer.PrimaryUserDomain; p != nil && p.Domain.ResellerID != "" && c.reseller == "" {
		c.reseller = p.Domain.ResellerID
	}
	answer = answer.Sealed() // a service may repeat a token anywhere in it
	meaning := answer.Explain(request.Domain)
	if answer.Wipe {
		c.say("Warning: wipe ordered. %s", api.WipeMeaning)
	}
	c.say("%s. %s", device.Verdict(meaning), sentence(clip(meaning.Meaning, maxValue)))
	if meaning.NextStep != "" {
		c.say("Next: %s", sentence(meaning.NextStep))
	}
	c.facts(device.Facts(answer))
}

// readable is a value as people read it and, where that says less, as it was sent.
func (c *conversation) readable(path string, value gjson.Result) string {
	text := words(value)
	read := record.Readable(path, value.Raw, c.options.Now())
	if read == value.Raw || read == value.Str || value.Type == gjson.True || value.Type == gjson.False {
		return text
	}
	return read + ", exactly " + text
}

func (c *conversation) facts(facts []device.Fact) {
	for _, f := range facts {
		c.fact(f.Label, f.Value)
	}
}

// fact says a label and its value, unless the value is empty.
func (c *conversation) fact(name, value string) {
	if value != "" {
		c.say("%s", sentence(name+": "+clip(value, maxValue)))
	}
}
