package activity

import (
	"context"
	"testing"
	"time"

	"gatehouse/api"
	"gatehouse/internal/testkit/uitest"
	"gatehouse/ui/screen"
	"gatehouse/ui/traffic"
)

func TestMain(m *testing.M) { uitest.Main(m) }

// desk is the screen with somebody in front of it.
type desk struct {
	*uitest.Stage
	t   *testing.T
	log *traffic.Log
	m   *Model
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{Stage: uitest.NewStage(t, 80, 24), t: t, log: &traffic.Log{}}
	d.m = New(d.Env, d.log, "v1.2.3")
	d.Show(d.m)
	return d
}

// press presses keys, each of which has to do something.
func (d *desk) press(keys ...string) {
	d.t.Helper()
	for _, key := range keys {
		d.Pass(refreshPause)
		found, ok := screen.FindAction(d.Env.Keys.Fill(d.Actions()), key, d.Top().View().Typing)
		if !ok || !found.Enabled() {
			d.t.Fatalf("%q does nothing here %s", key, found.Reason)
		}
		d.Press(key).Settle()
	}
}

// frame is what is shown in a size, once it has been there for a while.
func (d *desk) frame(width, height int) string {
	d.t.Helper()
	frame := d.Resize(width, height).Pass(refreshPause).Frame()
	uitest.Box(d.t, d.Top().View().Title, frame, width, height)
	return frame
}

// onList reports whether nothing lies over the list.
func (d *desk) onList() bool { return d.Top() == screen.Screen(d.m) }

func (d *desk) golden(name string) {
	d.t.Helper()
	d.Pass(refreshPause)
	d.Golden("activity/" + name)
}

// selected is the entry of the row under the cursor.
func (d *desk) selected() traffic.Entry {
	d.t.Helper()
	record, _ := d.m.Selected()
	e, ok := entryOf(d.log, record)
	if !ok {
		d.t.Fatal("nothing is selected")
	}
	return e
}

// at is a moment some milliseconds after noon.
func at(milliseconds int) time.Time {
	return uitest.Noon.Add(time.Duration(milliseconds) * time.Millisecond)
}

func shown(name, value string) api.Pair { return api.Pair{Name: name, Value: value} }

func hidden(name string) api.Pair { return api.Pair{Name: name, Value: "•••", Secret: true} }

// A few exchanges as a day brings them.
func signIn() api.Exchange {
	return api.Exchange{
		Start: at(0), Method: "POST", Scheme: "https", Host: "auth.example.com", Path: "/connect/token",
		Form:       []api.Pair{shown("grant_type", "password"), hidden("password"), shown("scope", "openid offline_access"), shown("username", "ada@harbor.example")},
		Header:     []api.Pair{{Name: "Authorization", Value: "Basic •••", Secret: true}, shown("Content-Type", "application/x-www-form-urlencoded"), shown("User-Agent", "gatehouse/1.0")},
		Credential: "Basic", Try: 1, Status: 200, Protocol: "HTTP/2.0",
		AnswerHeader: []api.Pair{shown("Content-Type", "application/json"), hidden("Set-Cookie")},
		Body:         api.Excerpt{JSON: true, Text: `{"access_token":"•••","expires_in":86400,"token_type":"Bearer","refresh_token":"•••"}`},
		Bytes:        1480, FirstByte: 180 * time.Millisecond, Duration: 182 * time.Millisecond,
	}
}

func shares() api.Exchange {
	return api.Exchange{
		Start: at(900), Method: "GET", Scheme: "https", Host: "clientgateway.harbor.example", Path: "/api/users/ada%40harbor.example/shares",
		Header:     []api.Pair{shown("Accept", "application/json"), {Name: "Authorization", Value: "Bearer •••", Secret: true}},
		Credential: "Bearer", Try: 2, Status: 200, Protocol: "HTTP/1.1",
		AnswerHeader: []api.Pair{shown("Content-Type", "application/json; charset=utf-8"), shown("Date", "Mon, 02 Mar 2026 12:00:01 GMT")},
		Body:         api.Excerpt{JSON: true, Text: `{"Data":[{"Id":"•••","Name":"•••","GlobalStamp":"•••","Owner":null}]}`},
		Bytes:        392_000_000, FirstByte: 42 * time.Millisecond, Duration: 1200 * time.Millisecond,
	}
}

func busy() api.Exchange {
	x := shares()
	x.Start, x.Try, x.Status, x.Bytes, x.Duration = at(400), 1, 503, 0, 12*time.Millisecond
	x.FirstByte, x.Body = 12*time.Millisecond, api.Excerpt{Omitted: "it is not JSON, and may repeat what was sent"}
	return x
}

func deviceLogin() api.Exchange {
	return api.Exchange{
		Start: at(2500), Method: "GET", Scheme: "https", Host: "global.example.com", Path: "/login2.aspx",
		Query: []api.Pair{shown("devicename", "O'Brien's \x1b[31m 📱"), hidden("password2"), shown("useremail", "ada@harbor.example")},
		Try:   1, Duration: 30 * time.Second, Err: context.DeadlineExceeded,
	}
}

// busyDay is a screen with something of everything.
func busyDay(t *testing.T) *desk {
	d := newDesk(t)
	d.log.Add(signIn())
	d.log.Note(at(300), "Copied the claim sub.", false)
	d.log.Add(busy())
	d.log.Add(shares())
	d.log.Add(deviceLogin())
	d.log.Note(at(33000), "Trying again in 30s. The service did not answer.", true)
	return d
}
