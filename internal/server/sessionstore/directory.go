package sessionstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"gatehouse/internal/files"
	"gatehouse/session"
)

// ErrNotAlone means that another server uses a directory.
var ErrNotAlone = errors.New("another server uses it")

const (
	// lockPatience is how long a server waits for the one before it to end.
	lockPatience = 2 * time.Second
	// growth is how much longer the next generation of a row may be than this one, for there
	// to be room for it on the disk before its token is sent.
	growth     = 4 << 10
	ledgerFile = "ledger"
	sweepsFile = "swept"
	serverLock = "server.lock" // held by the server
	changeLock = "change.lock" // held for a change
	maxFile    = 16 << 20
)

var (
	// ownName is the name of the file of an entry; other files are left alone.
	ownName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{64}\.(session|ticket|tries)$`) })
	// temporaryName is the name of a file that was about to replace one of them.
	temporaryName = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\.([0-9a-f]{64}\.(session|ticket|tries)|probe|swept)\.[0-9]+\.tmp$`)
	})
)

// directory is the home of entries in files, DIR/NAME.session for a row. Each is replaced
// atomically and is on the disk before a change is done. An administrator may delete beside the
// server, so nothing that was read is kept.
type directory struct {
	path   string
	disk   files.Disk
	giveUp func() // gives the directory up; does nothing for an administrator
	// owned means that this process holds the lock of the server, which the system takes from a process
	// that ends and not from one that is stopped: the servers before have sent what they ever will.
	owned bool
}

// OpenDirectory opens a directory for a server, and makes it if need be. The error is
// [ErrNotAlone] where another server has it.
func OpenDirectory(path string) (*Local, error) { return openDirectory(path, true) }

// openDirectory opens a directory, to be the only server that uses it, or beside one to delete and count.
func openDirectory(path string, toServe bool) (*Local, error) {
	d := &directory{path: path, disk: files.System(), giveUp: func() {}}
	err := d.checkPurpose()
	if toServe && (err == nil || errors.Is(err, fs.ErrNotExist)) {
		err = d.own()
	}
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return newLocal(d, time.Now), nil
}

// own takes the directory for this server, and removes what a killed one has left.
func (d *directory) own() error {
	ctx, cancel := context.WithTimeout(context.Background(), lockPatience)
	defer cancel()
	giveUp, err := files.Lock(ctx, d.file(serverLock))
	if errors.Is(err, context.DeadlineExceeded) {
		return ErrNotAlone
	}
	if err != nil {
		return err
	}
	d.giveUp, d.owned = sync.OnceFunc(giveUp), isLocal(d.path)
	left, err := d.matching(temporaryName().MatchString)
	for _, name := range left {
		if err == nil {
			err = files.Reason(d.disk.Remove(d.file(name)))
		}
	}
	if err != nil {
		d.giveUp()
	}
	return err
}

// matching are the names of the files that match.
func (d *directory) matching(match func(name string) bool) (names []string, err error) {
	entries, err := os.ReadDir(d.path)
	for _, entry := range entries {
		if match(entry.Name()) {
			names = append(names, entry.Name())
		}
	}
	return names, files.Reason(err)
}

// checkPurpose refuses a directory that has other files and is open to others: it was named by mistake,
// and making it private, as this one has to be, could keep others from what is theirs.
func (d *directory) checkPurpose() error {
	info, err := os.Stat(d.path)
	if err != nil {
		return files.Reason(err)
	}
	if !files.OpenToOthers(info) {
		return nil
	}
	foreign, err := d.matching(func(name string) bool {
		own := ownName().MatchString(name) || temporaryName().MatchString(name)
		return !own && !slices.Contains([]string{serverLock, changeLock, ledgerFile, sweepsFile}, name)
	})
	if len(foreign) > 0 {
		return errors.New("it has other files, and other users can read it")
	}
	return err
}

// failed says what was being done to a file.
func (d *directory) failed(doing, name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s %s: %w", doing, d.file(name), files.Reason(err))
}

func (d *directory) file(name string) string { return filepath.Join(d.path, name) }

// heldToTheEnd are the directories that this process gives up only with its end. The lock of one that
// nothing refers to any more would be given up before.
var heldToTheEnd sync.Map

func (d *directory) close(claimed bool) {
	if claimed {
		heldToTheEnd.Store(d, nil)
		return
	}
	d.giveUp()
}

func (d *directory) alone() bool { return d.owned }

