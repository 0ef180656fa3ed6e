package api

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"time"

	"gatehouse/internal/secret"
)

func TestALoginResultHasNothingThatItsRequestKeptSecret(t *testing.T) {
	const password, directory = `canary pä"ss+/\~`, "canary-directory"
	quoted, _ := json.Marshal(password)
	quotedTwice, _ := json.Marshal(string(quoted))
	inBase64 := base64.StdEncoding.EncodeToString([]byte(password))
	login := loginOf("ada@harbor.example")
	login.Password, login.ActiveDirectoryToken = secret.New(password), secret.New(directory)
	for _, tt := range []struct{ body, want string }{
		{`{ "Echo" : ` + string(quoted) + ` , "n":1.0e+5,"u":"\u00e9" }`, `{ "Echo" : "•••" , "n":1.0e+5,"u":"\u00e9" }`},
		{`{"a":[[{"b":"` + inBase64 + `"},1],"x ` + directory + ` y"]}`, `{"a":[[{"b":"•••"},1],"•••"]}`},
		{`{"ErrorCode":"U100","Query":"?password2=` + url.QueryEscape(inBase64) + `&x=1"}`, `{"ErrorCode":"U100","Query":"•••"}`},
		{`{"Hex":"` + hex.EncodeToString([]byte(password)) + `","Nested":` + string(quotedTwice) + `}`, `{"Hex":"•••","Nested":"•••"}`},
		{`{"` + directory + `":1,"k":{"` + directory + `":{"v":"` + directory + `"}}}`, `{"•••":1,"k":{"•••":{"v":"•••"}}}`},
		{`{"ErrorCode":"U100","Name":"Canary","Pass":null,"ok":true}`, `{"ErrorCode":"U100","Name":"Canary","Pass":null,"ok":true}`},
	} {
		result := deviceLoginWith(t, login, tt.body)
		if got := string(result.Raw); got != tt.want {
			t.Errorf("of  %s\nis  %s\nnot %s", tt.body, got, tt.want)
		}
	}
	result := deviceLoginWith(t, login, `{"PrimaryUserDomain":{"Domain":{"DomainName":"the canary-directory"}},"DeviceId":"`+inBase64+`"}`)
	if result.PrimaryUserDomain.Domain.DomainName != secret.Mask || result.DeviceID != secret.Mask {
		t.Error("a field still has it")
	}
}

func TestAShortPasswordHidesNoMoreThanItself(t *testing.T) {
	login := loginOf("ada@harbor.example")
	login.Password = secret.New("Harbor")
	body := `{"Url":"harbor.example","Text":"not \"harbor\".","A":"harbor","B":"SGFyYm9y","C":["harbors","Re: harbor, again"]}`
	want := `{"Url":"harbor.example","Text":"•••","A":"•••","B":"•••","C":["harbors","•••"]}`
	if got := string(deviceLoginWith(t, login, body).Raw); got != want {
		t.Errorf("got %s", got)
	}
	login.Password = secret.New("2468")
	if got := string(deviceLoginWith(t, login, `{"Pin":2468,"Validated":24680}`).Raw); got != `{"Pin":"•••","Validated":24680}` {
		t.Errorf("got %s", got)
	}
}

func TestADeepAnswerIsMaskedInNoTime(t *testing.T) {
	const levels = 9000 // the reader of JSON allows 10,000
	inside := `"canary-password",` + strings.Repeat(`"x\u0020",`, 200_000) + `1`
	deep := `{"a":` + strings.Repeat(`{"a":[`, levels/2) + inside + strings.Repeat(`]}`, levels/2) + `}`
	began := time.Now()
	raw := newRepeated([]string{"canary-password"}).mask([]byte(deep))
	masked := LoginResult{Raw: raw}.Masked()
	if strings.Contains(string(masked), "canary") || len(masked) < len(deep)-20 {
		t.Error("it is not masked, or more than that")
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
}

func FuzzRepeatedSecrets(f *testing.F) {
	f.Add("password", []byte(`{"a":"password","password":["x password"]}`))
	f.Add("pin", []byte(`[{"a":"pin","b":123,"c":"\u0070in"}]`))
	f.Fuzz(func(t *testing.T, secret string, body []byte) {
		masked := newRepeated([]string{secret}).mask(body)
		if json.Valid(masked) != json.Valid(body) {
			t.Fatalf("%s becomes %s", body, masked)
		}
		plain := json.Valid(body) && len(secret) >= leastInside && !strings.ContainsAny(secret, `"\`)
		if plain && strings.TrimSpace(secret) == secret && !strings.ContainsAny(secret, "[]{},:•") && strings.Contains(string(masked), secret) {
			t.Fatalf("%q is still in %s", secret, masked)
		}
	})
}
