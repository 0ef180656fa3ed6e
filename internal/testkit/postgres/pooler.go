package postgres

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"gatehouse/internal/testkit"
)

// pooler finds PgBouncer, which Debian has where only root looks.
func pooler() (string, error) {
	for _, name := range []string{"pgbouncer", "/usr/sbin/pgbouncer"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("pgbouncer is neither in PATH nor in /usr/sbin")
}

// Pooler starts PgBouncer in front of a server, which it reaches at an address, such as that of
// a [Proxy], with a pool_mode, and is its address. The test skips where PgBouncer is not
// installed.
func Pooler(t testing.TB, s *Server, at, mode string) string {
	t.Helper()
	path, err := pooler()
	if err != nil {
		t.Skip(err)
	}
	port, err := testkit.FreePort()
	if err != nil {
		t.Fatal(err)
	}
	host, behind, err := net.SplitHostPort(at)
	if err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(filepath.Dir(s.dir), fmt.Sprintf("pgbouncer%d.ini", port))
	text := fmt.Sprintf("[databases]\n* = host=%s port=%s user=postgres\n[pgbouncer]\nlisten_addr = %s\nlisten_port = %d\n"+
		"unix_socket_dir =\nauth_type = any\npool_mode = %s\ndefault_pool_size = 4\nmax_client_conn = 100\nserver_login_retry = 1\n",
		host, behind, testkit.Loopback(), port, mode)
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
	address := net.JoinHostPort(testkit.Loopback(), fmt.Sprint(port))
	ctx, cancel := context.WithTimeout(t.Context(), startTime)
	defer cancel()
	if !poll(ctx, func() bool {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	}) {
		t.Fatal("PgBouncer did not start")
	}
	return address
}
