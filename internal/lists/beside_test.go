package lists_test

import (
	"strings"
	"testing"

	"gatehouse/internal/lists"
)

func TestTheResponseCodeBesideTheRecordsIsKept(t *testing.T) {
	for body, want := range map[string]string{
		`{"Data":[{"Id":1}],"ResponseInfo":{"ResponseCode":8}}`:           "8",
		`{"ResponseInfo":{"Reference":"x","ResponseCode":"0"},"Data":[]}`: "0",
		`{"response_code":1,"items":[{"Id":1}]}`:                          "1",
		`{"Data":[{"Id":1,"ResponseCode":7}]}`:                            "",
		`[{"ResponseCode":7}]`:                                            "",
		`{"Id":1,"ResponseCode":7}`:                                       "",
		`{"Data":[],"ResponseInfo":null}`:                                 "",
	} {
		if got := parse(t, body).Beside().Code; got != want {
			t.Errorf("%s: got %q, want %q", body, got, want)
		}
		outline, err := lists.ReadOutline(strings.NewReader(body), int64(len(body)))
		if err != nil {
			t.Fatal(err)
		}
		if got := outline.First.Beside().Code; got != want {
			t.Errorf("%s: the outline has %q, want %q", body, got, want)
		}
	}
}

func TestAnOutlineHasTheWordsBesideTheRecords(t *testing.T) {
	const body = `{"Data":[],"Message":"Access denied."}`
	outline, err := lists.ReadOutline(strings.NewReader(body), int64(len(body)))
	if err != nil || outline.First.Beside().Words != "Access denied." {
		t.Errorf("got %+v, %v", outline, err)
	}
}
