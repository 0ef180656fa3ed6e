package sessionstore

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/internal/testkit"
	"gatehouse/session"
)

// What is written about limits, in the documentation and for the person who meets one.
func TestTheBoundsOfAStore(t *testing.T) {
	const kibi, mebi = 1 << 10, 1 << 20
	for name, tt := range map[string]struct{ got, want int }{
		"bytes that a row may grow":            {growth, 4 * kibi},
		"bytes of a file":                      {maxFile, 16 * mebi},
		"bytes of a key file":                  {maxKeyFile, 64 * kibi},
		"bytes of sessions in memory":          {maxMemory, 40 * mebi},
		"bytes of tries in memory":             {maxCounters, 24 * mebi},
		"strangers":                            {maxStrangers, 8000},
		"tickets":                              {maxTickets, 10_000},
		"tickets of an owner":                  {MaxTickets, 100},
		"bytes of a ticket":                    {maxTicketSize, 256 * kibi},
		"retries of a change of a list":        {listRetries, 10},
		"rows that are remembered":             {maxSeen, 100_000},
		"rows that one statement deletes":      {maxSwept, 1000},
		"days of a line in the ledger":         {maxLedgerDays, 90},
		"connections of a server":              {poolSize, 16},
		"tries of strangers in a database":     {maxStrangerTries, 40_000},
		"the oldest version of PostgreSQL":     {minServer, 14},
		"bytes at which an id is a stranger's": {strangerPrefix, 8},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %d, want %d", name, tt.got, tt.want)
		}
	}
	for name, tt := range map[string]struct{ got, want time.Duration }{
		"the end of a predecessor":     {lockPatience, 2 * time.Second},
		"the change of another":        {lockTimeout, 10 * time.Second},
		"a call of a database":         {callTimeout, 5 * time.Second},
		"the opening of a database":    {openTimeout, 30 * time.Second},
		"a host of a database":         {connectTimeout, 2 * time.Second},
		"a claim":                      {claimLife, 90 * time.Second},
		"a renewal":                    {usualRenewal, 2 * time.Second},
		"another look":                 {poll, 500 * time.Millisecond},
		"another sweep":                {sweepEvery, 10 * time.Minute},
		"how far clocks may differ":    {maxAhead, 24 * time.Hour},
		"a clock that was set forward": {clockTrial, 72 * time.Hour},
		"a new key":                    {copyTime, 10 * time.Minute},
		"another look at the keys":     {readEvery, time.Minute},
		"another key":                  {minKeyAge, 24 * time.Hour},
		"a ticket":                     {TicketLife, 7 * 24 * time.Hour},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %v, want %v", name, tt.got, tt.want)
		}
	}
}

func TestAKeySealsFromTheMomentOnThatTheOperatorIsTold(t *testing.T) {
	keys, path, now := keyFileAt(t)
	oldest := keys.Current()
	made := keys.set.sealing[0].made
	for after, isAdded := range map[time.Duration]bool{24*time.Hour - 1: false, 24 * time.Hour: true} {
		from, err := RotateKeyFile(path, made.Add(after))
		if err != nil || from.IsZero() == isAdded {
			t.Fatalf("after %v: %v, %v", after, from, err)
		}
		if isAdded && !from.Equal(made.Add(24*time.Hour+10*time.Minute)) {
			t.Errorf("it seals from %v on", from)
		}
	}
	from := made.Add(24*time.Hour + 10*time.Minute)
	*now = from.Add(-1)
	if got := keys.Current(); got != oldest {
		t.Error("the new key is used before its time")
	}
	*now = from
	if got := keys.Current(); got == oldest || got != keys.Names()[1] {
		t.Error("the new key is not used at its time")
	}
}

