package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"gatehouse/internal/testkit"
)

// Server is one server of a cluster. Its methods are for one goroutine at a time.
type Server struct {
	Name string // as its primary knows it
	Port int

	installation
	dir     string
	process *exec.Cmd // nil while it does not run
	ended   chan struct{}
}

// Address is host and port.
func (s *Server) Address() string { return net.JoinHostPort(testkit.Loopback(), fmt.Sprint(s.Port)) }

// URL is that of a database of this server.
func (s *Server) URL(database string) string { return URL(s.Address(), database) }

// URL is that of a database at an address, such as that of a [Proxy].
func URL(address, database string) string {
	return fmt.Sprintf("postgres://postgres@%s/%s?sslmode=disable", address, database)
}

// Start starts the server. It returns when the server answers.
func (s *Server) Start(ctx context.Context) error {
	log, err := os.OpenFile(s.dir+".log", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	// The server runs on after ctx has ended.
	cmd := s.command(context.WithoutCancel(ctx), "postgres", "-D", s.dir, "-p", fmt.Sprint(s.Port), "-c", "cluster_name="+s.Name)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait()
	}()
	s.process, s.ended = cmd, ended
	ready := false
	poll(ctx, func() bool {
		select {
		case <-ended:
			return true
		default:
		}
		_, err := s.SQL(ctx, "postgres", "SELECT 1")
		ready = err == nil
		return ready
	})
	if !ready {
		text, _ := os.ReadFile(s.dir + ".log")
		return fmt.Errorf("PostgreSQL did not start: %s", text)
	}
	return nil
}

// Kill kills all processes of the server, as if its machine had lost its power.
func (s *Server) Kill() {
	if s.process == nil {
		return
	}
	_ = s.signal(kill)
	<-s.ended
	s.process = nil
}

// Freeze stops all processes of the server as they are; its connections stay open.
func (s *Server) Freeze() error { return s.signal(freeze) }

// Thaw lets a frozen server go on.
func (s *Server) Thaw() error { return s.signal(thaw) }

// Until returns when a query, in the database postgres, answers true.
func (s *Server) Until(ctx context.Context, query string) error {
	var last string
	var err error
	if !poll(ctx, func() bool {
		last, err = s.SQL(ctx, "postgres", query)
		return err == nil && last == "t"
	}) {
		return errors.Join(fmt.Errorf("%s: %q", query, last), err)
	}
	return nil
}

// connectTime bounds connecting to a server, which may be frozen.
const connectTime = 5 * time.Second

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

// run runs one of PostgreSQL's programs to its end.
func (s *Server) run(ctx context.Context, program string, args ...string) error {
	if out, err := s.command(ctx, program, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", program, err, out)
	}
	return nil
}

// installation is where the programs are, and who runs them.
type installation struct {
	bin      string
	uid, gid int // 0 for whoever runs the tests
}

// command is one of PostgreSQL's programs, or one with a path, run as the right user and without settings
// of the environment. It dies with the tests.
func (i installation) command(ctx context.Context, program string, args ...string) *exec.Cmd {
	if !filepath.IsAbs(program) {
		program = filepath.Join(i.bin, program)
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C.UTF-8", "TZ=UTC"}
	cmd.Dir = os.TempDir()
	cmd.SysProcAttr = i.attributes()
	return cmd
}

// own gives a file to the user that the servers run as.
func (i installation) own(path string) error {
	if i.uid == 0 {
		return nil
	}
	return os.Chown(path, i.uid, i.gid)
}
