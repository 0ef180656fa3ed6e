package api

import (
	"context"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestATryIsCountedForTheCallThatMakesIt(t *testing.T) {
	log := &exchangeLog{}
	client := clientObservedBy(t, log)
	moved := func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", http.StatusFound) }
	handler, _ := script(status(503), moved, status(502), status(404))
	server := serve(t, handler)
	gateway := &Gateway{HTTP: client, BaseURL: server.URL, pause: noPause}
	if _, err := gateway.Shares(t.Context(), Credential{}, "a"); err == nil {
		t.Fatal("no error")
	}
	type attempt struct {
		Path string
		Try  int
	}
	var got []attempt
	for _, x := range log.exchanges {
		got = append(got, attempt{x.Path, x.Try})
	}
	want := []attempt{{"/api/users/a/shares", 1}, {"/api/users/a/shares", 2}, {"/elsewhere", 2}, {"/api/users/a/shares", 3}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("the tries differ (-want +got):\n%s", diff)
	}
}

func TestARequestOnTheWayOfAnotherIsAFirstTry(t *testing.T) {
	newRequest := func(ctx context.Context, url string) *http.Request {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	call := countingTries(newRequest(t.Context(), "https://a.example/shares"))
	renewal := newRequest(call.Context(), "https://auth.example/connect/token")
	for i, got := range []int{countTry(call), countTry(renewal), countTry(call), countTry(renewal)} {
		if want := []int{1, 1, 2, 1}[i]; got != want {
			t.Errorf("request %d is try %d, want %d", i, got, want)
		}
	}
}
