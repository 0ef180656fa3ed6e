package api

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// Reason is why a service refuses somebody, as far as its own words say so.
type Reason uint8

// The reasons. Words that fit none of them, or more than one, are quoted and not interpreted.
const (
	ReasonNone          Reason = iota
	ReasonCredentials          // the address or the password is wrong; the words may not say which
	ReasonLocked               // the account is locked, as after some wrong passwords
	ReasonPasswordEnded        // the password has expired or must be changed
	ReasonSuspended            // the account, or whoever pays for it, is disabled or suspended
	ReasonSecondFactor         // a second factor is needed, which a password alone is not
	ReasonSingleSignOn         // the account signs in elsewhere
	ReasonTooMany              // too many requests or attempts; it does not say that the account is locked
	ReasonMaintenance          // the service is being worked on
	ReasonTerms                // terms of use have to be accepted
	ReasonCaptcha              // a captcha has to be solved
	ReasonUnverified           // the e-mail address has not been verified
	ReasonDevice               // the device is not known or not trusted
	ReasonLicence              // a licence or subscription has ended, or there is none
	ReasonPlace                // not from this IP address, country or network
	ReasonHours                // not at this hour or on this day
	ReasonTooLarge             // the headers of the request are too long, as those with a long token

	lastReason = ReasonTooLarge
)

