package api

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"testing"

	"gatehouse/internal/text/secret"
)

func TestALoginResultHasNothingThatItsRequestKeptSecret(t *testing.T) {
	const password, directory = `canary pä"ss+/\~`, "canary-directory"
	quoted, _ := json.Marshal(password)
	nested, _ := json.Marshal(map[string]string{"typed": password})
	quotedTwice, _ := json.Marshal(string(nested))
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
