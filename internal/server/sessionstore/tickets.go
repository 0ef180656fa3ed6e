package sessionstore

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

const (
	// TicketLife is how long a ticket can be read.
	TicketLife = 7 * 24 * time.Hour
	// MaxTickets is how many tickets are kept for an owner. Then the oldest goes.
	MaxTickets = 100
	// maxTicket is how many bytes a ticket may have before it is sealed.
	maxTicket = 256 << 10
	// ticketKind is bound to what is sealed, with the id of the row: neither another row nor
	// anything else that was sealed passes for a ticket.
	ticketKind = "ticket 1"
	// listKind is the same for the list of the tickets of an owner.
	listKind = "tickets of an owner 1"
	// listTries is how often a list is changed again that another server has changed meanwhile.
	listTries = 10
)

// ErrTicketSize means that a result is too long to be left.
var ErrTicketSize = fmt.Errorf("the result is longer than %d KiB", maxTicket>>10)

// Desk keeps the results of checks for the support desk, sealed, each under a code that
// whoever left it tells the desk.
type Desk struct {
	Store Store
	Keys  *Keys
	Now   func() time.Time
}

// LeftTicket is a ticket before it is sealed, and as the desk reads it.
type LeftTicket struct {
	Owner  string          `json:"owner"` // the row id of who left it, empty without a key
	Ends   time.Time       `json:"ends"`
	Result json.RawMessage `json:"result"`
}

// Leave seals a result, which is JSON, as the ticket of a code that [NewCode] has made, and
// returns when it ends. by is the zero Owner for somebody without a key, who is counted by their
// network.
func (d *Desk) Leave(ctx context.Context, code string, by Owner, network string, result []byte) (ends time.Time, err error) {
	ends = d.Now().UTC().Add(TicketLife).Truncate(time.Second)
	id := d.Keys.TicketID(code)
	text, err := json.Marshal(LeftTicket{Owner: d.ownerName(by), Ends: ends, Result: result})
	if err != nil {
		return time.Time{}, err
	}
	if len(text) > maxTicket {
		return time.Time{}, ErrTicketSize
	}
	sealed, err := d.Keys.Seal(text, ticketKind, string(id[:]))
	if err != nil {
		return time.Time{}, err
	}
	list := d.Keys.SubjectID("tickets of an owner", d.ownerName(by))
	if by == (Owner{}) {
		list = d.Keys.SubjectID("tickets from a network", network)
	}
	if err := d.Store.Put(ctx, Row{Kind: Ticket, ID: id, Sealed: sealed, Ends: ends}, 0); err != nil {
		return time.Time{}, err // and none makes room for it
	}
	if err := d.makeRoom(ctx, list, listedTicket{id, ends}); err != nil {
		return time.Time{}, errors.Join(err, d.Store.Delete(ctx, Ticket, id))
	}
	return ends, nil
}

// listedTicket is a ticket in the list of its owner.
type listedTicket struct {
	ID   ID
	Ends time.Time
}

// makeRoom adds a ticket to the list of its owner, and deletes the oldest of those that are too many.
// The list has the row of a session, of whose generations no two servers replace the same one.
func (d *Desk) makeRoom(ctx context.Context, list ID, t listedTicket) error {
	for tries := 0; ; tries++ {
		row, err := d.Store.Get(ctx, Session, list)
		if err != nil && !errors.Is(err, ErrNoRow) {
			return err
		}
		var tickets []listedTicket // the oldest first; none of a list that cannot be read
		if clear, err := d.Keys.Open(row.Sealed, listKind, string(list[:])); err == nil {
			_ = json.Unmarshal(clear, &tickets)
		}
		tickets = slices.DeleteFunc(tickets, func(t listedTicket) bool { return !d.Now().Before(t.Ends) })
		for ; len(tickets) >= MaxTickets; tickets = tickets[1:] {
			if err := d.Store.Delete(ctx, Ticket, tickets[0].ID); err != nil && !errors.Is(err, ErrNoRow) {
				return err
			}
		}
		clear, err := json.Marshal(append(tickets, t))
		if err != nil {
			return err
		}
		next := Row{ID: list, Generation: row.Generation + 1, Ends: t.Ends}
		if next.Sealed, err = d.Keys.Seal(clear, listKind, string(list[:])); err != nil {
			return err
		}
		if err = d.Store.Put(ctx, next, row.Generation); !errors.Is(err, ErrOutdated) || tries == listTries {
			return err
		}
	}
}

