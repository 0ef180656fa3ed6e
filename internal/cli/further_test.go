package cli

import (
	"fmt"
	"strings"
	"testing"
)

func TestAFurtherPageIsSaid(t *testing.T) {
	for body, says := range map[string]string{
		`{"Data":[{"Id":1},{"Id":2},{"Id":3}],"TotalCount":300}`:                  "gatehouse: the service has more shares than the 3 of 300 that it sent; further pages are not read.\n",
		`{"value":[{"Id":1}],"@odata.nextLink":"https://harbor.example/?page=2"}`: "gatehouse: the service has more shares than the 1 that it sent; further pages are not read.\n",
		`{"Data":[{"Id":1}],"TotalCount":1}`:                                      "",
		`{"Id":1,"Name":"x","ShareRelations":[]}`:                                 "",
	} {
		d := fakeDesk(t, answer(body))
		d.login("ann@x.example")
		for _, format := range []string{"json", "ndjson", "csv", "table"} {
			got := d.run("shares", "-o", format)
			if got.code != exitDone || got.stderr != says || !strings.Contains(got.stdout, fmt.Sprint(1)) {
				t.Errorf("%s of %s: %+v", format, body, got)
			}
		}
	}
}

func TestWhatStandsBesideAListIsSaid(t *testing.T) {
	const partial = "gatehouse: the service sent the shares with the response code 8; some may be missing. It says: Server FS-2 did not answer.\n"
	const refused = " sent an empty list: Access denied for Guests.\n"
	for body, want := range map[string]struct {
		code int
		says string
	}{
		`{"Data":[{"Id":1}],"Message":"Server FS-2 did not answer.","ResponseInfo":{"ResponseCode":8}}`: {exitDone, partial},
		`{"Data":[{"Id":1}],"Message":"Ok.","ResponseInfo":{"ResponseCode":1}}`:                         {exitDone, ""},
		`{"Data":[],"Message":"Access denied for Guests."}`:                                             {exitFailed, refused},
	} {
		d := fakeDesk(t, answer(body))
		d.login("ann@x.example")
		for _, format := range []string{"json", "ndjson", "csv", "table"} {
			got := d.run("shares", "-o", format)
			if got.code != want.code || !saysAs(got.stderr, want.says) {
				t.Errorf("%s of %s: %+v", format, body, got)
			}
			if isRefused := want.code == exitFailed; isRefused != (got.stdout == "") {
				t.Errorf("%s of %s: stdout %q", format, body, got.stdout)
			}
		}
	}
}

// saysAs reports whether messages have the one that is wanted, or are none.
func saysAs(messages, want string) bool {
	if want == "" {
		return messages == ""
	}
	return strings.Contains(messages, want)
}