// Where no key is old enough, the oldest is most likely to be on all servers.
func TestOfSeveralKeysTheNewestThatIsOldEnoughSeals(t *testing.T) {
	at := time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)
	made := func(ages ...time.Duration) (s keySet) {
		for _, age := range ages {
			s.sealing = append(s.sealing, sealingKey{name: age.String(), made: at.Add(-age)})
		}
		return s
	}
	for want, s := range map[string]keySet{
		"20m0s":   made(time.Hour, 20*time.Minute, 5*time.Minute, time.Minute),
		"10m0s":   made(time.Hour, 10*time.Minute),
		"1h0m0s":  made(time.Hour, 10*time.Minute-1),
		"9m0s":    made(9*time.Minute, 8*time.Minute),
		"-1h0m0s": made(-time.Hour), // of a clock that was wrong
	} {
		if got := s.current(at).name; got != want {
			t.Errorf("the key that is %s old seals, want %s", got, want)
		}
	}
}

func TestAKeyFileIsReadOnceAMinute(t *testing.T) {
	keys, path, now := keyFileAt(t)
	var warned int
	keys.Warn = func(error) { warned++ }
	*now = keys.read
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		after time.Duration
		want  int
	}{
		{0, 0}, {time.Minute - 1, 0}, {1, 1}, {time.Minute - 1, 1}, {1, 2},
	} {
		*now = now.Add(step.after)
		keys.Current()
		if warned != step.want {
			t.Errorf("after %v more it was read %d times, want %d", step.after, warned, step.want)
		}
	}
	keys.Warn = nil // nobody wants to know
	*now = now.Add(time.Hour)
	keys.Current()
}

func TestAKeyFileIsReadOnceForManyWhoSealAtOnce(t *testing.T) {
	keys, path, now := keyFileAt(t)
	var warned atomic.Int32
	keys.Warn = func(error) { warned.Add(1) }
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	*now = now.Add(time.Hour)
	atOnce(32, func(int) { keys.Current() })
	if got := warned.Load(); got != 1 {
		t.Errorf("it was read %d times", got)
	}
}

func TestAKeyFileIsForItsOwnerAlone(t *testing.T) {
	testkit.SkipOnWindows(t, "has access lists in place of modes")
	path := filepath.Join(t.TempDir(), "session.key")
	if err := CreateKeyFile(path); err != nil {
		t.Fatal(err)
	}
	requireMode := func(when string) {
		t.Helper()
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", when, info, err)
		}
	}
	requireMode("made")
	if _, err := RotateKeyFile(path, time.Now().Add(48*time.Hour)); err != nil {
		t.Fatal(err)
	}
	requireMode("rotated")
}

func TestAClockIsDoubtedWhenItMovesByMoreThanADay(t *testing.T) {
	const day = 24 * time.Hour
	last := time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)
	for name, tt := range map[string]struct {
		before sweeps
		passed time.Duration
		now    time.Time
		want   sweeps
	}{
		"as time passed": {sweeps{Last: last}, time.Hour, last.Add(time.Hour), sweeps{}},
		"by a day":       {sweeps{Last: last}, time.Hour, last.Add(day + time.Hour), sweeps{}},
		"by more": {
			sweeps{Last: last}, time.Hour, last.Add(day + time.Hour + 1),
			sweeps{Ahead: day + 1, Jumped: last.Add(day + time.Hour + 1)},
		},
		"back by more": {sweeps{Last: last}, time.Hour, last.Add(-2 * day), sweeps{}},
		"back again": {
			sweeps{Last: last, Ahead: 5 * day, Jumped: last.Add(-time.Hour)}, time.Hour, last.Add(time.Hour - 5*day),
			sweeps{},
		},
		"back but for half a day": {
			sweeps{Last: last, Ahead: 5 * day, Jumped: last.Add(-time.Hour)}, time.Hour, last.Add(time.Hour - 9*day/2),
			sweeps{},
		},
		"ahead still": {
			sweeps{Last: last, Ahead: 5 * day, Jumped: last.Add(-time.Hour)}, time.Hour, last.Add(time.Hour),
			sweeps{Ahead: 5 * day, Jumped: last.Add(-time.Hour)},
		},
		"ahead by more yet": {
			sweeps{Last: last, Ahead: 5 * day, Jumped: last.Add(-time.Hour)}, time.Hour, last.Add(time.Hour + 2*day),
			sweeps{Ahead: 7 * day, Jumped: last.Add(time.Hour + 2*day)},
		},
		"ahead for almost three days": {
			sweeps{Last: last, Ahead: 5 * day, Jumped: last.Add(-71 * time.Hour)}, time.Hour - 1, last.Add(time.Hour - 1),
			sweeps{Ahead: 5 * day, Jumped: last.Add(-71 * time.Hour)},
		},
		"ahead for three days": {
			sweeps{Last: last, Ahead: 5 * day, Jumped: last.Add(-71 * time.Hour)}, time.Hour, last.Add(time.Hour), sweeps{},
		},
	} {
		tt.want.Version, tt.want.Last = 1, tt.now
		got := tt.before.after(tt.passed, tt.now)
		if got != tt.want {
			t.Errorf("%s: %+v\nwant %+v", name, got, tt.want)
		}
		doubt := got.doubt()
		if (doubt != nil) != !tt.want.Jumped.IsZero() {
			t.Errorf("%s: the doubt is %v", name, doubt)
		}
		if doubt != nil && (doubt.Ahead != got.Ahead || !doubt.Until.Equal(got.Jumped.Add(3*day))) {
			t.Errorf("%s: it is ahead by %v, until %v", name, doubt.Ahead, doubt.Until)
		}
	}
}

