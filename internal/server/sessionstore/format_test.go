package sessionstore

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/config"
	"gatehouse/internal/files"
	"gatehouse/internal/testkit"
	"gatehouse/internal/text/secret"
	"gatehouse/session"
)

// What is in the files of the first version in testdata.
var (
	ownerV1   = Owner{Fingerprint: "SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDQzP4xtGrsx1Fbh2M"}
	profileV1 = &config.Profile{
		AuthURL: "https://auth.example.com", DomainAuthURL: "https://domainauth.{domain}", AuthTestURL: "https://auth-test.example.com", ClientID: "terminal",
	}
	recordV1 = &session.Record{
		Profile: "main", Authority: "domain", AuthorityDomain: "harbor.example", AuthorityURL: "https://domainauth.harbor.example",
		ClientID: "terminal", BaseURL: "https://clientgateway.{domain}", Username: "ada@harbor.example",
		Access: secret.New("canary-access"), Refresh: secret.New("canary-refresh"), ID: secret.New("canary-id"),
		RequestedAt: dayV1, ExpiresAt: dayV1.Add(time.Hour), SignedInAt: dayV1.Add(-time.Hour), Generation: 7, Renewals: 3,
	}
	entryV1 = entry{
		Version: 1, Generation: 7, Claim: "CLAIM", Claimed: dayV1.Add(90 * time.Second), Doubtful: true, Doubts: 2, Finished: "FINISHED",
		RefreshEnds: dayV1.Add(session.RefreshLife - time.Hour),
	}
	dayV1        = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	sameSecretV1 = cmp.Comparer(func(a, b secret.Text) bool { return a == b })
)

const (
	rowV1    = "row-v1.session"
	ticketV1 = "ticket-v1.ticket"
	placeV1  = `{"version":1}`
	codeV1   = "K7QD-M2XA-9FHT"
	resultV1 = `{"version":1,"report":{}}`
)

// keysV1 are those of the first key file.
func keysV1(t *testing.T) *Keys {
	t.Helper()
	set, err := parseKeyFile(mustRead(t, "testdata/keys-v1"))
	if err != nil {
		t.Fatal(err)
	}
	return &Keys{set: set, now: time.Now}
}

