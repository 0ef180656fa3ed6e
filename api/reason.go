package api

import (
	"net/http"
	"strings"
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
	ReasonTooMany              // too many requests or tries
	ReasonMaintenance          // the service is being worked on
)

// tellingWords are what services say for each reason, in lower case with blanks for "_" and "-".
// A phrase is found as whole words; one that ends with "*" may go on. To teach the program
// another phrase, or a language, add it here.
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
		"locked", "locked out", "lockout", "lock out", "too many failed*", "too many invalid*", "too many unsuccessful*",
		"too many wrong*", "too many incorrect*", "too many login*", "too many sign in*", "too many attempts*", "too many tries*", "aadsts50053", "gesperrt", "låst", "spærret", "verrouillé", "bloqueada",
	}},
	{ReasonPasswordEnded, []string{
		"password expired", "password has expired", "password is expired", "expired password", "password must be changed",
		"password needs to be changed", "must change your password", "must change password", "password change required",
		"password change is required", "change your password", "password reset required", "reset your password", "password reset is required",
		"aadsts50055", "passwort ist abgelaufen", "passwort abgelaufen", "adgangskoden er udløbet", "mot de passe a expiré",
	}},
	{ReasonSuspended, []string{
		"suspended", "account disabled", "account is disabled", "account has been disabled", "user disabled", "user is disabled",
		"user has been disabled", "account deactivated", "account is deactivated", "account has been deactivated", "user is deactivated",
		"account inactive", "account is inactive", "user is inactive", "account is not active", "user is not active",
		"account is not enabled", "user is not enabled", "account closed", "account is closed", "account has been closed",
		"account blocked", "account is blocked", "account has been blocked", "user is blocked", "account terminated",
		"account has been terminated", "unpaid*", "aadsts50057",
		"deaktiviert", "deaktiveret", "désactivé", "subscription has ended", "subscription has expired", "license has expired", "licence has expired",
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
	{ReasonTooMany, []string{"too many requests", "rate limit*", "rate exceeded", "throttl*", "request quota", "slow down"}},
	{ReasonMaintenance, []string{
		"maintenance", "under maintenance", "down for maintenance", "scheduled downtime", "planned downtime",
		"wartungsarbeiten", "wartung", "vedligeholdelse",
	}},
}

// overrides are reasons that may be named beside another one that follows from them: who signs in
// elsewhere may find that the password is disabled.
var overrides = map[Reason][]Reason{
	ReasonSingleSignOn: {ReasonSuspended},
	ReasonLocked:       {ReasonTooMany},
	ReasonTooMany:      {ReasonMaintenance},
}

// hypotheses are what services add about what has not happened, or not yet: they name a reason that is
// none. They are left out before the reasons are looked for.
var hypotheses = []string{
	"not locked", "not locked out", "is not disabled", "will be locked", "will be locked out", "will be disabled", "will be suspended",
	"may be locked", "may be locked out", "can be locked", "could be locked", "before your account is locked", "before the account is locked",
	"before account is locked", "before your account is disabled", "before lockout", "before lock out", "before account lockout",
	"before your account locks", "to avoid lockout", "to avoid being locked out", "passwords expire", "will expire", "forgot your password",
	"forgotten your password", "to reset your password", "reset your password if", "or reset your password",
}

// ReasonOf is the one reason that a service's words name, [ReasonNone] where they name none or
// several.
func ReasonOf(words string) Reason {
	text := " " + strings.Join(strings.FieldsFunc(strings.ToLower(words), isNoWord), " ") + " "
	for _, hypothesis := range hypotheses {
		text = strings.ReplaceAll(text, " "+hypothesis+" ", " ; ")
	}
	found := map[Reason]bool{}
	for _, telling := range tellingWords {
		for _, phrase := range telling.phrases {
			if stem, open := strings.CutSuffix(phrase, "*"); open && strings.Contains(text, " "+stem) || strings.Contains(text, " "+phrase+" ") {
				found[telling.reason] = true
			}
		}
	}
	for stronger, weaker := range overrides {
		for _, reason := range weaker {
			if found[stronger] {
				delete(found, reason)
			}
		}
	}
	if len(found) != 1 {
		return ReasonNone
	}
	for reason := range found {
		return reason
	}
	return ReasonNone
}

// isNoWord reports whether a character separates words.
func isNoWord(r rune) bool {
	isLetter := r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r > 0x7f
	return !isLetter
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
		Title: "Too many requests",
		Next:  "Wait some minutes, then try again once.",
		User:  "The service does not take more requests at the moment. Please try again in some minutes.",
	},
	ReasonMaintenance: {
		Title: "Maintenance",
		Next:  "Wait until the maintenance has ended, or ask the operator of the service how long it takes.",
		User:  "The service says that it is being worked on. Please try again later.",
	},
}

// Advice is what to do about a reason, the zero Advice where only a person can judge.
func (r Reason) Advice() Advice { return advices[r] }

// refusesPerson reports whether a refusal with this status is about who asks. Other statuses say
// that nothing is there, that the request was not understood, or that the service cannot answer.
func refusesPerson(status int) bool {
	return status == http.StatusBadRequest || status == http.StatusUnauthorized || status == http.StatusForbidden
}
