package activity

import (
	"encoding/json"
	"strings"
	"testing"

	"gatehouse/api"
	"gatehouse/ui/uitest"
)

func TestWhereFilesAreOutOfReachTheRequestsAreCopied(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		d := newDesk(t)
		d.Env.Remote = true
		d.log.Add(api.Exchange{Method: "GET", Host: "gateway.harbor.example", Path: "/api/one"})
		d.press("e")
		if len(d.Told) != 1 {
			t.Fatalf("the screen asked for %v", d.Told)
		}
		request, ok := d.Told[0].(uitest.Copy)
		if !ok || !json.Valid([]byte(request.Text)) || !strings.Contains(request.Text, "/api/one") {
			t.Errorf("the screen asked for %+v", d.Told[0])
		}
	})
}
