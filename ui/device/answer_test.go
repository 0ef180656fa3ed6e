package device

import (
	"slices"
	"testing"

	"gatehouse/api"
)

func TestTheDomainOfAnAnswerIsShownAsTheDNSHasIt(t *testing.T) {
	const lookAlike = "h\u0430rbor.example" // a Cyrillic letter
	r := &api.LoginResult{
		PrimaryUserDomain: &api.PrimaryUserDomain{Domain: api.Domain{DomainName: lookAlike, URL: "https://" + lookAlike + "/x"}},
		UserNotification:  &api.UserNotification{NotificationType: "1", URL: "https://" + lookAlike},
	}
	facts := Facts(r)
	for _, want := range []Fact{
		{"Domain", "xn--hrbor-4ve.example"},
		{"Address", "https://xn--hrbor-4ve.example/x"},
		{"Notification", "type 1, https://xn--hrbor-4ve.example"},
	} {
		if !slices.Contains(facts, want) {
			t.Errorf("%v is not among %v", want, facts)
		}
	}
	if r.PrimaryUserDomain.Domain.DomainName != lookAlike {
		t.Error("the answer itself was changed")
	}
}