// sweptStore notes when it is swept.
type sweptStore struct {
	Store
	at  []time.Time
	err error
}

func (s *sweptStore) Sweep(context.Context) error {
	s.at = append(s.at, time.Now())
	return s.err
}

func TestAStoreIsSweptEveryTenMinutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began, s := time.Now(), &sweptStore{err: errors.New("away")}
		var warned []error
		end := SweepNowAndThen(s, func(err error) { warned = append(warned, err) })
		<-time.After(31 * time.Minute)
		end()
		<-time.After(time.Hour)
		var after []time.Duration
		for _, at := range s.at {
			after = append(after, at.Sub(began))
		}
		want := []time.Duration{10 * time.Minute, 20 * time.Minute, 30 * time.Minute}
		if !slices.Equal(after, want) || len(warned) > 0 {
			t.Errorf("it is swept after %v, and the operator is warned of %v", after, warned)
		}
	})
}

func TestWhatEndsAtATimeHasEndedThen(t *testing.T) {
	at := time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)
	claimed := &entry{Claim: "x", Claimed: at, RefreshEnds: at.Add(-time.Hour)}
	ending := &entry{Ends: at}
	for now, isOver := range map[time.Time]bool{at.Add(-1): false, at: true} {
		if claimed.claimed(now) == isOver || claimed.ended(now) != isOver || ending.ended(now) != isOver {
			t.Errorf("%v from it: claimed %t, ended %t and %t", now.Sub(at),
				claimed.claimed(now), claimed.ended(now), ending.ended(now))
		}
	}
	gone := &entry{Claim: "x", Claimed: at, OwnerGone: true}
	if gone.claimed(at.Add(-1)) || (&entry{Claimed: at}).claimed(at.Add(-1)) || (&entry{}).ended(at) {
		t.Error("what nobody has claimed is claimed, or what has no end ends")
	}
}

func TestATryCountsUntilItsTimeHasPassedAndNotAfter(t *testing.T) {
	at := time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)
	tries := []time.Time{at.Add(-time.Hour), at.Add(1 - time.Hour), at, at.Add(1)}
	if got := recentTries(tries, time.Hour, at); !slices.Equal(got, tries[1:3]) {
		t.Errorf("these count: %v", got)
	}
	now := at
	m := NewMemory(func() time.Time { return now })
	try := func() time.Duration {
		wait, err := m.Try(t.Context(), []ID{{1}}, 1, time.Hour)
		if err != nil {
			t.Fatal(err)
		}
		return wait
	}
	for _, step := range []struct{ after, want time.Duration }{
		{0, 0}, {0, time.Hour}, {time.Hour - 1, 1}, {1, 0},
	} {
		now = now.Add(step.after)
		if got := try(); got != step.want {
			t.Errorf("after %v more one has to wait %v, want %v", step.after, got, step.want)
		}
	}
}

