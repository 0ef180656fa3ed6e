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

// installation is the installed PostgreSQL.
type installation struct {
	bin      string // the directory of its programs
	uid, gid int    // as whom they run
}

// programs finds the newest installation, and a user who can run servers, which is not root. On
// Debian the programs are not in PATH.
func programs() (installation, error) {
	i := installation{uid: os.Geteuid(), gid: os.Getegid()}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
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

// command is a program of PostgreSQL that runs as the right user, without settings from the
// environment. It ends with the tests.
func (i installation) command(ctx context.Context, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(i.bin, program), args...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C.UTF-8", "TZ=UTC"}
	cmd.Dir = os.TempDir()
	cmd.SysProcAttr = i.attributes()
	return cmd
}

// run runs a program of PostgreSQL, and returns when it has ended.
func (i installation) run(ctx context.Context, program string, args ...string) error {
	if out, err := i.command(ctx, program, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", program, err, out)
	}
	return nil
}

// own makes a file one of the user as whom the servers run.
func (i installation) own(path string) error { return os.Chown(path, i.uid, i.gid) }

// Server is a server of a cluster. Its methods must not be called from several goroutines at once.
type Server struct {
	installation
	port    int
	dir     string        // of its data
	process *exec.Cmd     // nil while it does not run
	ended   chan struct{} // closed when the process has ended
}

// Address is the host and port of the server.
func (s *Server) Address() string {
	return net.JoinHostPort(testkit.Loopback(), fmt.Sprint(s.port))
}

// URL is the URL of a database of the server.
func (s *Server) URL(database string) string { return URL(s.Address(), database) }

// URL is the URL of a database at an address, such as that of a proxy.
func URL(address, database string) string {
	return fmt.Sprintf("postgres://postgres@%s/%s?sslmode=disable", address, database)
}

// settings are the settings of each server.
var settings = []string{
	"unix_socket_directories=",
	"max_connections=100",
	"shared_buffers=16MB",
	"log_min_messages=warning",
	"wal_keep_size=256MB",
	"autovacuum=off",
	"fsync=off",
	"full_page_writes=off",
}

// initialize makes the data of a primary.
func (s *Server) initialize(ctx context.Context) error {
	return s.run(ctx, "initdb",
		"--no-sync",
		"--wal-segsize=1",
		"--no-locale",
		"--encoding=UTF8",
		"--auth=trust",
		"--username=postgres",
		"--pgdata="+s.dir,
	)
}

// follow makes the data of a standby. With -R they say how to connect to the primary.
func (s *Server) follow(ctx context.Context, primary *Server) error {
	connection := fmt.Sprintf("host=%s port=%d user=postgres application_name=%s",
		testkit.Loopback(), primary.port, filepath.Base(s.dir))
	return s.run(ctx, "pg_basebackup",
		"-R",
		"--no-sync",
		"--checkpoint=fast",
		"--pgdata="+s.dir,
		"--dbname="+connection,
	)
}

// waitForStandbys makes a commit on the primary wait for any one of its standbys, and returns when
// all of them follow.
func (s *Server) waitForStandbys(ctx context.Context, count int) error {
	for _, statement := range []string{
		"ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)'",
		"SELECT pg_reload_conf()",
	} {
		if _, err := s.SQL(ctx, "postgres", statement); err != nil {
			return err
		}
	}
	const follow = "SELECT count(*) = %d FROM pg_stat_replication " +
		"WHERE sync_state = 'quorum' AND state = 'streaming'"
	return s.Until(ctx, fmt.Sprintf(follow, count))
}

// start starts the server, and returns when it answers. The server goes on when ctx ends.
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
	s.process = s.command(context.WithoutCancel(ctx), "postgres", args...)
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

// Kill ends all processes of the server at once, without a checkpoint and without telling its
// clients.
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

// Until repeats a query in the database postgres until its result is true.
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

// connectTime is how long connecting to a server may take. It takes seconds on a busy machine.
const connectTime = 30 * time.Second

// SQL runs statements in a database, and returns their results: a line for each row, with | between
// the columns.
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

// Put writes a file into the data of the server, which only the server can read.
func (s *Server) Put(name string, content []byte) error {
	path := filepath.Join(s.dir, name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		return err
	}
	return s.own(path)
}