func (d *directory) check() (Durability, error) {
	probe, err := d.disk.Reserve(d.file("probe"), growth)
	if err == nil {
		err = probe.Discard()
	}
	if err != nil {
		return Durability{}, d.failed("write to", "", err)
	}
	return Durability{Kind: session.StoreDirectory, Warnings: warningsOf(d.path)}, nil
}

func (d *directory) lock(ctx context.Context) (func(), error) {
	unlock, err := files.Lock(ctx, d.file(changeLock))
	return unlock, d.failed("lock", "", err)
}

func (d *directory) names(suffix string) ([]string, error) {
	names, err := d.matching(func(name string) bool { return strings.HasSuffix(name, suffix) && ownName().MatchString(name) })
	return names, d.failed("read", "", err)
}

func (d *directory) strangers() (int, error) {
	names, err := d.matching(func(name string) bool {
		return namesStranger(name) && ownName().MatchString(name)
	})
	return len(names), d.failed("read", "", err)
}

func (d *directory) read(name string) (*entry, error) {
	data, err := files.Read(d.file(name), maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, d.failed("read", name, err)
	}
	e := &entry{}
	damaged := json.Unmarshal(data, e) != nil // a newer one may have other types as well
	newer := files.CheckVersion(e.Version, entryVersion)
	switch {
	case newer != nil:
		return nil, d.failed("read", name, newer)
	case damaged || e.Version < 1:
		return nil, d.failed("read", name, errors.New("it is damaged"))
	case !strings.HasPrefix(name, e.Name+"."):
		return nil, d.failed("read", name, errors.New("it is the file of another row"))
	}
	return e, nil
}

func (d *directory) write(name string, e *entry, room *files.Reservation) error {
	if e == nil {
		return d.remove(name, room)
	}
	data, err := json.Marshal(e)
	if err == nil && len(data) > maxFile { // it could not be read again
		err = files.ErrTooLarge
	}
	switch {
	case err != nil && room != nil:
		err = files.Both(err, room.Discard())
	case err == nil && (room == nil || room.Commit(data) != nil):
		err = d.disk.Write(d.file(name), data)
	}
	return d.failed("write", name, err)
}

func (d *directory) remove(name string, room *files.Reservation) error {
	if room != nil {
		_ = room.Discard() // what cannot be removed is at the next start
	}
	err := d.disk.Remove(d.file(name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil:
		err = d.disk.SyncDir(d.path)
	}
	return d.failed("remove", name, err)
}

func (d *directory) reserve(name string, e *entry) (room *files.Reservation, err error) {
	data, err := json.Marshal(e)
	if err == nil {
		room, err = d.disk.Reserve(d.file(name), len(data)+growth)
	}
	return room, d.failed("make room in", "", err)
}

// takeover is a line of the ledger.
type takeover struct {
	At         time.Time `json:"at"`
	Name       string    `json:"id"`
	Generation uint64    `json:"generation"`
	Before     string    `json:"before"` // the claim that was taken over
	Deadline   time.Time `json:"deadline"`
	Claim      string    `json:"claim"` // the claim that took over
	// Gone means that nobody waited for the deadline, as the server with the claim before had ended.
	Gone bool `json:"gone,omitempty"`
}

// note returns when the line is on the disk: all of it, or nothing.
func (d *directory) note(t takeover) (err error) {
	defer func() { err = d.failed("write", ledgerFile, err) }()
	line, err := json.Marshal(t)
	if err != nil {
		return err
	}
	f, err := files.Append(d.file(ledgerFile))
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if _, err = f.Write(append(line, '\n')); err != nil {
		return errors.Join(err, f.Truncate(info.Size()))
	}
	if err = f.Sync(); err != nil {
		return err
	}
	return d.disk.SyncDir(d.path)
}

func (d *directory) sweeps() (s sweeps, err error) {
	data, err := files.Read(d.file(sweepsFile), maxFile)
	if err == nil {
		err = json.Unmarshal(data, &s)
	}
	if newer := files.CheckVersion(s.Version, sweepsVersion); newer != nil {
		err = newer
	}
	if err != nil {
		return sweeps{}, d.failed("read", sweepsFile, err)
	}
	return s, nil
}

func (d *directory) noteSweeps(s sweeps) error {
	if _, err := d.sweeps(); files.IsNewer(err) {
		return nil // which that program will need as it is
	}
	data, err := json.Marshal(s)
	if err == nil {
		err = d.disk.Write(d.file(sweepsFile), data)
	}
	return d.failed("write", sweepsFile, err)
}
