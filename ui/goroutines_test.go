package ui

import (
	"net/http"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"gatehouse/internal/hostile"
)

// waysOut are the keys out of the screens of the meetings, while they wait.
var waysOut = map[string]func(*driver){
	"Sign in":      func(d *driver) { d.Press("esc") },
	"Domains":      func(d *driver) { d.Press("x") },
	"Shares":       func(d *driver) { d.Press("esc", "esc") },
	"Companies":    func(d *driver) { d.Press("esc", "1") },
	"Device login": func(d *driver) { d.Press("esc", "1") },
}

// unanswered are faults that keep a screen waiting.
var unanswered = map[string]hostile.Fault{
	"nothing":         hostile.Silence,
	"a half":          hostile.Standstill,
	"a byte a second": hostile.Drip(time.Second),
	"busy":            hostile.Respond(http.StatusServiceUnavailable, "", "", "Retry-After", "20"),
}

// TestNoGoroutineOutlivesItsScreen leaves each screen in the middle of a load, by
// its keys and with the program.
func TestNoGoroutineOutlivesItsScreen(t *testing.T) {
	quit := func(d *driver) { d.model.root.close() }
	for name, fault := range unanswered {
		for _, m := range meetings {
			sentOnce := !m.isGet() || m.once
			if name == "busy" && sentOnce || m.endpoint == hostile.RefreshGrant {
				continue // which is over, or is finished whoever leaves: its token is spent
			}
			for way, leave := range map[string]func(*driver){"by keys": waysOut[m.name], "quit": quit} {
				if leave == nil {
					continue // no key ends a look-up
				}
				t.Run(name+"/"+m.name+"/"+way, func(t *testing.T) {
					hostile.Run(t, func(t *testing.T, w *hostile.World) { leaveMidway(t, w, m, fault, leave) })
				})
			}
		}
	}
}

func leaveMidway(t *testing.T, w *hostile.World, m meeting, fault hostile.Fault, leave func(*driver)) {
	d := openHostile(t, w, m.endpoint != hostile.PasswordGrant && m.endpoint != hostile.Lookup)
	m.before(d)
	d.rest()
	before := atWork()
	w.Faults.Set(hostile.Rule{Endpoint: m.endpoint, Fault: fault})
	m.call(d)
	d.Settle()
	if midway := atWork(); w.Faults.Met() != 1 || len(midway) <= len(before) {
		t.Fatalf("nothing is under way:\n%s", strings.Join(midway, "\n\n"))
	}
	leave(d)
	d.rest()
	if after := atWork(); len(after) > len(before) {
		t.Errorf("%d goroutines where there were %d before:\n%s", len(after), len(before), strings.Join(after, "\n\n"))
	}
}

// rest lets what is under way come to its end, but for a request that nobody
// answers: for less time than the program would wait.
func (d *driver) rest() {
	d.Pass(10 * time.Second)
}

// notAtWork are the goroutines of the service, and those of connections that are
// kept for the next request.
var notAtWork = regexp.MustCompile(`created by (?:net/http\.\(\*(?:Server|connReader|Transport)\)|.*/internal/demo\.)`)

// atWork are the stacks of the other goroutines of the bubble, of which there is
// one at a time.
func atWork() []string {
	stacks := make([]byte, 4<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	var found []string
	for stack := range strings.SplitSeq(string(stacks), "\n\n") {
		if strings.Contains(stack, ", synctest bubble ") && !notAtWork.MatchString(stack) {
			found = append(found, stack)
		}
	}
	return found
}
