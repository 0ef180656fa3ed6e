package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"gatehouse/api"
	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/secret"
)

// deviceLoginFlags are the flags of device-login.
type deviceLoginFlags struct {
	request       api.DeviceLoginRequest
	passwordStdin bool // the password comes from standard input
	plainPassword bool // it is also sent in clear text
	reveal        bool // tokens in the answer are shown
}

func deviceLoginCommand(a *app) *cobra.Command {
	var f deviceLoginFlags
	cmd := &cobra.Command{
		Use:   "device-login --email EMAIL (--device-name NAME | --device-id ID)",
		Short: "Try a device login and explain the answer",
		Long: `Sends a device login to the global service and explains the answer. You need not be
signed in; the command asks for the user's password. With --device-name the service
normally creates a device of that name, which stays until an administrator removes it;
with --device-id, it logs in the device that has this id.

The exit code is 0 if the service returned a result, whatever its code, and 1 if it
refused the request, for example because of a wrong password. Tokens in the answer are
masked unless you add --reveal. To send an Active Directory token, set the variable
GATEHOUSE_AD_TOKEN.`,
		Example: `  gatehouse device-login --email ada@harbor.example --device-name laptop
  gatehouse device-login --email cleo@harbor.example --device-id 0123456789abcdef0123456789abcdef --device-type Mac
  printf %s "$PASSWORD" | gatehouse device-login --email ada@harbor.example --device-name laptop --password-stdin -o json`,
		RunE: func(cmd *cobra.Command, _ []string) error { return deviceLogin(cmd.Context(), a, f) },
	}
	flags, r := cmd.Flags(), &f.request
	addEmail(flags, &r.Email, "`EMAIL` address of the user")
	flags.StringVar(&r.DeviceName, "device-name", "", "`NAME` of a device, which the service normally creates")
	flags.StringVar(&r.DeviceID, "device-id", "", "`ID` of the device to log in")
	flags.StringVar(&r.DeviceType, "device-type", "", "`TYPE` of the device, such as Pc, Mac or Iphone")
	flags.StringVar(&r.ResellerID, "reseller", "", "`ID` of the reseller")
	flags.StringVar(&r.Domain, "domain-id", "", "`ID` of the domain: DomainId in the Domain.Config file")
	flags.StringVar(&r.DeviceIP, "device-ip", "", "IP address (`ADDR`) of the device")
	flags.StringVar(&r.DeviceGeo, "geo", "", "location metadata of the device, in `JSON`")
	flags.StringVar(&r.Latitude, "lat", "", "latitude of the device in `DEGREES`")
	flags.StringVar(&r.Longitude, "lon", "", "longitude of the device in `DEGREES`")
	flags.BoolVar(&f.passwordStdin, "password-stdin", false, "read the password from standard input")
	flags.BoolVar(&f.plainPassword, "send-plain-password", false,
		"also send the password in clear text, in the parameter named password")
	flags.BoolVar(&f.reveal, "reveal", false, "show the tokens in the answer")
	return cmd
}

// deviceLogin asks for the password, sends the device login, and shows the answer.
func deviceLogin(ctx context.Context, a *app, flags deviceLoginFlags) error {
	if err := flags.check(); err != nil {
		return err
	}
	service, err := a.open(ctx, noVault)
	if err != nil {
		return err
	}
	request := flags.request
	token, _ := a.env.LookupEnv("GATEHOUSE_AD_TOKEN")
	request.ActiveDirectoryToken = secret.New(token)
	if request.Password, err = a.password(ctx, request.Email, flags.passwordStdin); err != nil {
		return err
	}
	if flags.plainPassword {
		request.PlainPassword = request.Password
	}
	answer, err := service.DeviceLogin(ctx, request)
	if err != nil {
		return err
	}
	return showDeviceLogin(ctx, a, answer, request.Domain, flags.reveal)
}

// check returns an error if the flags make no device login. It is called before the person is asked
// for the password.
func (f *deviceLoginFlags) check() error {
	switch {
	case f.request.Email == "":
		return usage("the e-mail address is missing", "Use `--email`.")
	case f.request.DeviceName == "" && f.request.DeviceID == "":
		return usage("no device is named",
			"Name one with `--device-name`, or give its id with `--device-id`.")
	case f.request.DeviceType != "" && !slices.Contains(api.DeviceTypes, f.request.DeviceType):
		return unknownValue("--device-type", f.request.DeviceType, api.DeviceTypes)
	case f.request.DeviceGeo != "" && !json.Valid([]byte(f.request.DeviceGeo)):
		return usage("flag --geo is not JSON", "Give JSON such as '{\"City\":\"Aarhus\"}'.")
	}
	return nil
}