func mustRead(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// vaultV1 is the vault of the owner in a store.
func vaultV1(t *testing.T, s Store) *Vault {
	return NewVault(VaultOptions{Store: s, Keys: keysV1(t), Kind: "directory", Owner: ownerV1, Profile: profileV1, Seen: NewSeen(), Metrics: NewMetrics("directory")})
}

// directoryWith is a store of these files at the time of the first version.
func directoryWith(t *testing.T, contents map[string][]byte) *Local {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "sessions")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, content := range contents {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d, err := OpenDirectory(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	d.SetClock(func() time.Time { return dayV1 })
	return d
}

// Rows, places and tickets of the first version have to be read for ever, and rows renewed.
func TestAStoreOfTheFirstVersionIsRead(t *testing.T) {
	keys := keysV1(t)
	id := keys.ID(ownerV1)
	d := directoryWith(t, map[string][]byte{entryName(id, rowSuffix): testkit.Fixture(t, rowV1), entryName(keys.TicketID(codeV1), ticketSuffix): testkit.Fixture(t, ticketV1)})
	e, err := d.backend.read(entryName(id, rowSuffix))
	if err != nil {
		t.Fatal(err)
	}
	want := entryV1
	want.Name, want.Sealed, want.Place = hex.EncodeToString(id[:]), e.Sealed, e.Place
	if diff := cmp.Diff(&want, e); diff != "" {
		t.Errorf("the row (-want +got):\n%s", diff)
	}
	v := vaultV1(t, d)
	r, err := v.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(recordV1, r, sameSecretV1); diff != "" {
		t.Errorf("the session (-want +got):\n%s", diff)
	}
	if place, err := v.LoadPlace(t.Context()); err != nil || string(place) != placeV1 {
		t.Errorf("the place is %s, %v", place, err)
	}
	d.SetClock(func() time.Time { return dayV1.Add(time.Hour) }) // its claim has expired
	renewal, err := v.Begin(t.Context(), r)
	if err != nil || !renewal.Doubtful() {
		t.Fatalf("renewing it: %v", err)
	}
	next := *r
	next.Generation++
	if err := renewal.Commit(t.Context(), &next); err != nil {
		t.Error(err)
	}
	if row, err := d.Get(t.Context(), Session, id); err != nil || row.Generation != 8 || row.Doubts != 3 || len(row.Place) == 0 {
		t.Errorf("renewed it is %+v, %v", row, err)
	}
	desk := &Desk{Store: d, Keys: keys, Now: func() time.Time { return dayV1 }}
	if left, err := desk.Read(t.Context(), codeV1); err != nil || string(left.Result) != resultV1 || !left.Ends.Equal(dayV1.Add(TicketLife)) {
		t.Errorf("the ticket is %s until %v, %v", left.Result, left.Ends, err)
	}
	if err := desk.Delete(t.Context(), codeV1, Owner{Fingerprint: "another"}, false); err == nil {
		t.Error("the ticket has lost its owner")
	}
	if err := desk.Delete(t.Context(), codeV1, ownerV1, false); err != nil {
		t.Errorf("its owner cannot delete the ticket: %v", err)
	}
}

// sealedAnew replaces what is sealed in a row or a ticket.
func sealedAnew(t *testing.T, file, member string, sealed []byte) []byte {
	t.Helper()
	content := map[string]json.RawMessage{}
	if err := json.Unmarshal([]byte(file), &content); err != nil {
		t.Fatal(err)
	}
	var err error
	if content[member], err = json.Marshal(sealed); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(content)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A row that cannot be opened is replaced by who signs in and wants to be kept. Not so that of
// a newer server: it is left as it is, whatever of it is newer.
func TestARowOfANewerProgramIsLeftAsItIs(t *testing.T) {
	keys := keysV1(t)
	id := keys.ID(ownerV1)
	row := string(testkit.Fixture(t, rowV1))
	newerRecord, err := keys.Seal([]byte(`{"version":2,"generation":"x"}`), vaultV1(t, nil).boundTo(7)...)
	if err != nil {
		t.Fatal(err)
	}
	for name, newer := range map[string][]byte{
		"the file":    []byte(strings.Replace(row, `"version":1`, `"version":2,"place":{"other":"type"}`, 1)),
		"the seal":    sealedAnew(t, row, "sealed", append([]byte{2}, bytes.Repeat([]byte("x"), 100)...)),
		"the session": sealedAnew(t, row, "sealed", newerRecord),
	} {
		t.Run(name, func(t *testing.T) {
			d := directoryWith(t, map[string][]byte{entryName(id, rowSuffix): newer})
			d.SetClock(func() time.Time { return dayV1.Add(time.Hour) }) // the claim of the row has ended
			v := vaultV1(t, d)
			const want = "the kept session: a newer gatehouse wrote it: it has version 2 of its format, and this one reads version 1"
			if _, err := v.Load(t.Context()); !files.IsNewer(err) || err.Error() != "read "+want {
				t.Errorf("Load: %v", err)
			}
			if err := v.Try(t.Context(), true); !files.IsNewer(err) { // before the password is sent
				t.Errorf("Try: %v", err)
			}
			next := *recordV1
			next.SignedInAt = dayV1.Add(time.Hour)
			if err := v.Put(t.Context(), &next, 0, true); !files.IsNewer(err) || err.Error() != "write "+want {
				t.Errorf("Save: %v", err)
			}
			if err := d.Sweep(t.Context()); err != nil {
				t.Error(err)
			}
			if counts, err := d.SealedWith(t.Context()); err != nil || name == "the file" && counts[""] != 1 {
				t.Errorf("sealed with %v, %v", counts, err)
			}
			if got := mustRead(t, filepath.Join(d.backend.(*directory).path, entryName(id, rowSuffix))); !bytes.Equal(got, newer) {
				t.Errorf("it has become %s", got)
			}
			if err := v.Put(t.Context(), &next, 0, false); err != nil { // in memory
				t.Errorf("without keeping: %v", err)
			}
			if got := mustRead(t, filepath.Join(d.backend.(*directory).path, entryName(id, rowSuffix))); !bytes.Equal(got, newer) {
				t.Errorf("it has become %s", got)
			}
		})
	}
}

func TestATicketOfANewerProgramIsLeftAsItIs(t *testing.T) {
	keys := keysV1(t)
	id := keys.TicketID(codeV1)
	ticket := string(testkit.Fixture(t, ticketV1))
	for name, newer := range map[string][]byte{
		"the file": []byte(strings.Replace(ticket, `"version":1`, `"version":2`, 1)),
		"the seal": sealedAnew(t, ticket, "sealed", append([]byte{2}, bytes.Repeat([]byte("x"), 100)...)),
	} {
		d := directoryWith(t, map[string][]byte{entryName(id, ticketSuffix): newer})
		desk := &Desk{Store: d, Keys: keys, Now: func() time.Time { return dayV1 }}
		if _, err := desk.Read(t.Context(), codeV1); !files.IsNewer(err) {
			t.Errorf("%s: %v", name, err)
		}
		if err := desk.Delete(t.Context(), codeV1, ownerV1, false); err == nil {
			t.Errorf("%s: it was deleted by who may not be its owner", name)
		}
		if err := d.Sweep(t.Context()); err != nil {
			t.Error(err)
		}
		if got := mustRead(t, filepath.Join(d.backend.(*directory).path, entryName(id, ticketSuffix))); !bytes.Equal(got, newer) {
			t.Errorf("%s: it has become %s", name, got)
		}
	}
}

func TestAKeyFileOfANewerProgramIsLeftAsItIs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "session.key")
	newer := bytes.Replace(mustRead(t, "testdata/keys-v1"), []byte("version 1"), []byte("version 2"), 1)
	if err := os.WriteFile(path, newer, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenKeys(path); !files.IsNewer(err) || !strings.HasPrefix(err.Error(), "the key file "+path+" cannot be used: a newer gatehouse wrote it") {
		t.Errorf("OpenKeys: %v", err)
	}
	if _, err := RotateKeyFile(path, time.Now()); !files.IsNewer(err) {
		t.Errorf("RotateKeyFile: %v", err)
	}
	if err := CreateKeyFile(path); !errors.Is(err, files.ErrExists) {
		t.Errorf("CreateKeyFile: %v", err)
	}
	if got := mustRead(t, path); !bytes.Equal(got, newer) {
		t.Error("it has changed")
	}
}
