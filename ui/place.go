package ui

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/files"
	"gatehouse/internal/safetext"
	"gatehouse/session"
	"gatehouse/ui/browse"
)

const (
	placeVersion = 1
	longestPlace = 4 << 10 // bytes

	// placeDelay is how long after a change the place is saved, and placePause how long after a
	// failure it is tried again; placeTimeout limits that, and placeLastTimeout the last time,
	// when the connection ends.
	placeDelay       = 3 * time.Second
	placePause       = 30 * time.Second
	placeTimeout     = 5 * time.Second
	placeLastTimeout = 2 * time.Second
)

// place is where a person was. In a domain it is that of its tab, else that of the list of
// domains.
type place struct {
	Version   int    `json:"version"`
	Username  string `json:"username"` // whose place it is
	Authority string `json:"authority"`
	Domain    string `json:"domain,omitempty"` // the one that was open; empty: none
	Tab       string `json:"tab,omitempty"`    // its [Tab].ID
	// List is the place in the list of shares or companies; of the domains it has the filter, and the name
	// of the one under the cursor as the record.
	List browse.Place `json:"list"`
}

// encode is the place in at most longestPlace bytes.
func (p place) encode() []byte {
	text, err := json.Marshal(p)
	if err != nil || len(text) > longestPlace {
		p.List = browse.Place{Row: p.List.Row}
		text, err = json.Marshal(p)
	}
	if err != nil || len(text) > longestPlace {
		return nil
	}
	return text
}

// checkPlace refuses a place of a newer program.
func checkPlace(stored []byte) error {
	var head struct {
		Version int `json:"version"`
	}
	if len(stored) > longestPlace || json.Unmarshal(stored, &head) != nil {
		return nil // none, see readPlace
	}
	return files.CheckVersion(head.Version, placeVersion)
}

// readPlace reads a stored place of the one who is signed in. What is in it is not trusted:
// it leads only where the person could have gone by hand.
func readPlace(stored []byte, now session.Status) (place, bool) {
	var p place
	if len(stored) == 0 || len(stored) > longestPlace || json.Unmarshal(stored, &p) != nil {
		return place{}, false
	}
	if p.Version != placeVersion || !strings.EqualFold(p.Username, now.Username) || p.Authority != now.Authority {
		return place{}, false
	}
	p.Username = now.Username
	domains := now.Claims.AllDomains()
	if p.Domain != "" && !slices.Contains(domains, p.Domain) {
		return place{}, false
	}
	if p.Domain == "" && !slices.Contains(domains, p.List.Record) {
		p.List.Record = ""
	}
	if !slices.ContainsFunc(Tabs(), func(t Tab) bool { return t.ID == p.Tab }) {
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

// placeKeeper saves the place a while after the person stops moving.
type placeKeeper struct {
	store Places
	log   *slog.Logger

	timer *time.Timer // ends when nothing has happened for a while; nil: nothing has yet

	// unread means that there may be a place that could not be read: it stays until the person
	// has moved from the first one.
	unread atomic.Bool
	first  string
	// newer means that a newer program has saved the place: nothing is saved over it.
	newer atomic.Bool

	mu    sync.Mutex // held while saving
	saved string     // what was saved last
}

// placeMsg ends the wait for a person to stop moving.
type placeMsg struct{}

// placeLostMsg says that a place could not be saved.
type placeLostMsg struct{}

// restart waits anew for nothing to happen.
func (k *placeKeeper) restart(send func(tea.Msg)) {
	if k != nil {
		k.timer = restart(k.timer, placeDelay, func() { send(placeMsg{}) })
	}
}

// clock is the timer that runs, nil if there is none.
func (k *placeKeeper) clock() *time.Timer {
	if k == nil {
		return nil
	}
	return k.timer
}

// stays reports whether the stored place, which could not be read, stays in spite of another.
func (k *placeKeeper) stays(now []byte) bool {
	return k.unread.Load() && k.first == string(now)
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
	k.newer.Store(files.IsNewer(err))
	if err != nil {
		k.log.Warn("place not restored", slog.String("error", err.Error()))
		k.unread.Store(true)
		return nil
	}
	k.saved = string(stored)
	return stored
}

// save saves a place, unless it was saved last, and reports whether it is.
func (k *placeKeeper) save(ctx context.Context, text []byte) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(text) == 0 || string(text) == k.saved || ctx.Err() != nil {
		return true
	}
	if err := k.store.SavePlace(ctx, text); err != nil {
		k.log.Warn("place not kept", slog.String("error", err.Error()))
		return false
	}
	k.saved = string(text)
	return true
}

// keepsPlace reports whether there is a kept session whose place can be saved.
func (r *root) keepsPlace() bool {
	if r.places == nil || r.places.newer.Load() || r.service == nil || r.domains() == nil {
		return false
	}
	status := r.service.Session.Status()
	return status.Saved && status.State != session.SignedOut && status.State != session.Ended && identityOf(status) == r.user
}

// place is the place now.
func (r *root) place() place { return r.placeIn(r.openDomain()) }

// placeIn is the place in the page of a domain; nil is the list of domains.
func (r *root) placeIn(inside *domainPage) place {
	p := place{Version: placeVersion, Username: r.user.username, Authority: r.user.authority}
	if inside == nil {
		p.List.Filter, p.List.Record = r.domains().Place()
		return p
	}
	p.Domain, p.Tab = inside.domain, inside.pane().ID
	if list, ok := inside.pane().Screens()[0].(placedList); ok {
		p.List = list.Place()
	}
	return p
}

// lastPlace is the place when the UI ends. Whoever closes a domain and quits without having
// moved in the list of domains has left from the domain: they only closed one thing after
// the other.
func (r *root) lastPlace() place {
	if inside := r.openDomain(); inside != nil || !r.quitting || r.kept == nil || string(r.place().encode()) != r.keptAt {
		return r.placeIn(inside)
	}
	return r.placeIn(r.kept)
}

// savePlace saves the place, unless it was saved last.
func (r *root) savePlace() tea.Cmd {
	if !r.keepsPlace() {
		return nil
	}
	k, text := r.places, r.place().encode()
	if k.stays(text) {
		return nil
	}
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(r.env.Context, placeTimeout)
		defer cancel()
		if !k.save(ctx, text) {
			return placeLostMsg{}
		}
		return nil
	}
}

// saveLastPlace saves the place when the UI ends, however it does.
func (r *root) saveLastPlace() {
	if r.crash != nil || !r.keepsPlace() || r.places.stays(r.place().encode()) {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.env.Context), placeLastTimeout)
	defer cancel()
	r.places.save(ctx, r.lastPlace().encode())
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
	said := "Signed in as " + safetext.Clip(status.Username, maxCrumb) + " from your last visit."
	if r.places != nil {
		r.places.first = string(r.place().encode())
	}
	if r.places != nil && r.places.newer.Load() {
		said += " A newer gatehouse saved where you were."
	}
	return tea.Batch(shown, r.Say(said, false))
}

// showPlace shows a place.
func (r *root) showPlace(p place) tea.Cmd {
	if p.Domain == "" {
		r.domains().Return(p.List.Filter, p.List.Record)
		return nil
	}
	r.domains().Remember(p.Domain)
	page := r.newDomainPage(p.Domain)
	page.active = max(slices.IndexFunc(page.panes, func(tab *pane) bool { return tab.ID == p.Tab }), 0)
	if list, ok := page.pane().Screens()[0].(placedList); ok {
		list.Return(p.List)
	}
	return r.stack.Push(page)
}
