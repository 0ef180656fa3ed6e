//go:build unix

package e2e

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"gatehouse/internal/testkit"
)

// TestVisitorsWhoHangUpLeaveNoWorkBehind has visitors sign in to an authority whose tokens are as long as
// they may be, and hang up when the server has read one.
func TestVisitorsWhoHangUpLeaveNoWorkBehind(t *testing.T) {
	t.Parallel()
	const visitors, limit = 3, 15 * time.Second
	read := make(chan struct{}, visitors)
	answer := fmt.Sprintf(`{"access_token":%q,"token_type":"Bearer","expires_in":86400}`, testkit.JWT(testkit.ManyDomains(testkit.LargestClaims)))
	authority := &service{Server: httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(answer)))
		_, _ = io.WriteString(w, answer)
		if r.Method == http.MethodPost {
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done() // the connection is used once
			read <- struct{}{}
		}
	}))}
	t.Cleanup(authority.Close)
	key := sshKey(t)

	var s *sshServer
	t.Cleanup(func() { // after the server has ended
		used := s.process.ProcessState.UserTime() + s.process.ProcessState.SystemTime()
		if used > limit {
			t.Errorf("the server took %v of CPU time", used)
		}
	})
	s = serveSSH(t, authority.env(t.TempDir())[4:], "--authorized-keys", authorize(t, key))
	var signingIn []*exec.Cmd
	for range visitors {
		command := s.client("-i", key, host, "whoami -u "+thePerson+" --password-stdin")
		command.Stdin = strings.NewReader(thePassword)
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		signingIn = append(signingIn, command)
		select {
		case <-read:
		case <-time.After(patience):
			t.Fatalf("nobody signs in: %s", s.log())
		}
	}
	for _, command := range signingIn { // the server reads the claims of the first ones meanwhile
		_ = command.Process.Kill()
		_ = command.Wait()
	}
	_ = s.process.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.ended:
	case <-time.After(limit):
		t.Errorf("the server has not ended %v after SIGTERM", limit)
	}
}