// tellingWords are the phrases that services use for each reason, in lower case with blanks for "_"
// and "-". A phrase matches whole words; after a "*" the last word may go on, and "…" stands for at
// most [maxGap] words of the same sentence. Other phrases and languages are added here.
var tellingWords = []struct {
	reason  Reason
	phrases []string
}{
	{ReasonCredentials, []string{
		"invalid username or password", "invalid user name or password", "invalid email or password", "invalid e mail or password",
		"wrong username or password", "wrong email or password", "wrong password", "incorrect password", "incorrect username or password",
		"invalid password", "bad password", "password is incorrect", "password is wrong", "password is invalid", "password was incorrect",
		"bad credentials", "invalid credentials", "wrong credentials", "incorrect credentials", "invalid user credentials",
		"credentials are invalid", "credentials are incorrect", "invalid username", "unknown user", "user not found", "invalid login", "login failed", "logon failed", "authentication failed",
		"aadsts50126", "forkert adgangskode", "falsches passwort", "mot de passe incorrect", "contraseña incorrecta",
	}},
	{ReasonLocked, []string{
		"locked", "locked out", "lockout", "lock out", "aadsts50053", "gesperrt", "låst", "spærret", "verrouillé", "bloqueada",
	}},
	{ReasonPasswordEnded, []string{
		"password expired", "password has expired", "password is expired", "expired password", "password must be changed",
		"password needs to be changed", "must change your password", "must change password", "password change required",
		"password change is required", "change your password", "password reset required", "reset your password", "password reset is required",
		"password … must be changed", "password … has to be changed", "password must be reset", "must change … password",
		"required to change … password", "have to change … password", "need to change … password", "must set a new password",
		"password … has expired", "temporary password … must", "initial password … must",
		"aadsts50055", "passwort ist abgelaufen", "passwort abgelaufen", "adgangskoden er udløbet", "mot de passe a expiré",
	}},
	{ReasonSuspended, []string{
		"suspended", "account disabled", "account is disabled", "account has been disabled", "user disabled", "user is disabled",
		"user has been disabled", "account deactivated", "account is deactivated", "account has been deactivated", "user is deactivated",
		"account inactive", "account is inactive", "user is inactive", "account is not active", "user is not active",
		"account is not enabled", "user is not enabled", "account closed", "account is closed", "account has been closed",
		"account blocked", "account is blocked", "account has been blocked", "user is blocked", "account terminated",
		"account has been terminated", "unpaid*", "aadsts50057",
		"deaktiviert", "deaktiveret", "désactivé",
	}},
	{ReasonSecondFactor, []string{
		"mfa", "mfa required", "multifactor*", "multi factor*", "second factor", "two factor*", "2fa", "two step*", "2 step*",
		"authenticator*", "one time code", "one time password", "one time passcode", "otp", "otp required", "totp", "verification code",
		"additional verification", "strong authentication", "aadsts50076", "aadsts50079", "aadsts50074", "zweiter faktor", "tofaktor*",
	}},
	{ReasonSingleSignOn, []string{
		"single sign on", "sso", "federated*", "saml*", "identity provider", "sign in with your organization*",
		"sign in with your organisation*", "password sign in is disabled", "password login is disabled", "password authentication is disabled",
		"external login", "external provider", "enkeltlogon", "einmalanmeldung",
	}},
	{ReasonTooMany, []string{
		"too many requests", "rate limit*", "ratelimit*", "rate exceeded", "throttl*", "request quota", "slow down",
		"too many failed*", "too many invalid*", "too many unsuccessful*", "too many wrong*", "too many incorrect*", "too many bad*",
		"too many consecutive*", "too many password*", "too many authentication*", "too many login*", "too many log in*", "too many logon*",
		"too many sign in*", "too many signin*", "too many attempts*", "too many tries*", "too many retries*", "too many … attempts",
		"attempts exceeded", "attempt limit*", "attempts limit*", "limit of … attempts", "number of … attempts … exceeded",
		"exceeded … number of … attempts", "exceeded … number of … requests", "exceeded … limit of … attempts", "maximum … attempts reached",
		"maximum … attempts exceeded", "request limit exceeded", "requests per minute", "requests per second",
	}},
	{ReasonMaintenance, []string{
		"maintenance", "under maintenance", "down for maintenance", "scheduled downtime", "planned downtime",
		"wartungsarbeiten", "wartung", "vedligeholdelse",
	}},
	{ReasonTerms, []string{
		"accept … terms", "accepted … terms", "agree to … terms", "agreed to … terms", "consent to … terms", "terms … must be accepted",
		"terms … have to be accepted", "terms … not accepted", "terms … not been accepted", "terms acceptance*", "terms of use required",
		"accept … user agreement", "accept … license agreement", "accept … licence agreement", "accept … acceptable use policy",
	}},
	{ReasonCaptcha, []string{
		"captcha*", "recaptcha*", "hcaptcha*", "not a robot", "prove … human", "confirm … human", "verify … are human", "verify … are a human",
	}},
	{ReasonUnverified, []string{
		"email … not verified", "email … not been verified", "email … not confirmed", "email … not been confirmed", "email … must be verified",
		"email … must be confirmed", "email … not yet verified", "email … not yet confirmed", "mail … not verified", "mail … not been verified",
		"mail … not confirmed", "mail … not been confirmed", "mail … must be verified", "mail … must be confirmed", "mail … not yet verified",
		"mail … not yet confirmed", "unverified email", "unverified e mail", "unconfirmed email", "unconfirmed e mail",
		"verify your email address", "verify your e mail address", "confirm your email address", "confirm your e mail address",
		"email verification required", "e mail verification required", "email confirmation required", "e mail confirmation required",
	}},
	{ReasonDevice, []string{
		"unknown device", "untrusted device", "unrecognized device", "unrecognised device", "unregistered device", "unmanaged device",
		"trusted device required", "device … not known", "device … not trusted", "device … not recognized", "device … not recognised",
		"device … not registered", "device … not been registered", "device … not authorized", "device … not authorised", "device … not approved",
		"device … not been approved", "device … not compliant", "device … not managed", "device … not allowed", "device … must be approved",
		"device … must be registered", "approve … new device", "recognize this device", "recognise this device",
		"aadsts50097", "aadsts53000", "aadsts53001",
	}},
	{ReasonLicence, []string{
		"license expired", "licence expired", "license … has expired", "licence … has expired", "license is expired", "licence is expired",
		"license … has ended", "licence … has ended", "license expiration", "licence expiration", "license not valid", "licence not valid",
		"license is not valid", "licence is not valid", "license is invalid", "licence is invalid", "no valid license", "no valid licence",
		"no license", "no licence", "not licensed", "not licenced", "unlicensed", "license required", "licence required",
		"subscription expired", "subscription … has expired", "subscription is expired", "subscription ended", "subscription … has ended",
		"subscription has lapsed", "subscription inactive", "subscription is inactive", "subscription is not active", "no active subscription",
		"trial expired", "trial … has expired", "trial ended", "trial … has ended", "trial is over", "trial period is over",
	}},
	{ReasonPlace, []string{
		"ip … not allowed", "ip … not permitted", "ip … not authorized", "ip … not authorised", "ip … not whitelisted", "ip … not allowlisted",
		"ip … not on the allow list", "ip … not trusted", "ip … blocked", "ip … denied", "ip … forbidden", "ip … restricted", "not allowed from … ip",
		"not permitted from … ip", "country … not allowed", "country … not permitted", "country … not supported", "country … blocked",
		"country … restricted", "not allowed from … country", "not permitted from … country", "not allowed in … country",
		"not available in … country", "not available from … country", "blocked … country", "location … not allowed", "location … not permitted",
		"location … blocked", "not allowed from … location", "not permitted from … location", "region … not allowed", "region … blocked",
		"not allowed from … region", "not available in … region", "network … not allowed", "network … not trusted", "untrusted network",
		"not allowed from … network", "not permitted from … network", "untrusted location", "geo block*", "geoblock*",
	}},
	{ReasonHours, []string{
		"outside … working hours", "outside … business hours", "outside … office hours", "outside … allowed hours", "outside … permitted hours",
		"outside … logon hours", "outside … login hours", "outside … sign in hours", "outside … access hours", "outside … hours of work",
		"only … during … working hours", "only … during … business hours", "only … during … office hours", "only … in working hours",
		"not … allowed at this time of day", "not … permitted at this time of day", "not … allowed at this hour", "not … permitted at this hour",
		"logon hours restriction", "logon time restriction*", "login time restriction*", "time of day restriction*", "account logon hours",
	}},
	{ReasonTooLarge, []string{
		"request header or cookie too large", "request header fields too large", "request headers too large", "request header too large",
		"request header is too large", "request headers are too large", "request headers too long", "request header too long", "header too long",
		"size of the request headers is too long", "size of a request header field exceeds server limit", "header size exceed*", "headers exceed*",
	}},
}