func TestALocalStoreHasRoomForItsStrangersAndNoMore(t *testing.T) {
	m := NewMemory(time.Now)
	stranger := func(n int) ID { return ID{8: byte(n >> 8), 9: byte(n), 10: 1} }
	for n := range 8000 {
		if _, err := m.Try(t.Context(), []ID{stranger(n)}, 1, time.Hour); err != nil {
			t.Fatalf("stranger %d: %v", n+1, err)
		}
	}
	if _, err := m.Try(t.Context(), []ID{stranger(8000)}, 1, time.Hour); !errors.Is(err, ErrFull) {
		t.Errorf("one more: %v", err)
	}
}

func TestAResultMayBeAsLongAsATicketTakes(t *testing.T) {
	d, _, _ := deskAt(t)
	empty := len(`{"owner":"","ends":"2026-03-14T09:26:53Z","result":""}`)
	for spare, isLeft := range map[int]bool{0: true, -1: false} {
		result := `"` + strings.Repeat("x", 256<<10-empty-spare) + `"`
		if _, err := d.Leave(t.Context(), NewCode(), Owner{}, "", []byte(result)); (err == nil) != isLeft {
			t.Errorf("with %d bytes to spare: %v", spare, err)
		}
	}
}

func TestACodeMayBeTypedWithManySigns(t *testing.T) {
	for signs, isRead := range map[int]bool{64: true, 65: false} {
		if _, ok := ParseCode("K7QDM2XA9FHT" + strings.Repeat("-", signs-12)); ok != isRead {
			t.Errorf("with %d signs: %t", signs, ok)
		}
	}
}

// The code itself lets anybody at the desk read the ticket.
func TestTheNameOfATicketIsNotItsCode(t *testing.T) {
	d, _, _ := deskAt(t)
	id := d.Keys.TicketID("K7QD-M2XA-9FHT")
	if got := d.Name("K7QD-M2XA-9FHT"); len(got) != 8 || !strings.HasPrefix(entryName(id, ""), got) {
		t.Errorf("it is called %s", got)
	}
}

// contended is a store in which another server is always faster.
type contended struct {
	Store
	puts int
}

func (s *contended) Put(ctx context.Context, r Row, over uint64) error {
	if r.Kind == Ticket {
		return s.Store.Put(ctx, r, over)
	}
	s.puts++
	return ErrOutdated
}

func TestAListOfTicketsIsChangedElevenTimesAtMost(t *testing.T) {
	d, local, _ := deskAt(t)
	s := &contended{Store: local}
	d.Store = s
	if _, err := d.Leave(t.Context(), NewCode(), ada, "", []byte(aResult)); !errors.Is(err, ErrOutdated) {
		t.Errorf("the error is %v", err)
	}
	if s.puts != 11 {
		t.Errorf("it was tried %d times", s.puts)
	}
	if names, err := local.backend.names(ticketSuffix); len(names) > 0 || err != nil {
		t.Errorf("the store keeps %q, %v", names, err)
	}
}

func TestAServerOfAnOldVersionIsRefused(t *testing.T) {
	p := &Postgres{hosts: "db.example:5432"}
	for version, isGood := range map[int]bool{139999: false, 140000: true, 170002: true} {
		err := p.checkVersion(version)
		if (err == nil) != isGood {
			t.Errorf("%d: %v", version, err)
		}
		const want = "the database at db.example:5432 is PostgreSQL 13, but 14 or newer is needed"
		if err != nil && err.Error() != want {
			t.Errorf("%d: %v", version, err)
		}
	}
}