// deviceLoginAnswer is the JSON of device-login.
type deviceLoginAnswer struct {
	ErrorCode     string          `json:"error_code"`
	Meaning       string          `json:"meaning"`
	Known         bool            `json:"known"` // whether the code has a meaning
	DeviceID      string          `json:"device_id"`
	Wipe          bool            `json:"wipe"` // the device is to delete its data
	PrimaryDomain *primaryDomain  `json:"primary_domain"`
	Raw           json.RawMessage `json:"raw"` // the answer as the service sent it
}

// primaryDomain is the primary domain in the JSON of device-login.
type primaryDomain struct {
	DomainID   string `json:"domain_id"`
	URL        string `json:"url"`
	DomainName string `json:"domain_name"`
	ResellerID string `json:"reseller_id"`
}

// showDeviceLogin writes the answer to a device login. domain is the id of the domain that it was
// sent with, or "". Unless reveal is set, every token is masked wherever it is in the answer.
func showDeviceLogin(
	ctx context.Context, a *app, r *api.LoginResult, domain string, reveal bool,
) error {
	if !reveal {
		r = r.Sealed()
	}
	meaning := r.Explain(domain)
	answer := deviceLoginAnswer{
		ErrorCode: r.ErrorCode,
		Meaning:   meaning.Meaning,
		Known:     meaning.Known,
		DeviceID:  r.DeviceID,
		Wipe:      r.Wipe,
		Raw:       r.Raw,
	}
	if p := r.PrimaryUserDomain; p != nil {
		answer.PrimaryDomain = &primaryDomain{
			DomainID:   p.Domain.DomainID,
			URL:        p.Domain.URL,
			DomainName: p.Domain.DomainName,
			ResellerID: p.Domain.ResellerID,
		}
	}
	return show(ctx, a, form[deviceLoginAnswer]{
		alone:   true,
		columns: deviceLoginColumns,
		lines:   func(deviceLoginAnswer) []labelled { return deviceLoginLines(r, meaning) },
	}, answer)
}

// deviceLoginColumns are all but the answer as it was sent.
var deviceLoginColumns = []column[deviceLoginAnswer]{
	{name: "error_code", text: func(d deviceLoginAnswer) string { return d.ErrorCode }},
	{name: "meaning", text: func(d deviceLoginAnswer) string { return d.Meaning }},
	{name: "known", text: func(d deviceLoginAnswer) string { return strconv.FormatBool(d.Known) }},
	{name: "device_id", text: func(d deviceLoginAnswer) string { return d.DeviceID }},
	{name: "wipe", text: func(d deviceLoginAnswer) string { return strconv.FormatBool(d.Wipe) }},
	{
		name: "primary_domain.domain_id",
		text: func(d deviceLoginAnswer) string { return d.primary().DomainID },
	},
	{name: "primary_domain.url", text: func(d deviceLoginAnswer) string { return d.primary().URL }},
	{
		name: "primary_domain.domain_name",
		text: func(d deviceLoginAnswer) string { return d.primary().DomainName },
	},
	{
		name: "primary_domain.reseller_id",
		text: func(d deviceLoginAnswer) string { return d.primary().ResellerID },
	},
}

// primary returns the primary domain, which is empty if the answer names none.
func (d deviceLoginAnswer) primary() *primaryDomain {
	return cmp.Or(d.PrimaryDomain, &primaryDomain{})
}

// deviceLoginLines returns an answer as lines for people.
func deviceLoginLines(r *api.LoginResult, meaning api.CodeMeaning) []labelled {
	lines := []labelled{
		{"Result", meaning.Title},
		{"Code", cmp.Or(r.ErrorCode, "none")},
		{"Meaning", meaning.Meaning},
	}
	if r.Wipe {
		lines = slices.Insert(lines, 0, labelled{"WARNING", api.WipeMeaning + " " + api.WipeStep})
	}
	if meaning.NextStep != "" {
		lines = append(lines, labelled{"Next step", meaning.NextStep})
	}
	lines = append(lines, labelled{"Device id", r.DeviceID})
	if p := r.PrimaryUserDomain; p != nil {
		lines = append(lines,
			labelled{"Domain", hostname.ReadableURL(p.Domain.DomainName)},
			labelled{"Domain id", p.Domain.DomainID},
			labelled{"Domain URL", hostname.ReadableURL(p.Domain.URL)},
			labelled{"Reseller id", p.Domain.ResellerID},
			labelled{"Domain token", cmp.Or(p.UserDomainToken.Reveal(), "none")},
		)
	} else {
		lines = append(lines, labelled{"Domain", "none"})
	}
	return append(lines, labelled{"Confirm key", cmp.Or(r.ConfirmKey.Reveal(), "none")})
}
