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
	// MaxTickets is how many tickets an owner can have. A new one replaces the oldest.
	MaxTickets = 100
	// maxTicketSize is how many bytes a ticket may have before it is sealed.
	maxTicketSize = 256 << 10
	// ticketKind is sealed into each ticket with the id of its row, so that neither another row nor
	// sealed data of another kind passes for the ticket.
	ticketKind = "ticket 1"
	// listKind is the same for the list of the tickets of an owner.
	listKind = "tickets of an owner 1"
	// listRetries is how often a change of a list is repeated when another server was faster.
	listRetries = 10
)

// ErrTicketSize means that a result is too long for a ticket.
var ErrTicketSize = fmt.Errorf("the result is longer than %d KiB", maxTicketSize>>10)

// Desk keeps the results of checks for the support desk. Each is sealed, as a ticket with a code
// that the person who left it tells the desk.
type Desk struct {
	Store Store
	Keys  *Keys
	Now   func() time.Time
}

// LeftTicket is the content of a ticket. Its JSON is what is sealed.
type LeftTicket struct {
	Owner  string          `json:"owner"` // who left it: the id of their row, empty without a key
	Ends   time.Time       `json:"ends"`
	Result json.RawMessage `json:"result"`
}

// Leave seals a result, which is JSON, as the ticket of a code that [NewCode] has made, and returns
// when the ticket ends. by is who leaves it. For somebody without a key that is the zero Owner, and
// the tickets of their network are counted instead.
func (d *Desk) Leave(
	ctx context.Context, code string, by Owner, network string, result []byte,
) (ends time.Time, err error) {
	ends = d.Now().UTC().Add(TicketLife).Truncate(time.Second)
	id := d.Keys.TicketID(code)
	text, err := json.Marshal(LeftTicket{Owner: d.ownerName(by), Ends: ends, Result: result})
	if err != nil {
		return time.Time{}, err
	}
	if len(text) > maxTicketSize {
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
		return time.Time{}, err // no older ticket was deleted for it
	}
	if err := d.addToList(ctx, list, listedTicket{id, ends}); err != nil {
		// Also for a visitor who has gone: what is in no list counts for nobody.
		return time.Time{}, errors.Join(err, d.Store.Delete(context.WithoutCancel(ctx), Ticket, id))
	}
	return ends, nil
}

// listedTicket is a ticket in the list of its owner.
type listedTicket struct {
	ID   ID
	Ends time.Time
}

// addToList adds a ticket to the list of its owner, and deletes the oldest tickets beyond
// [MaxTickets]. The list is kept as the row of a session: if two servers change it at once, the
// second finds its generation outdated and repeats the change.
func (d *Desk) addToList(ctx context.Context, list ID, t listedTicket) error {
	for retries := 0; ; retries++ {
		err := d.tryAddToList(ctx, list, t)
		if !errors.Is(err, ErrOutdated) || retries == listRetries {
			return err
		}
	}
}

// tryAddToList is one try of [Desk.addToList]. The error is [ErrOutdated] if another server has
// changed the list meanwhile.
func (d *Desk) tryAddToList(ctx context.Context, list ID, t listedTicket) error {
	row, err := d.Store.Get(ctx, Session, list)
	if err != nil && !errors.Is(err, ErrNoRow) {
		return err
	}
	tickets := d.openList(row)
	for ; len(tickets) >= MaxTickets; tickets = tickets[1:] {
		err := d.Store.Delete(ctx, Ticket, tickets[0].ID)
		if err != nil && !errors.Is(err, ErrNoRow) {
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
	return d.Store.Put(ctx, next, row.Generation)
}

// openList returns the tickets in the row of a list that have not ended, the oldest first. A list
// that cannot be read has none.
func (d *Desk) openList(row Row) (tickets []listedTicket) {
	if clear, err := d.Keys.Open(row.Sealed, listKind, string(row.ID[:])); err == nil {
		_ = json.Unmarshal(clear, &tickets)
	}
	hasEnded := func(t listedTicket) bool { return !d.Now().Before(t.Ends) }
	return slices.DeleteFunc(tickets, hasEnded)
}

// Read reads the ticket of a code for the desk. The error is [ErrNoRow] if there is none or it
// has ended; [ErrForged], [ErrUnknownKey] or a *[files.NewerError] if it cannot be opened; or one
// of the store.
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

// Delete deletes the ticket of a code. With atDesk it deletes any; otherwise only one that by has
// left, or that was left without a key. The error is [ErrNoRow] if there is none, and also for a
// ticket of somebody else, so that nobody learns which codes exist.
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

// Name is what the log calls the ticket of a code. The code itself must not be logged, as it lets
// anybody at the desk read the ticket.
func (d *Desk) Name(code string) string {
	id := d.Keys.TicketID(code)
	return hex.EncodeToString(id[:4])
}

// ownerName is the id of an owner in hexadecimal digits; empty for the zero Owner.
func (d *Desk) ownerName(by Owner) string {
	if by == (Owner{}) {
		return ""
	}
	id := d.Keys.ID(by)
	return hex.EncodeToString(id[:])
}

// codeAlphabet is Crockford's base 32. It lacks I, L, O and U, which are mistaken for other signs
// when a code is read aloud or typed from paper.
const codeAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

const (
	// codeLength is the number of signs of a code. With five bits each, 60 bits cannot be guessed.
	codeLength = 12
	// maxCodeText is how many bytes of typed text are considered as a code.
	maxCodeText = 64
)

// lookalikes replaces what people write in a code beside or for the signs of [codeAlphabet].
var lookalikes = strings.NewReplacer("-", "", " ", "", "I", "1", "L", "1", "O", "0")

// NewCode makes a random code for a ticket, such as "K7QD-M2XA-9FHT". The report in the ticket
// has the same code as its id, so that people have one code to tell the desk.
func NewCode() string {
	var random [8]byte
	_, _ = rand.Read(random[:]) // never fails
	return hyphenated(base32.NewEncoding(codeAlphabet).EncodeToString(random[:])[:codeLength])
}

// hyphenated writes the signs of a code in three groups.
func hyphenated(signs string) string { return signs[:4] + "-" + signs[4:8] + "-" + signs[8:] }

// ParseCode reads a code as people type it, also in lower case, without hyphens or with an O for
// a 0, and returns it as [NewCode] writes it. ok is false for a text that is not a code.
func ParseCode(typed string) (code string, ok bool) {
	if len(typed) > maxCodeText {
		return "", false
	}
	signs := lookalikes.Replace(strings.ToUpper(typed))
	if len(signs) != codeLength || strings.Trim(signs, codeAlphabet) != "" {
		return "", false
	}
	return hyphenated(signs), true
}
