package sessionstore

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"time"

	"gatehouse/internal/files"
	"gatehouse/internal/format"
)

const (
	rowSuffix    = ".session"
	ticketSuffix = ".ticket"
	ledgerFile   = "ledger"
	serverLock   = "server.lock" // held by the server
	changeLock   = "change.lock" // held for a change
	// fileVersion is the version of the format of rows and tickets.
	fileVersion = 1
	maxRowFile  = 16 << 20
)

var (
	// ownName is the name of a file of this store; others are left alone.
	ownName = regexp.MustCompile(`^[0-9a-f]{64}\.(session|ticket|tries)$`)
	// temporaryName is the name of a file that was about to replace one of them.
	temporaryName = regexp.MustCompile(`^\.([0-9a-f]{64}\.(session|ticket|tries)|probe)\.[0-9]+\.tmp$`)
)

func rowFile(id ID) string    { return hex.EncodeToString(id[:]) + rowSuffix }
func ticketFile(id ID) string { return hex.EncodeToString(id[:]) + ticketSuffix }

// fileOfRow is a row as it stands in its file. Bytes are Base64.
type fileOfRow struct {
	Version    int       `json:"version"`
	Name       string    `json:"id"`
	Generation uint64    `json:"generation"`
	Claim      string    `json:"claim,omitempty"`
	Claimed    time.Time `json:"claimed_until,omitzero"`
	Doubtful   bool      `json:"doubtful,omitempty"`
	Doubts     int       `json:"doubts,omitempty"`
	Finished   string    `json:"finished,omitempty"`
	Ends       time.Time `json:"refresh_ends,omitzero"`
	Sealed     []byte    `json:"sealed"`
	Place      []byte    `json:"place,omitempty"`
}

func (e *entry) encode() ([]byte, error) {
	return json.Marshal(fileOfRow{
		Version: fileVersion, Name: hex.EncodeToString(e.ID[:]), Generation: e.Generation, Claim: e.claim, Claimed: e.Claimed,
		Doubtful: e.doubtful, Doubts: e.Doubts, Finished: e.finished, Ends: e.RefreshEnds, Sealed: e.Sealed, Place: e.Place,
	})
}

// row reads a row; nil if there is none.
func (d *Directory) row(id ID) (*entry, error) { return d.readRow(rowFile(id)) }

func (d *Directory) readRow(name string) (*entry, error) {
	var f fileOfRow
	there, err := d.read(name, &f, func() (int, string) { return f.Version, f.Name + rowSuffix })
	if err != nil || !there {
		return nil, err
	}
	e := &entry{claim: f.Claim, doubtful: f.Doubtful, finished: f.Finished, Row: Row{
		Generation: f.Generation, Claimed: f.Claimed, Sealed: f.Sealed, Place: f.Place, RefreshEnds: f.Ends, Doubts: f.Doubts,
	}}
	_, err = hex.Decode(e.ID[:], []byte(f.Name))
	return e, err
}

// fileOfTicket is a ticket as it stands in its file.
type fileOfTicket struct {
	Version int       `json:"version"`
	Name    string    `json:"id"`
	Ends    time.Time `json:"ends"`
	Sealed  []byte    `json:"sealed"`
}

func (d *Directory) writeTicket(t Ticket) error {
	data, err := json.Marshal(fileOfTicket{Version: fileVersion, Name: hex.EncodeToString(t.ID[:]), Ends: t.Ends, Sealed: t.Sealed})
	if err != nil {
		return err
	}
	return d.write(ticketFile(t.ID), data)
}

// readTicket reads a ticket; nil if there is none.
func (d *Directory) readTicket(name string) (*Ticket, error) {
	var f fileOfTicket
	there, err := d.read(name, &f, func() (int, string) { return f.Version, f.Name + ticketSuffix })
	if err != nil || !there {
		return nil, err
	}
	t := &Ticket{Ends: f.Ends, Sealed: f.Sealed}
	_, err = hex.Decode(t.ID[:], []byte(f.Name))
	return t, err
}

// read decodes a file; is returns the version and the file name that stand in it.
func (d *Directory) read(name string, into any, is func() (int, string)) (there bool, err error) {
	data, err := files.Read(d.file(name), maxRowFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("read %s: %w", d.file(name), plainCause(err))
	}
	// A newer one may have other types as well.
	damaged := json.Unmarshal(data, into) != nil
	version, inside := is()
	newer := format.Check(version, fileVersion)
	switch {
	case newer != nil:
		return false, fmt.Errorf("read %s: %w", d.file(name), newer)
	case damaged || version < 1:
		return false, fmt.Errorf("read %s: it is damaged", d.file(name))
	case inside != name:
		return false, fmt.Errorf("read %s: it is the file of another row", d.file(name))
	}
	return true, nil
}