// A pooler gives each transaction another connection.
func TestNothingIsPreparedOnAConnection(t *testing.T) {
	config, err := new(Postgres).configure("postgres://db.example/x")
	if err != nil {
		t.Fatal(err)
	}
	c := config.ConnConfig
	if c.DefaultQueryExecMode.String() != "exec" || c.StatementCacheCapacity != 0 || c.DescriptionCacheCapacity != 0 {
		t.Errorf("queries run as %v, and %d and %d are kept",
			c.DefaultQueryExecMode, c.StatementCacheCapacity, c.DescriptionCacheCapacity)
	}
	if c.ValidateConnect == nil || config.AfterConnect == nil || c.OnNotice == nil {
		t.Error("a standby is used, types are not known, or warnings are lost")
	}
}

// A row that was put back is older by its generation or, of another sign-in, by both.
func TestWhichRecordsAreOlderThanWhatWasSeen(t *testing.T) {
	at := time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)
	record := func(generation uint64, signedIn time.Duration) *session.Record {
		return &session.Record{Generation: generation, SignedInAt: at.Add(signedIn), Username: "Ann@harbor.example"}
	}
	id := ID{1}
	for name, tt := range map[string]struct {
		before, next *session.Record
		written      bool
		want         bool
	}{
		"the same":                             {record(5, 0), record(5, 0), false, true},
		"a newer generation":                   {record(5, 0), record(6, 0), false, true},
		"an older generation":                  {record(5, 0), record(4, 0), false, false},
		"an older generation that is written":  {record(5, 0), record(4, 0), true, true},
		"a later sign-in of a new row":         {record(5, 0), record(1, 1), false, true},
		"an earlier sign-in":                   {record(5, 0), record(5, -1), false, false},
		"an earlier sign-in, replaced by more": {record(5, 0), record(6, -1), false, true},
	} {
		s := NewSeen()
		s.observe(id, tt.before, false)
		if got := s.observe(id, tt.next, tt.written); got != tt.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	same := record(5, 0)
	same.Username = strings.ToUpper(same.Username)
	same.SignedInAt = same.SignedInAt.In(time.FixedZone("elsewhere", 3600))
	if signInOf(same) != signInOf(record(5, 0)) {
		t.Error("another spelling is another sign-in")
	}
	for _, other := range []session.Record{
		{SignedInAt: at.Add(1), Username: same.Username},
		{SignedInAt: at, Username: "bert@harbor.example"},
		{SignedInAt: at, Username: same.Username, AuthorityURL: "https://auth.example"},
		{SignedInAt: at, Username: same.Username, ClientID: "another"},
	} {
		if signInOf(&other) == signInOf(same) {
			t.Errorf("%+v is the same sign-in", other)
		}
	}
	s := NewSeen() // the latest of all sign-ins counts, and the highest generation
	for _, r := range []*session.Record{record(7, 5), record(1, 9)} {
		s.observe(id, r, true)
	}
	if s.observe(id, record(6, 9), false) == false || s.observe(id, record(7, 8), false) {
		t.Error("an older sign-in is taken for a newer one")
	}
}

// watchedLock is a backend that notes how long it may wait for its lock.
type watchedLock struct {
	backend
	contexts []context.Context
	limits   []time.Duration
	held     int
}

func (w *watchedLock) lock(ctx context.Context) (func(), error) {
	end, _ := ctx.Deadline()
	w.contexts, w.limits = append(w.contexts, ctx), append(w.limits, time.Until(end))
	w.held++
	return func() { w.held-- }, nil
}

func TestAChangeWaitsForAnotherProcessForTenSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewMemory(time.Now)
		w := &watchedLock{backend: m.backend}
		m.backend = w
		if err := m.Put(t.Context(), Row{ID: ID{1}, Generation: 1}, 0); err != nil {
			t.Fatal(err)
		}
		if err := m.Put(t.Context(), Row{ID: ID{1}, Generation: 1}, 0); !errors.Is(err, ErrOutdated) {
			t.Errorf("the error is %v", err)
		}
		if want := []time.Duration{10 * time.Second, 10 * time.Second}; !slices.Equal(w.limits, want) || w.held != 0 {
			t.Errorf("it waits %v, and %d locks are held", w.limits, w.held)
		}
		for _, ctx := range w.contexts {
			if ctx.Err() == nil {
				t.Error("the limit goes on after the change")
			}
		}
	})
}