// maxGap is how many words "…" in a phrase may stand for.
const maxGap = 6

// overrides lists, for a reason, the other reasons that a service may name beside it because they
// belong together: where single sign-on is needed, the password may be disabled, and after too many
// attempts an account is locked or an IP address blocked.
var overrides = map[Reason][]Reason{
	ReasonSingleSignOn: {ReasonSuspended},
	ReasonLocked:       {ReasonTooMany, ReasonPlace},
	ReasonSuspended:    {ReasonTooMany, ReasonMaintenance},
	ReasonTooMany:      {ReasonMaintenance, ReasonPlace},
	ReasonLicence:      {ReasonSuspended},
	ReasonSecondFactor: {ReasonDevice, ReasonPlace},
	ReasonHours:        {ReasonPlace},
}

// hypotheses are phrases about something that has not happened, or not yet, and which therefore is
// not the reason. They are removed before the reasons are searched for.
var hypotheses = []string{
	"not locked", "not locked out", "is not disabled", "will be locked", "will be locked out", "will be disabled", "will be suspended",
	"may be locked", "may be locked out", "can be locked", "could be locked", "before your account is locked", "before the account is locked",
	"before account is locked", "before your account is disabled", "before lockout", "before lock out", "before account lockout",
	"before your account locks", "to avoid lockout", "to avoid being locked out", "passwords expire", "will expire", "forgot your password",
	"forgotten your password", "to reset your password", "reset your password if", "or reset your password",
}

// refusingWords are phrases that refuse without a reason, written as in [tellingWords].
var refusingWords = []string{
	"access denied", "denied access", "access is denied", "access was denied", "access has been denied", "access … denied",
	"access refused", "access is refused", "access forbidden", "access is forbidden", "access not allowed", "access is not allowed",
	"access not permitted", "access is not permitted", "no access", "not have access", "not have the right*", "not have permission*",
	"not have the permission*", "not have sufficient*", "permission denied", "permission is denied", "no permission*", "missing permission*",
	"insufficient permission*", "insufficient privilege*", "insufficient right*", "insufficient access", "not authorized", "not authorised",
	"unauthorized", "unauthorised", "forbidden", "not allowed to", "not permitted to", "not entitled",
	"zugriff verweigert", "adgang nægtet", "accès refusé", "acceso denegado",
}

