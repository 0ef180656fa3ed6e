package redact

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"gatehouse/internal/testkit"
)

// TestNoSpellingOfAPasswordIsShown has passwords that are short, long, or beyond ASCII, in the
// spellings of other programs.
func TestNoSpellingOfAPasswordIsShown(t *testing.T) {
	for _, password := range testkit.EchoedPasswords() {
		for _, echo := range testkit.Echoes(password) {
			var s Secrets
			s.Add(password)
			if !s.In(echo.Text) || !s.In("Sorry, "+echo.Text+" is not known here.") {
				t.Errorf("%s of %s is shown: %s", echo.Way, password, echo.Text)
			}
			for _, member := range []string{"error_description", "Message", "Url"} {
				body, _ := json.Marshal(map[string]string{member: echo.Text})
				_, excerpt := grantOf(t, password).Answer(http.Header{"Server": {echo.Text}}, body, Whole)
				if want := `{"` + member + `":"•••"}`; excerpt.Text != want {
					t.Errorf("%s of %s is shown: %s", echo.Way, password, excerpt.Text)
				}
			}
		}
	}
}

// grantOf is a request of the password grant.
func grantOf(t *testing.T, password string) *Exchange {
	t.Helper()
	form := url.Values{"grant_type": {"password"}, "username": {"ada@harbor.example"}, "password": {password}}
	r, err := http.NewRequest(http.MethodPost, "https://auth.harbor.example/connect/token", strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return NewExchange(r)
}

func TestADescriptionThatRepeatsNothingIsShown(t *testing.T) {
	for _, password := range testkit.EchoedPasswords() {
		if password == "pässwörd" { // it is "password" to a service without these letters
			continue
		}
		var s Secrets
		s.Add(password, "client-secret")
		for _, text := range []string{
			"invalid_username_or_password",
			"User account is locked. Try again in 15 minutes.",
			"The password of ada@harbor.example has expired on 2026-03-26; 1 day ago.",
			"Account suspended (AADSTS50057). Trace 0b6f7a3e-22bb-4c1d-9d0e-7f2f3a4b5c77, 2026-11-24 15:34:01Z",
			"Das Konto ist gesperrt: zu viele Fehlversuche (3/3), bitte wählen Sie „Zurücksetzen“.",
			"Учётная запись заблокирована.", "アカウントがロックされています。",
			"https://harbor.example/help?id=AADSTS50057&lang=en",
			"Basic realm=\"harbor\", charset=\"UTF-8\"",
			"QUAY\\\\backup\\da ta=ba, 50%ab &co",
			"That's not the user's \"name\" (demonstration, compass, 12345): it's O'Reilly's",
		} {
			if s.In(text) {
				t.Errorf("with the password %s, %q is hidden", password, text)
			}
		}
	}
}

// A password that is a word hides the sentences with that word, and no other.
func TestWhichWordsRepeatAPassword(t *testing.T) {
	for _, tt := range []struct {
		password, text string
		want           bool
	}{
		{"account", "The account is locked.", true},
		{"account", "Too many accounts are locked.", false},
		{"username", "invalid_username_or_password", true},
		{"harbor", "harbor.example", false},
		{"harbor", "https://harbor.example/shares", false},
		{"harbor", "ann@harbor.example", false},
		{"harbor", "Ask an administrator of harbor.example.", true}, // which may be the user and the password
		{"harbor", "ann:harbor@files.example", true},
		{"harbor", "harbor..example", true},
		{"harbor", "is it harbor", true},
		{"harbor", "harborharbor", false},
		{"harbors1", "theharbors1ofann", true}, // eight letters are no chance
		{"r-canary", "r-canary000", true},      // nor are seven with a sign
		{"r-canary", "the R-CANARYs", true},
		{"r-canary", "the rcanarys", false},
		{"a-b", "a-b-c-d-e-f", true},
		{"a-b", "ma-bo", false},
		{"password123", "The password is wrong", false},
		{"password123", "The 'password' is wrong", true},
		{"password123", "The 'pas' is wrong", false},
		{"password123", "The password... is wrong", true},
		{"password123", "The password*** is wrong", true},
		{"password123", "The password. is wrong", false},
		{"O'Brien1", "You have an error in your SQL syntax near 'Brien1'' at line 1", true}, // MySQL
		{"O'Brien1", "near 'rien1'", false},
		{"O'Brien1", "O.'Brien.1", true},
		{"pässwörd", "invalid_username_or_password", true},
		{"pässwörd", "The account is locked.", false},
		{"ada's", `QUAY\ada&#39;s`, true}, // no escape of LDAP
		{"back'd", "pw=back&#39;d", true}, // no quoted-printable
		{"a%25b'c", "a%25b&#39;c", true},  // an escape of its own
		{"!?!?", "YTohPyE/", true},
		{"kästen", "k├ñsten", true}, // code page 850
		{"kästen", "pw–k├ñsten–x", true},
		{"ka\u0308sten", "k?sten", true},
		{"password123", "The password… is wrong", true},
		{"harbor", strings.Repeat("a.", maxAddress/2) + "harbor.example", true}, // too long for an address
		{"käse", "kase", true},                                                  // a code page without the letter
		{"käse", "k?se", false},
		{"kästen", "k?sten", true},
		{"Straße", "STRASSE", true},
		{"Σίσυφος", "ΣΊΣΥΦΟΣ", true},
		{"pa\u0308ss", "päss", true},
		{"päss", "pa\u0308ss", true},
		{"€uro£1", "euro 1", false},
		{"!?!?", "what!?!?", true},
		{"!?!?", "what!?", false},
		{"!?!?", "aT8hPw==", false},
		{"!?!?", "IT8hPw==", true},
		{"a1", "YTE=", true},
		{"a1", "6131", true},
		{"a1", "a 1", true},
		{"a1", "a 12", false},
		{"7", "the code 7 is wrong", true},
		// Which characters are letters.
		{"az09AZ", "`a{z/0:9@A[Z", true},
		{"zebra", "an ebra", false},
		{"ZEBRA", "a zebra", true},
		{"a0b1", "a b1", false},
		{"STRAẞE", "strasse", true}, // which has less bytes in lower case
		{"1\u212A234", "no 1k234", true},
		{"demo", "demo\u0332x", false}, // a mark that goes with no letter
		{"demo7", "demo7\uFFFD", true},
		{"demo7", "de├mo7", false},
		{"kästen", "pw\u00a0k├ñsten", true},
		{"käste", "k?ste", true},
		{"käst", "k?st", false},
		{"Grün-Bücher-77", "xGr├╝n-B├╝cher-77x", true},
		{"€£€", "The account is locked.", false},
		{"€£€", "it ends with €£€", true},
		// Which signs are a part of an address.
		{"harbo", "x.harbo.example", false},
		{"harbor", "ann@harbor", false},
		{"harbor", "harbor.example2", false},
		{"harbor", "files.example/harbor", true},
		// What is quoted, and what is cut.
		{"password123", "'pass'", true},
		{"password123", "'pas' swan", false},
		{"password123", `The password" is wrong`, false},
		{"password123", "The password!! is wrong", false},
		{"password123", "The password  is wrong", false},
		{"password123", "Your passport... is wrong", false},
		{"password123", "The xpassword... is wrong", false},
		{"alpha beta", "near 'alpha'", true},
		{"alpha beta", "near 'beta'", true},
		{"alpha beta", "'beta'", true},
	} {
		var s Secrets
		s.Add(tt.password)
		if got := s.In(tt.text); got != tt.want {
			t.Errorf("%s in %q: %v", tt.password, tt.text, got)
		}
	}
}

// A password is no Base64 because it could be.
func TestWhatDecodesToNoTextIsNoPassword(t *testing.T) {
	for _, tt := range []struct {
		sent, text string
		want       bool
	}{
		{"demo", "model u 5", false},
		{"demo", "no demo", true},
		{"Y2FuYXJ5", "no canary", true},
		{"AAECAw==", "AAECAw", true},
		{"AWNhbmFyeQ==", "no canary", false}, // it begins with a control character
		{"Y2FuYXJ5!", "no canary", false},
	} {
		var s Secrets
		s.AddEncoded(tt.sent)
		if got := s.In(tt.text); got != tt.want {
			t.Errorf("%s in %q: %v", tt.sent, tt.text, got)
		}
	}
}
