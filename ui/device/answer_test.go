package device

import (
	"testing"

	"gatehouse/api"
)

func TestTheDomainOfAnAnswerIsShownAsTheDNSHasIt(t *testing.T) {
	const lookAlike = "h\u0430rbor.example" // a Cyrillic letter
	r := &api.LoginResult{
		PrimaryUserDomain: &api.PrimaryUserDomain{Domain: api.Domain{DomainName: lookAlike, URL: "https://" + lookAlike + "/x"}},
		UserNotification:  &api.UserNotification{NotificationType: "1", URL: "https://" + lookAlike},
	}
	got := map[string]string{}
	for _, f := range answerFields(r).Fields {
		got[f.Label] = f.Text
	}
	if got["Domain"] != "xn--hrbor-4ve.example" || got["Domain URL"] != "https://xn--hrbor-4ve.example/x" || got["Notification"] != "type 1, https://xn--hrbor-4ve.example" {
		t.Errorf("%v", got)
	}
	if r.PrimaryUserDomain.Domain.DomainName != lookAlike {
		t.Error("the answer itself was changed")
	}
}