// Refuses reports whether the words of a service beside an empty list refuse access: either they say
// so, or they name a reason that keeps the person out.
func Refuses(words string) bool {
	switch ReasonOf(words) {
	case ReasonNone:
		return refusingPattern().MatchString(plainWords(words))
	case ReasonCredentials, ReasonTooMany, ReasonMaintenance, ReasonTooLarge:
		return false // no list would have come
	}
	return true
}

// ReasonOf returns the one reason that the words of a service name, or [ReasonNone] if they name
// none or several.
func ReasonOf(words string) Reason {
	text := plainWords(words)
	found := map[Reason]bool{}
	for reason, phrases := range tellingPatterns() {
		if phrases.MatchString(text) {
			found[reason] = true
		}
	}
	weaker := map[Reason]bool{}
	for reason := range found {
		for _, other := range overrides[reason] {
			weaker[other] = true
		}
	}
	maps.DeleteFunc(found, func(reason Reason, _ bool) bool { return weaker[reason] })
	if len(found) != 1 {
		return ReasonNone
	}
	for reason := range found {
		return reason
	}
	return ReasonNone
}

// breakWord stands between sentences and in place of words that are left out. No phrase has this
// word.
const breakWord = "¶"

// spelledOut puts a [breakWord] between sentences and spells "n't" out.
var spelledOut = strings.NewReplacer(
	". ", " ¶ ", "! ", " ¶ ", "? ", " ¶ ", "; ", " ¶ ", "\n", " ¶ ", "n't ", " not ", "n’t ", " not ",
)

// plainWords returns the words of a service in lower case and without [hypotheses], with one blank
// before and after each word.
func plainWords(words string) string {
	words = spelledOut.Replace(strings.ToLower(words) + " ")
	text := " " + strings.Join(strings.FieldsFunc(words, isNoWord), " ") + " "
	for _, hypothesis := range hypotheses {
		text = strings.ReplaceAll(text, " "+hypothesis+" ", " "+breakWord+" ")
	}
	return text
}

// The patterns for [plainWords], which are compiled when they are first needed.
var (
	tellingPatterns = sync.OnceValue(func() map[Reason]*regexp.Regexp {
		patterns := map[Reason]*regexp.Regexp{}
		for _, telling := range tellingWords {
			patterns[telling.reason] = phrasePattern(telling.phrases)
		}
		return patterns
	})
	refusingPattern = sync.OnceValue(func() *regexp.Regexp { return phrasePattern(refusingWords) })
)

// phrasePattern returns a pattern for [plainWords] that contain one of these phrases.
func phrasePattern(phrases []string) *regexp.Regexp {
	gap := fmt.Sprintf(` (?:[^ %s]+ ){0,%d}`, breakWord, maxGap)
	var list []string
	for _, phrase := range phrases {
		stem, goesOn := strings.CutSuffix(phrase, "*")
		pattern := strings.ReplaceAll(regexp.QuoteMeta(stem), " … ", gap)
		if goesOn {
			pattern += "[^ ]*"
		}
		list = append(list, pattern)
	}
	return regexp.MustCompile(" (?:" + strings.Join(list, "|") + ") ")
}

// isNoWord reports whether a character separates words in lower case.
func isNoWord(r rune) bool {
	isLetter := 'a' <= r && r <= 'z' || r > unicode.MaxASCII
	isDigit := '0' <= r && r <= '9'
	return !isLetter && !isDigit
}

// Advice is what people are told about a reason. Each text is a sentence.
type Advice struct {
	Title string // a few words, as a heading
	Next  string // what to do
	User  string // what to tell the person, without the words of the service
}

