package sessionstore_test

import (
	"net/http"
	"testing"
	"time"

	"gatehouse/session"
)

// A late owner is one whose claim was taken over while its request was on its way.
func TestWhatALateOwnerBringsIsNotLostAndReplacesNothingGood(t *testing.T) {
	for _, tt := range []struct {
		name string
		// taker is what the service does with the token of whoever took the claim over, once the
		// owner's was good: it comes before the answer to the owner.
		taker func(w *world, effect func(http.ResponseWriter), out http.ResponseWriter)
		// late and taken are the access tokens that both have in the end.
		late, taken string
	}{
		{"the other was refused", func(_ *world, effect func(http.ResponseWriter), out http.ResponseWriter) { effect(out) }, "canary-access-2", "canary-access-2"},
		{"the other got one too", func(w *world, _ func(http.ResponseWriter), out http.ResponseWriter) {
			w.service.mu.Lock()
			defer w.service.mu.Unlock()
			w.service.issue(out)
		}, "canary-access-3", "canary-access-3"},
		{"the other is told nothing", func(*world, func(http.ResponseWriter), http.ResponseWriter) { noAnswer() }, "canary-access-2", "canary-access-2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			everyStore(t, func(t *testing.T, w *world) {
				w.service.lenient = true
				late := w.signIn(true)
				w.impatiently()
				taker := w.connect()
				w.clock.pass(expired)

				arrived, taken := make(chan struct{}), make(chan struct{})
				w.service.onPresented(func(_ string, effect func(http.ResponseWriter), out http.ResponseWriter) {
					w.service.onPresented(func(_ string, effect func(http.ResponseWriter), out http.ResponseWriter) {
						w.service.onPresented(nil)
						tt.taker(w, effect, out)
					})
					effect(out)
					close(arrived)
					<-taken
				})
				ended := make(chan error, 1)
				go func() {
					_, err := late.Token(t.Context())
					ended <- err
				}()
				<-arrived
				_, _ = taker.Token(t.Context())
				close(taken)
				if err := <-ended; err != nil {
					t.Errorf("the late owner: %v", err)
				}
				w.wantPresented(2, 1)
				if w.row().Generation == 1 { // the other has claimed it still
					if got := late.Status(); got.Saved || got.Reason == nil {
						t.Errorf("saved %v, %v", got.Saved, got.Reason)
					}
					w.clock.pass(2 * time.Minute)
				}
				if got := w.held(late); got != tt.late || !late.Status().Saved {
					t.Errorf("the late owner has %s, saved %v", got, late.Status().Saved)
				}
				if got := w.row().Doubts; got != 1 {
					t.Errorf("there are %d doubts", got)
				}
				next := w.connect()
				if got := w.held(next); got != tt.taken || next.Status().State != session.Active {
					t.Errorf("the next connection has %s, %v", got, next.Status())
				}
			})
		})
	}
}
