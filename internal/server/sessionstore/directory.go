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
	// lockPatience is how long a server that starts waits for its predecessor to end.
	lockPatience = 2 * time.Second
	// growth is how many bytes longer than this generation of a row its successor may be. That
	// much is reserved on the disk before the refresh token is sent.
	growth = 4 << 10
	// maxFile is the size in bytes beyond which a file is not read.
	maxFile = 16 << 20

	ledgerFile = "ledger"
	sweepsFile = "swept"
	serverLock = "server.lock" // held by the server as long as it runs
	changeLock = "change.lock" // held by any process during one change
)

// ownFiles are the files of a directory beside those of entries.
var ownFiles = []string{serverLock, changeLock, ledgerFile, sweepsFile}

var (
	// entryFile matches the names of the files of entries. Other files are left alone.
	entryFile = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[0-9a-f]{64}\.(session|ticket|tries)$`)
	})
	// temporaryName matches the names of files that were about to replace one of them.
	temporaryName = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\.([0-9a-f]{64}\.(session|ticket|tries)|probe|swept)\.[0-9]+\.tmp$`)
	})
)

// directory is a [backend] that has each entry in a file of its own, such as DIR/NAME.session. A
// file is replaced atomically, and synced before the change counts as made. Nothing is cached, as
// an administrator may delete files while the server runs.
type directory struct {
	path        string
	disk        files.Disk
	releaseLock func() // releases the server's lock; does nothing for an administrator
	// exclusive means that this process holds the server's lock, on a file system where the lock
	// is lost only with the process. Earlier servers have then ended and send nothing any more.
	exclusive bool
}

// OpenDirectory opens the store in a directory for a server, and creates the directory if there is
// none. The error does not name the directory; it is [ErrNotAlone] if another server uses it.
func OpenDirectory(path string) (*Local, error) { return openDirectory(path, true) }

// openDirectory opens the store in a directory. With toServe it becomes the only server there;
// without, a server may be running, and the store is good for deleting and counting.
func openDirectory(path string, toServe bool) (*Local, error) {
	d := &directory{path: path, disk: files.System(), releaseLock: func() {}}
	err := d.checkPurpose()
	if toServe && (err == nil || errors.Is(err, fs.ErrNotExist)) {
		err = d.acquire()
	}
	if err != nil {
		return nil, err
	}
	return newLocal(d, time.Now), nil
}

// acquire takes the directory for this server, and removes the temporary files of one that was
// killed. The error is [ErrNotAlone] if another server uses it.
func (d *directory) acquire() error {
	ctx, cancel := context.WithTimeout(context.Background(), lockPatience)
	defer cancel()
	release, err := files.Lock(ctx, d.file(serverLock))
	if errors.Is(err, context.DeadlineExceeded) {
		return ErrNotAlone
	}
	if err != nil {
		return err
	}
	d.releaseLock, d.exclusive = sync.OnceFunc(release), isLocal(d.path)
	leftovers, err := d.fileNames(temporaryName().MatchString)
	for _, name := range leftovers {
		if err == nil {
			err = files.Reason(d.disk.Remove(d.file(name)))
		}
	}
	if err != nil {
		d.releaseLock()
	}
	return err
}

// fileNames lists the files whose name matches.
func (d *directory) fileNames(match func(name string) bool) (names []string, err error) {
	entries, err := os.ReadDir(d.path)
	for _, entry := range entries {
		if match(entry.Name()) {
			names = append(names, entry.Name())
		}
	}
	return names, files.Reason(err)
}

// checkPurpose refuses a directory that other users can read and that has files of something else.
// It was probably named by mistake, and the store would make it private.
func (d *directory) checkPurpose() error {
	info, err := os.Stat(d.path)
	if err != nil {
		return files.Reason(err)
	}
	if !files.OpenToOthers(info) {
		return nil
	}
	foreign, err := d.fileNames(func(name string) bool {
		own := entryFile().MatchString(name) || temporaryName().MatchString(name)
		return !own && !slices.Contains(ownFiles, name)
	})
	if len(foreign) > 0 {
		return errors.New("it has other files, and other users can read it")
	}
	return err
}

// failed wraps an error of a file with what was being done to it; nil stays nil.
func (d *directory) failed(doing, name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s %s: %w", doing, d.file(name), files.Reason(err))
}

func (d *directory) file(name string) string { return filepath.Join(d.path, name) }

// lockedUntilExit has the directories whose lock this process holds until it ends. Without a
// reference the lock's file would be collected as garbage, and the lock released with it.
var lockedUntilExit sync.Map

func (d *directory) close(claimed bool) {
	if claimed {
		lockedUntilExit.Store(d, nil)
		return
	}
	d.releaseLock()
}

func (d *directory) isExclusive() bool { return d.exclusive }

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
	names, err := d.fileNames(func(name string) bool {
		return strings.HasSuffix(name, suffix) && entryFile().MatchString(name)
	})
	return names, d.failed("read", "", err)
}

func (d *directory) countStrangers() (int, error) {
	names, err := d.fileNames(func(name string) bool {
		return namesStranger(name) && entryFile().MatchString(name)
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
	damaged := json.Unmarshal(data, e) != nil // or of a newer version, which may have other types
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
		_ = room.Discard() // what cannot be removed now is removed at the next start
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
	// Gone means that the claim was taken over before its deadline, as its server had ended.
	Gone bool `json:"gone,omitempty"`
}

// recordTakeover adds a line to the ledger. When it returns all of the line is on the disk, or
// nothing of it where it could not be written.
func (d *directory) recordTakeover(t takeover) error {
	line, err := json.Marshal(t)
	if err == nil {
		err = d.disk.AppendLine(d.file(ledgerFile), line)
	}
	return d.failed("write", ledgerFile, err)
}

func (d *directory) loadSweeps() (s sweeps, err error) {
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

func (d *directory) saveSweeps(s sweeps) error {
	if _, err := d.loadSweeps(); files.IsNewer(err) {
		return nil // a newer program will need its file as it is
	}
	data, err := json.Marshal(s)
	if err == nil {
		err = d.disk.Write(d.file(sweepsFile), data)
	}
	return d.failed("write", sweepsFile, err)
}
