package sessionstore

import (
	"errors"
	"testing"
	"time"
)

// Anybody with a key may leave tickets, and each takes room for a week.
func TestTenThousandTicketsAreAllThatALocalStoreTakes(t *testing.T) {
	m := NewMemory(time.Now)
	ends := time.Now().Add(TicketLife)
	ticket := func(n int) ID { return ID{byte(n >> 16), byte(n >> 8), byte(n)} }
	const maxKept = 10_000
	for n := range maxKept - 1 {
		if err := m.backend.write(entryName(ticket(n), ticketSuffix), &entry{Version: entryVersion, Ends: ends}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Put(t.Context(), Row{Kind: Ticket, ID: ticket(maxKept - 1), Ends: ends}, 0); err != nil {
		t.Errorf("the last: %v", err)
	}
	if err := m.Put(t.Context(), Row{Kind: Ticket, ID: ticket(maxKept), Ends: ends}, 0); !errors.Is(err, ErrFull) {
		t.Errorf("one more: %v", err)
	}
	if err := m.Put(t.Context(), Row{ID: ticket(1), Generation: 1, Ends: ends}, 0); err != nil {
		t.Errorf("a session beside them: %v", err)
	}
	if err := m.Delete(t.Context(), Ticket, ticket(5)); err != nil {
		t.Fatal(err)
	}
	if err := m.Put(t.Context(), Row{Kind: Ticket, ID: ticket(maxKept), Ends: ends}, 0); err != nil {
		t.Errorf("in the place of another: %v", err)
	}
}
