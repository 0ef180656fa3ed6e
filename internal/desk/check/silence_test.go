package check

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gatehouse/internal/hostile"
)

// TestALookupThatWasWaitedForInVainIsNotMadeAgain asks for several addresses where the global service
// is silent for a time.
func TestALookupThatWasWaitedForInVainIsNotMadeAgain(t *testing.T) {
	hostile.Run(t, func(t *testing.T, world *hostile.World) {
		var asked atomic.Int64
		world.Faults.Set(when(hostile.Lookup, counting(&asked, hostile.Silence)))
		lookups := NewLookups(serviceIn(t, world))
		ask := func(email string, times int64, waited bool) error {
			t.Helper()
			began := time.Now()
			_, err := lookups.Ask(t.Context(), email)
			if took := time.Since(began); took > Slow != waited {
				t.Errorf("%s took %v", email, took)
			}
			if n := asked.Load(); n != times {
				t.Errorf("the service was asked %d times at %s", n, email)
			}
			return err
		}

		first := ask("first@harbor.example", 1, true)
		err := ask("second@harbor.example", 1, false)
		silent, isSilent := errors.AsType[*SilentError](err)
		if !isSilent || silent.Email != "second@harbor.example" || silent.Waited < Slow || !errors.Is(err, silent.Err) {
			t.Errorf("the second look-up failed with %v", err)
		}
		if _, isSilent := errors.AsType[*SilentError](first); isSilent || strings.Contains(err.Error(), "first@") {
			t.Errorf("the first look-up failed with %v, the second with %v", first, err)
		}

		<-time.After(silenceLife)
		ask("third@harbor.example", 2, true)
		<-time.After(silenceLife)
		world.Faults.Set(when(hostile.Lookup, knowsAll))
		for _, email := range []string{"fourth@harbor.example", "fifth@harbor.example"} {
			if err := ask(email, 2, false); err != nil {
				t.Errorf("%s: %v", email, err)
			}
		}
	})
}

// TestALookupThatFailedAfterRetriesIsNotMadeAgain asks for several addresses where the global service
// fails in ways that are tried again, which takes seconds for each.
func TestALookupThatFailedAfterRetriesIsNotMadeAgain(t *testing.T) {
	for name, fault := range map[string]hostile.Fault{
		"drops connections": hostile.Reset(0), "503": says(503, ""), "502": says(502, ""),
	} {
		t.Run(name, func(t *testing.T) {
			hostile.Run(t, func(t *testing.T, world *hostile.World) {
				var asked atomic.Int64
				world.Faults.Set(when(hostile.Lookup, counting(&asked, fault)))
				checker := New(serviceIn(t, world))
				first := checker.Run(t.Context(), Request{Email: "first@harbor.example"}, nil)
				times, began := asked.Load(), time.Now()
				second := checker.Run(t.Context(), Request{Email: "second@harbor.example"}, nil)
				if took := time.Since(began); took > Slow || asked.Load() != times {
					t.Errorf("the second took %v and asked %d times more", took, asked.Load()-times)
				}
				if first.Verdict.Code != second.Verdict.Code || strings.Contains(first.Verdict.Known, rememberedFailure) || !strings.Contains(second.Verdict.Known, rememberedFailure) {
					t.Errorf("the verdicts are %+v and %+v", first.Verdict, second.Verdict)
				}
				<-time.After(silenceLife)
				checker.Run(t.Context(), Request{Email: "third@harbor.example"}, nil)
				if asked.Load() == times {
					t.Error("the service is never asked again")
				}
			})
		})
	}
}

// TestAFailureThatIsToldAtOnceIsNotThatOfOthers asks for another address after 500, which may be about the
// first one alone.
func TestAFailureThatIsToldAtOnceIsNotThatOfOthers(t *testing.T) {
	hostile.Run(t, func(t *testing.T, world *hostile.World) {
		var asked atomic.Int64
		world.Faults.Set(when(hostile.Lookup, counting(&asked, says(500, ""))))
		lookups := NewLookups(serviceIn(t, world))
		for i, email := range []string{"first@harbor.example", "second@harbor.example"} {
			if _, err := lookups.Ask(t.Context(), email); err == nil || asked.Load() != int64(i+1) {
				t.Errorf("%s: %v, asked %d times", email, err, asked.Load())
			}
		}
	})
}