// Read reads the ticket of a code for the desk. The error is [ErrNoRow] if there is none or
// it has ended, [ErrForged], [ErrUnknownKey] or a *[files.NewerError] if the row cannot be
// opened, or that of the store.
func (d *Desk) Read(ctx context.Context, code string) (LeftTicket, error) {
	id := d.Keys.TicketID(code)
	row, err := d.Store.Get(ctx, Ticket, id)
	if err != nil {
		return LeftTicket{}, err
	}
	clear, err := d.Keys.Open(row.Sealed, ticketKind, string(id[:]))
	if err != nil {
		return LeftTicket{}, err
	}
	var left LeftTicket
	if json.Unmarshal(clear, &left) != nil {
		return LeftTicket{}, fmt.Errorf("%w: a ticket is not in order", ErrForged)
	}
	if !d.Now().Before(left.Ends) { // whatever the row says
		return LeftTicket{}, ErrNoRow
	}
	return left, nil
}

// Delete deletes the ticket of a code. The desk may delete any; others one that was left with
// the same key or, by whoever knows the code, without one. For them the error is [ErrNoRow]
// whether there is none or it is somebody else's.
func (d *Desk) Delete(ctx context.Context, code string, by Owner, atDesk bool) error {
	if !atDesk {
		left, err := d.Read(ctx, code)
		if err != nil {
			return err
		}
		if left.Owner != "" && left.Owner != d.ownerName(by) {
			return ErrNoRow
		}
	}
	return d.Store.Delete(ctx, Ticket, d.Keys.TicketID(code))
}

// Name is what the log calls the ticket of a code, which itself belongs in no log.
func (d *Desk) Name(code string) string {
	id := d.Keys.TicketID(code)
	return hex.EncodeToString(id[:4])
}

func (d *Desk) ownerName(by Owner) string {
	if by == (Owner{}) {
		return ""
	}
	id := d.Keys.ID(by)
	return hex.EncodeToString(id[:])
}

// codeSigns are Crockford's 32 digits: no I, L, O and U, which are taken for others when a
// code is read aloud or typed from paper.
const codeSigns = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

const (
	codeLength = 12 // signs of five bits each: 60 bits cannot be guessed
	// maxCodeText bounds the text that is read as a code.
	maxCodeText = 64
)

// meantSigns are signs that people write for others.
var meantSigns = strings.NewReplacer("-", "", " ", "", "I", "1", "L", "1", "O", "0")

// NewCode makes the code of a ticket, such as "K7QD-M2XA-9FHT". The report in the ticket has it
// as its id, so that there is one thing to tell the desk.
func NewCode() string {
	var random [8]byte
	_, _ = rand.Read(random[:]) // never fails
	return grouped(base32.NewEncoding(codeSigns).EncodeToString(random[:])[:codeLength])
}

func grouped(signs string) string { return signs[:4] + "-" + signs[4:8] + "-" + signs[8:] }

// ParseCode reads a typed code: in small letters, with or without hyphens and blanks, or with an
// O for a 0. ok is false for a text that is no code.
func ParseCode(typed string) (code string, ok bool) {
	if len(typed) > maxCodeText {
		return "", false
	}
	signs := meantSigns.Replace(strings.ToUpper(typed))
	if len(signs) != codeLength || strings.Trim(signs, codeSigns) != "" {
		return "", false
	}
	return grouped(signs), true
}
