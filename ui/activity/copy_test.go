package activity

import (
	"encoding/json"
	"strings"
	"testing"

	"gatehouse/api"
	"gatehouse/ui/uitest"
)

func TestWhereFilesAreOutOfReachTheRequestsAreCopied(t *testing.T) {
	d := newDesk(t)
	d.m.env.Remote = true
	d.log.Add(api.Exchange{Method: "GET", Host: "gateway.harbor.example", Path: "/api/one"})
	d.m.refresh()
	d.press("e")
	if len(d.root.Told) != 1 {
		t.Fatalf("the screen asked for %v", d.root.Told)
	}
	request, ok := d.root.Told[0].(uitest.Copy)
	if !ok || !json.Valid([]byte(request.Text)) || !strings.Contains(request.Text, "/api/one") {
		t.Errorf("the screen asked for %+v", d.root.Told[0])
	}
}
