package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"gatehouse/internal/testkit"
)

// installation is where the programs are, and who runs them.
type installation struct {
	bin      string
	uid, gid int
}

// programs finds the newest installation, and a user for it: servers refuse to run as root.
func programs() (installation, error) {
	i := installation{uid: os.Geteuid(), gid: os.Getegid()}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb") // Debian has them in no PATH
	if path, err := exec.LookPath("initdb"); err == nil {
		found = append([]string{path}, found...)
	}
	if len(found) == 0 {
		return i, errors.New("initdb is neither in PATH nor in /usr/lib/postgresql/*/bin")
	}
	i.bin = filepath.Dir(found[len(found)-1])
	if i.uid != 0 {
		return i, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		if u, err := user.Lookup(name); err == nil {
			i.uid, _ = strconv.Atoi(u.Uid)
			i.gid, _ = strconv.Atoi(u.Gid)
			return i, nil
		}
	}
	return i, errors.New("it refuses to run as root, and there is no user postgres or nobody")
}

// command is one of PostgreSQL's programs, run as the right user and without settings of the
// environment. It dies with the tests.
func (i installation) command(ctx context.Context, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(i.bin, program), args...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C.UTF-8", "TZ=UTC"}
	cmd.Dir = os.TempDir()
	cmd.SysProcAttr = i.attributes()
	return cmd
}

// run runs one of PostgreSQL's programs to its end.
func (i installation) run(ctx context.Context, program string, args ...string) error {
	if out, err := i.command(ctx, program, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", program, err, out)
	}
	return nil
}

// own gives a file to the user that the servers run as.
func (i installation) own(path string) error { return os.Chown(path, i.uid, i.gid) }

// Server is one server of a cluster. Its methods are for one goroutine at a time.
type Server struct {
	installation
	port    int
	dir     string
	process *exec.Cmd     // nil while it does not run
	ended   chan struct{} // closed when the process has ended
}

// Address is host and port.
func (s *Server) Address() string { return net.JoinHostPort(testkit.Loopback(), fmt.Sprint(s.port)) }

// URL is the URL of a database of this server.
func (s *Server) URL(database string) string { return URL(s.Address(), database) }

// URL is the URL of a database at an address, such as a proxy's.
func URL(address, database string) string {
	return fmt.Sprintf("postgres://postgres@%s/%s?sslmode=disable", address, database)
}

// settings are the settings of each server.
var settings = []string{
	"unix_socket_directories=", "max_connections=100", "shared_buffers=16MB", "log_min_messages=warning",
	"wal_keep_size=256MB", "autovacuum=off", "fsync=off", "full_page_writes=off",
}

// start starts the server and returns when it answers, before ctx ends.
func (s *Server) start(ctx context.Context) error {
	log, err := os.OpenFile(s.dir+".log", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	args := []string{"-D", s.dir, "-p", fmt.Sprint(s.port), "-h", testkit.Loopback()}
	for _, setting := range settings {
		args = append(args, "-c", setting)
	}
	s.process = s.command(context.WithoutCancel(ctx), "postgres", args...) // it runs on after ctx has ended
	s.process.Stdout, s.process.Stderr = log, log
	if err := s.process.Start(); err != nil {
		return err
	}
	starting, stop := context.WithCancel(ctx)
	defer stop()
	s.ended = make(chan struct{})
	go func(process *exec.Cmd, ended chan<- struct{}) { // ends with the server
		_ = process.Wait()
		stop()
		close(ended)
	}(s.process, s.ended)
	if err := s.Until(starting, "SELECT true"); err != nil {
		text, _ := os.ReadFile(s.dir + ".log")
		return fmt.Errorf("PostgreSQL did not start: %w: %s", err, text)
	}
	return nil
}

// Kill ends all processes of the server at once, without a checkpoint and without a word to
// its clients.
func (s *Server) Kill() {
	if s.process == nil || s.process.Process == nil {
		return
	}
	_ = s.process.Process.Signal(syscall.SIGQUIT)
	<-s.ended
	s.process = nil
}

// Promote makes a standby the primary, and returns when it takes writes.
func (s *Server) Promote(ctx context.Context) error {
	if _, err := s.SQL(ctx, "postgres", "SELECT pg_promote()"); err != nil {
		return err
	}
	return s.Until(ctx, "SELECT NOT pg_is_in_recovery()")
}

// Until returns when a query, in the database postgres, answers true.
func (s *Server) Until(ctx context.Context, query string) error {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		last, err := s.SQL(ctx, "postgres", query)
		if err == nil && last == "t" {
			return nil
		}
		select {
		case <-ctx.Done():
			return errors.Join(fmt.Errorf("%s: %q", query, last), err)
		case <-tick.C:
		}
	}
}

// connectTime bounds connecting to a server. A machine with much else to do takes seconds.
const connectTime = 30 * time.Second

// SQL runs statements in a database and is what they return, as psql shows it without names
// and spaces: a line for each row, and | between columns.
func (s *Server) SQL(ctx context.Context, database, statements string) (string, error) {
	config, err := pgconn.ParseConfig(s.URL(database))
	if err != nil {
		return "", err
	}
	config.ConnectTimeout = connectTime
	conn, err := pgconn.ConnectConfig(ctx, config)
	if err != nil {
		return "", err
	}
	defer func() {
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), connectTime)
		defer cancel()
		_ = conn.Close(closing)
	}()
	results, err := conn.Exec(ctx, statements).ReadAll()
	var rows []string
	for _, result := range results {
		for _, row := range result.Rows {
			rows = append(rows, string(bytes.Join(row, []byte("|"))))
		}
	}
	return strings.Join(rows, "\n"), err
}

// Put writes a file into the directory of the server's data, which only the server can read.
func (s *Server) Put(name string, content []byte) error {
	path := filepath.Join(s.dir, name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		return err
	}
	return s.own(path)
}