func (d *Directory) writeRow(e entry) error {
	data, err := e.encode()
	if err != nil {
		return err
	}
	if err := d.write(rowFile(e.ID), data); err != nil {
		return err
	}
	return nil
}

func (d *Directory) write(name string, data []byte) error {
	if err := d.disk.Write(d.file(name), data); err != nil {
		return fmt.Errorf("write %s: %w", d.file(name), plainCause(err))
	}
	return nil
}

// remove removes a file, if it is there.
func (d *Directory) remove(name string) error {
	err := d.disk.Remove(d.file(name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil:
		err = d.disk.SyncDir(d.path)
	}
	if err != nil {
		return fmt.Errorf("remove %s: %w", d.file(name), plainCause(err))
	}
	return nil
}

// each calls do for the files of one kind.
func (d *Directory) each(suffix string, do func(name string) error) error {
	entries, err := os.ReadDir(d.path)
	if err != nil {
		return fmt.Errorf("read %s: %w", d.path, plainCause(err))
	}
	for _, entry := range entries {
		if name := entry.Name(); strings.HasSuffix(name, suffix) && ownName.MatchString(name) {
			if err := do(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// removeTemporary removes what a server has left that was killed.
func (d *Directory) removeTemporary() error {
	entries, err := os.ReadDir(d.path)
	if err != nil {
		return plainCause(err)
	}
	for _, entry := range entries {
		if temporaryName.MatchString(entry.Name()) {
			if err := d.disk.Remove(d.file(entry.Name())); err != nil {
				return plainCause(err)
			}
		}
	}
	return nil
}

// takeover is a line of the ledger.
type takeover struct {
	At         time.Time `json:"at"`
	Name       string    `json:"id"`
	Generation uint64    `json:"generation"`
	Before     string    `json:"before"` // the claim that passed its deadline
	Deadline   time.Time `json:"deadline"`
	Claim      string    `json:"claim"` // the claim that took over
	// Gone means that the process with the earlier claim had ended, so that nobody waited.
	Gone bool `json:"gone,omitempty"`
}

// writeLedger adds a takeover to the ledger, and returns when that is on the disk.
func (d *Directory) writeLedger(now time.Time, before *entry, c Claim, gone bool) error {
	line, err := json.Marshal(takeover{
		At: now, Name: hex.EncodeToString(c.ID[:]), Generation: c.Generation, Before: before.claim, Deadline: before.Claimed, Claim: c.Token, Gone: gone,
	})
	if err != nil {
		return err
	}
	err = appendSynced(d.file(ledgerFile), append(line, '\n'))
	if err == nil {
		err = d.disk.SyncDir(d.path)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", d.file(ledgerFile), plainCause(err))
	}
	return nil
}

// appendSynced adds a line to a file, all of it or nothing.
func appendSynced(path string, line []byte) error {
	f, err := files.Append(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if _, err = f.Write(line); err != nil {
		return errors.Join(err, f.Truncate(info.Size()))
	}
	return f.Sync()
}

// sweepNow deletes files of what has ended, in the background, if it is time again. The
// caller holds mu.
func (d *Directory) sweepNow(now time.Time) {
	for claim, room := range d.rooms {
		if now.After(room.ends.Add(sweepFilesEvery)) { // its owner will not come back
			d.giveUp(claim)
		}
	}
	select {
	case <-d.closed:
		return
	default:
	}
	if d.alone == nil || now.Sub(d.swept) < sweepFilesEvery {
		return
	}
	d.swept = now
	d.sweeping.Go(d.sweep)
}

// sweep deletes what has ended. What cannot be read is left for the operator.
func (d *Directory) sweep() {
	ended := func(name string, now time.Time) bool {
		if strings.HasSuffix(name, triesSuffix) {
			f, err := d.readTries(name)
			return err == nil && !now.Before(f.Ends)
		}
		if strings.HasSuffix(name, ticketSuffix) {
			t, err := d.readTicket(name)
			return err == nil && t != nil && !now.Before(t.Ends)
		}
		e, err := d.readRow(name)
		return err == nil && e != nil && e.over(now)
	}
	for _, suffix := range []string{rowSuffix, ticketSuffix, triesSuffix} {
		_ = d.each(suffix, func(name string) error {
			select {
			case <-d.closed:
				return fs.ErrClosed
			default:
			}
			d.mu.Lock() // an administrator only deletes
			defer d.mu.Unlock()
			if ended(name, d.now()) {
				_ = d.remove(name)
			}
			return nil
		})
	}
}
