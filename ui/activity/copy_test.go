package activity

import (
	"encoding/json"
	"strings"
	"testing"

	"gatehouse/api"
	"gatehouse/ui/screen"
)

func TestWhereFilesAreOutOfReachTheRequestsAreCopied(t *testing.T) {
	d := newDesk(t)
	d.m.env.Remote = true
	d.log.Add(api.Exchange{Method: "GET", Host: "gateway.harbor.example", Path: "/api/one"})
	d.m.refresh()
	d.press("e")
	if len(d.told) != 1 {
		t.Fatalf("the screen asked for %v", d.told)
	}
	request, ok := d.told[0].(screen.Copy)
	if !ok || !json.Valid([]byte(request.Text)) || !strings.Contains(request.Text, "/api/one") {
		t.Errorf("the screen asked for %+v", d.told[0])
	}
}