// advices has the same words for every face of the program.
var advices = map[Reason]Advice{
	ReasonLocked: {
		Title: "Account locked",
		Next:  "Ask an administrator of the service to unlock the account, or wait until the lock ends.",
		User:  "The service says that your account is locked. Please do not try again until it has been unlocked.",
	},
	ReasonPasswordEnded: {
		Title: "Password expired",
		Next:  "Ask the person to set a new password on the website of the service, then to sign in with that.",
		User:  "The service says that your password has expired. Please set a new one on its website, then sign in with that.",
	},
	ReasonSuspended: {
		Title: "Account suspended",
		Next:  "Ask an administrator of the service why the account is suspended or disabled.",
		User:  "The service says that the account is suspended or disabled. We will ask an administrator of the service about it.",
	},
	ReasonSecondFactor: {
		Title: "Second factor needed",
		Next:  "A password alone is not enough: sign in with the second factor in the browser, or ask an administrator of the service for an exception.",
		User:  "The service asks for a second factor, which this way of signing in does not have. Please sign in with your browser.",
	},
	ReasonSingleSignOn: {
		Title: "Single sign-on needed",
		Next:  "Sign in with single sign-on in the browser: this account does not sign in with a password here.",
		User:  "Your account signs in with single sign-on. Please sign in with your browser.",
	},
	ReasonTooMany: {
		Title: "Too many requests or attempts",
		Next:  "Wait as long as the service says, or some minutes, then try again once.",
		User:  "The service does not take more requests or attempts at the moment. Please try again once in some minutes.",
	},
	ReasonMaintenance: {
		Title: "Maintenance",
		Next:  "Wait until the maintenance has ended, or ask the operator of the service how long it takes.",
		User:  "The service says that it is being worked on. Please try again later.",
	},
	ReasonTerms: {
		Title: "Terms of use to accept",
		Next:  "Ask the person to sign in on the website of the service and to accept the terms of use there, then to sign in again.",
		User:  "The service asks you to accept its terms of use first. Please sign in on its website, accept them there, then sign in again.",
	},
	ReasonCaptcha: {
		Title: "Captcha needed",
		Next:  "Ask the person to sign in on the website of the service and to solve the captcha there: this way of signing in cannot show it.",
		User:  "The service asks for a captcha, which this way of signing in cannot show. Please sign in on its website.",
	},
	ReasonUnverified: {
		Title: "E-mail address not verified",
		Next:  "Ask the person to open the link in the message that the service sent to verify the e-mail address, or ask an administrator of the service to send it again.",
		User:  "The service says that your e-mail address has not been verified. Please open the link in the message that the service sent you; we can ask for a new one.",
	},
	ReasonDevice: {
		Title: "Device not trusted",
		Next:  "Ask the person to sign in on the website of the service and to approve the device there, or ask an administrator of the service to register it.",
		User:  "The service does not trust the device that was used. Please sign in on its website and approve the device there, or we will ask an administrator of the service about it.",
	},
	ReasonLicence: {
		Title: "No valid licence or subscription",
		Next:  "Ask an administrator of the service about the licence or subscription of the account, or of its company.",
		User:  "The service says that there is no valid licence or subscription. We will ask an administrator of the service about it.",
	},
	ReasonPlace: {
		Title: "Not allowed from here",
		Next:  "Sign in from a network that the service allows, or ask an administrator of the service to allow this IP address or country.",
		User:  "The service does not allow sign-ins from the network or country that we checked from. If you see the same message, please sign in from another network, as that of your office.",
	},
	ReasonHours: {
		Title: "Not allowed at this time",
		Next:  "Ask an administrator of the service at which hours the account may sign in.",
		User:  "The service says that your account may not sign in at this time. We will ask an administrator of the service about it.",
	},
	ReasonTooLarge: {
		Title: "Request too large for the service",
		Next:  "Ask the operator of the service to allow longer headers, or an administrator to have the token name fewer domains or groups.",
		User:  "The service finds our question about your account too long, which is not your mistake. We will report it and call you back.",
	},
}

// Advice returns what to tell people about a reason. It is the zero Advice if the reason says
// nothing that helps.
func (r Reason) Advice() Advice { return advices[r] }

// refusesPerson reports whether a refusal with this status may be about the person. Other statuses
// say that nothing is there, that the request came too late or too often, or that the service
// cannot answer.
func refusesPerson(status int) bool {
	isOfRequest := status == http.StatusRequestTimeout || status == http.StatusTooManyRequests
	return status >= 400 && status < 500 && !isOfRequest && !isMissing(status)
}

// isMissing reports whether a status says that nothing is at an address, or nothing that takes such
// a request.
func isMissing(status int) bool {
	switch status {
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusGone:
		return true
	}
	return false
}
