package ui

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/files"
	"gatehouse/internal/text/safetext"
	"gatehouse/session"
	"gatehouse/ui/browse"
)

const (
	placeVersion = 1
	maxPlace     = 4 << 10 // bytes

	// placeTimeout limits reading and saving a place.
	placeTimeout = 2 * time.Second
)

// place is where a person was: in a tab of a domain, else in the list of domains.
type place struct {
	Version   int    `json:"version"`
	Username  string `json:"username"` // whose place it is
	Authority string `json:"authority"`
	Domain    string `json:"domain,omitempty"` // the one that was open; empty: none
	Tab       string `json:"tab,omitempty"`    // its [Tab].Name
	// List is the place in the list of shares or companies. For the list of domains, Record is the
	// domain under the cursor.
	List browse.Place `json:"list"`
}

// encode is the place in at most maxPlace bytes, nil if that is not enough.
func (p place) encode() []byte {
	text, err := json.Marshal(p)
	if err != nil || len(text) > maxPlace {
		return nil
	}
	return text
}

// checkPlace refuses a place of a newer program.
func checkPlace(stored []byte) error {
	var head struct {
		Version int `json:"version"`
	}
	if len(stored) > maxPlace || json.Unmarshal(stored, &head) != nil {
		return nil // none, see readPlace
	}
	return files.CheckVersion(head.Version, placeVersion)
}

// readPlace reads a stored place of the one who is signed in. What is in it is not trusted:
// it leads only where the person could have gone by hand.
func readPlace(stored []byte, now session.Status) (place, bool) {
	var p place
	if len(stored) == 0 || len(stored) > maxPlace || json.Unmarshal(stored, &p) != nil {
		return place{}, false
	}
	if p.Version != placeVersion || !strings.EqualFold(p.Username, now.Username) || p.Authority != now.Authority {
		return place{}, false
	}
	p.Username = now.Username
	if p.Domain != "" && !now.Claims.Has(p.Domain) {
		return place{}, false
	}
	if p.Domain == "" && !now.Claims.Has(p.List.Record) {
		p.List.Record = ""
	}
	if !slices.ContainsFunc(Tabs(), func(t Tab) bool { return t.Name() == p.Tab }) {
		p.Tab = ""
	}
	p.List = p.List.Clean()
	return p, true
}

// placedList is a tab with a place of its own: [browse.Shares] and [browse.Companies].
type placedList interface {
	Place() browse.Place
	Return(to browse.Place)
}

// placeKeeper saves the place whenever the person has stopped moving.
type placeKeeper struct {
	store Places
	log   *slog.Logger

	mu    sync.Mutex // held while reading and saving
	saved string     // what was saved last
	// leave is set if the stored place could not be read, as that of a newer program: nothing is
	// saved over it.
	leave bool
}

// load reads the stored place; nil if there is none.
func (k *placeKeeper) load(ctx context.Context) []byte {
	if k == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, placeTimeout)
	defer cancel()
	k.mu.Lock()
	defer k.mu.Unlock()
	stored, err := k.store.LoadPlace(ctx)
	if err == nil {
		err = checkPlace(stored)
	}
	if k.leave = err != nil; k.leave {
		k.log.Warn("place not restored", slog.String("error", err.Error()))
		return nil
	}
	k.saved = string(stored)
	return stored
}

// save saves a place, unless it was saved last. What fails is tried again with the next one.
func (k *placeKeeper) save(ctx context.Context, text []byte) {
	ctx, cancel := context.WithTimeout(ctx, placeTimeout)
	defer cancel()
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.leave || len(text) == 0 || string(text) == k.saved || ctx.Err() != nil {
		return
	}
	if err := k.store.SavePlace(ctx, text); err != nil {
		k.log.Warn("place not kept", slog.String("error", err.Error()))
		return
	}
	k.saved = string(text)
}

// place is the place now: in the page of a domain, or the list of domains.
func (r *root) place() place {
	p := place{Version: placeVersion, Username: r.user.username, Authority: r.user.authority}
	inside := r.openDomain()
	if inside == nil {
		p.List.Filter, p.List.Record = r.domains().Place()
		return p
	}
	p.Domain, p.Tab = inside.domain, inside.pane().Name()
	if list := inside.pane().tab.list; list != nil {
		p.List = list.Place()
	}
	return p
}

// savePlace saves the place of a kept session, unless it was saved last.
func (r *root) savePlace(ctx context.Context) tea.Cmd {
	if r.places == nil || r.service == nil || r.domains() == nil {
		return nil
	}
	status := r.service.Session.Status()
	if over := status.State == session.SignedOut || status.State == session.Ended; over || !status.Saved || identityOf(status) != r.user {
		return nil
	}
	k, text := r.places, r.place().encode()
	return func() tea.Msg {
		k.save(ctx, text)
		return nil
	}
}

// comeBack shows the place where the person of a restored session was, and says whose
// session it is: others may use the same key.
func (r *root) comeBack(stored []byte) tea.Cmd {
	shown := r.SignedIn()
	if !r.service.Session.CanKeep() {
		return shown
	}
	status := r.service.Session.Status()
	if p, ok := readPlace(stored, status); ok {
		shown = tea.Batch(shown, r.showPlace(p))
	}
	return tea.Batch(shown, r.Say("Signed in as "+safetext.Clip(status.Username, maxCrumb)+" from your last visit.", false))
}

// showPlace shows a place.
func (r *root) showPlace(p place) tea.Cmd {
	if p.Domain == "" {
		r.domains().Return(p.List.Filter, p.List.Record)
		return nil
	}
	r.domains().Remember(p.Domain)
	page := r.newDomainPage(p.Domain)
	page.active = max(slices.IndexFunc(page.panes, func(tab *pane) bool { return tab.Name() == p.Tab }), 0)
	if list := page.pane().tab.list; list != nil {
		list.Return(p.List)
	}
	return r.stack.Push(page)
}
