package postgres

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"gatehouse/internal/testkit"
)

// Pooler starts PgBouncer in front of a server, which it reaches at an address, such as that of
// a [Proxy], with a pool_mode, and is its address. The test skips where PgBouncer is not
// installed.
func Pooler(t testing.TB, s *Server, at, mode string) string {
	t.Helper()
	path, err := exec.LookPath("pgbouncer")
	if err != nil {
		path, err = exec.LookPath("/usr/sbin/pgbouncer") // where Debian has it, and only root looks
	}
	if err != nil {
		t.Skip("pgbouncer is neither in PATH nor in /usr/sbin")
	}
	address := testkit.FreeAddress(t)
	host, port, _ := net.SplitHostPort(address)
	server, behind, err := net.SplitHostPort(at)
	if err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(filepath.Dir(s.dir), "pgbouncer"+port+".ini")
	text := fmt.Sprintf("[databases]\n* = host=%s port=%s user=postgres\n[pgbouncer]\nlisten_addr = %s\nlisten_port = %s\n"+
		"unix_socket_dir =\nauth_type = any\npool_mode = %s\ndefault_pool_size = 4\nmax_client_conn = 100\nserver_login_retry = 1\n",
		server, behind, host, port, mode)
	if err := os.WriteFile(config, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := s.command(context.Background(), path, config)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	for began := time.Now(); ; <-time.After(20 * time.Millisecond) {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			_ = conn.Close()
			return address
		}
		if time.Since(began) > startTime {
			t.Fatalf("PgBouncer did not start: %v", err)
		}
	}
}
