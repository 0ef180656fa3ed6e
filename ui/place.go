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

// place is where a person was: in a tab of a domain, or in the list of domains.
type place struct {
	Version   int    `json:"version"`
	Username  string `json:"username"` // whose place it is
	Authority string `json:"authority"`
	Domain    string `json:"domain,omitempty"` // the open domain; "" for the list of domains
	Tab       string `json:"tab,omitempty"`    // its [Tab].Name
	// List is the place in the list of shares or companies. For the list of domains, Record is the
	// domain under the cursor.
	List browse.Place `json:"list"`
}

// encode is the place as it is stored; nil if it takes more than maxPlace bytes.
func (p place) encode() []byte {
	text, err := json.Marshal(p)
	if err != nil || len(text) > maxPlace {
		return nil
	}
	return text
}

// checkPlace returns an error if a stored place is of a newer version of the program.
func checkPlace(stored []byte) error {
	var head struct {
		Version int `json:"version"`
	}
	if len(stored) > maxPlace || json.Unmarshal(stored, &head) != nil {
		return nil // no place at all, see readPlace
	}
	return files.CheckVersion(head.Version, placeVersion)
}

// readPlace reads a stored place; false if there is none of the signed-in user. The place is not
// trusted: it leads only where the person can go by hand.
func readPlace(stored []byte, now session.Status) (place, bool) {
	var p place
	if len(stored) == 0 || len(stored) > maxPlace || json.Unmarshal(stored, &p) != nil {
		return place{}, false
	}
	isOfUser := strings.EqualFold(p.Username, now.Username) && p.Authority == now.Authority
	if p.Version != placeVersion || !isOfUser {
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

// placedList is a list whose place is stored: [browse.Shares] and [browse.Companies].
type placedList interface {
	Place() browse.Place
	Return(to browse.Place)
}

// placeKeeper saves the place whenever the person has stopped moving.
type placeKeeper struct {
	store Places
	log   *slog.Logger

	mu    sync.Mutex // held while reading and saving
	saved string     // what was loaded or saved last
	// readOnly means that the stored place could not be read, such as that of a newer version, so
	// that nothing is saved over it.
	readOnly bool
}

// load returns the stored place; nil if there is none, or it cannot be read.
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
	if k.readOnly = err != nil; k.readOnly {
		k.log.Warn("place not restored", slog.String("error", err.Error()))
		return nil
	}
	k.saved = string(stored)
	return stored
}

// save saves a place, unless it is the one that was saved last. A failure is only logged, as the
// next place is saved anyway.
func (k *placeKeeper) save(ctx context.Context, text []byte) {
	ctx, cancel := context.WithTimeout(ctx, placeTimeout)
	defer cancel()
	k.mu.Lock()
	defer k.mu.Unlock()
	isSaved := len(text) == 0 || string(text) == k.saved
	if k.readOnly || isSaved || ctx.Err() != nil {
		return
	}
	if err := k.store.SavePlace(ctx, text); err != nil {
		k.log.Warn("place not kept", slog.String("error", err.Error()))
		return
	}
	k.saved = string(text)
}

// place is where the person is now.
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

// savePlace returns a command that saves the place; nil if the session is over or not saved.
func (r *root) savePlace(ctx context.Context) tea.Cmd {
	if r.places == nil || r.service == nil || r.domains() == nil {
		return nil
	}
	status := r.service.Session.Status()
	isOver := status.State == session.SignedOut || status.State == session.Ended
	if isOver || !status.Saved || identityOf(status) != r.user {
		return nil
	}
	k, text := r.places, r.place().encode()
	return func() tea.Msg {
		k.save(ctx, text)
		return nil
	}
}

// comeBack shows the screens of a restored session. If the session can be kept for a key, it goes
// to the stored place, and says whose session it is, as others may use the same key.
func (r *root) comeBack(stored []byte) tea.Cmd {
	shown := r.SignedIn()
	if !r.service.Session.CanKeep() {
		return shown
	}
	status := r.service.Session.Status()
	if p, ok := readPlace(stored, status); ok {
		shown = tea.Batch(shown, r.showPlace(p))
	}
	user := safetext.Clip(status.Username, maxCrumb)
	return tea.Batch(shown, r.Say("Signed in as "+user+" from your last visit.", false))
}

// showPlace goes to a place.
func (r *root) showPlace(p place) tea.Cmd {
	if p.Domain == "" {
		r.domains().Return(p.List.Filter, p.List.Record)
		return nil
	}
	r.domains().Remember(p.Domain)
	page := r.newDomainPage(p.Domain)
	tab := slices.IndexFunc(page.panes, func(tab *pane) bool { return tab.Name() == p.Tab })
	page.active = max(tab, 0)
	if list := page.pane().tab.list; list != nil {
		list.Return(p.List)
	}
	return r.stack.Push(page)
}
