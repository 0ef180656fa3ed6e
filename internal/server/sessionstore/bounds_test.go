package sessionstore

import (
	"encoding/binary"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/session"
)

func TestOneWhoSeesTooManyRowsForgetsOne(t *testing.T) {
	s := NewSeen()
	for n := range maxSeen {
		var id ID
		binary.BigEndian.PutUint64(id[:], uint64(n))
		s.rows[id] = seen{}
	}
	newest := ID{1: 1, 31: 1}
	if !s.observe(newest, &session.Record{Generation: 7}, false) {
		t.Error("it is taken for an older one")
	}
	if _, known := s.rows[newest]; !known || len(s.rows) != maxSeen {
		t.Errorf("%d are remembered, the newest among them: %v", len(s.rows), known)
	}
	s.observe(newest, &session.Record{Generation: 8}, false) // takes no more room
	if len(s.rows) != maxSeen {
		t.Errorf("%d are remembered", len(s.rows))
	}
}

func TestAStoreThatIsFullCountsAsAFailureOfAClaim(t *testing.T) {
	m := NewMetrics("memory")
	m.countClaim(Claim{}, ErrFull)
	var text strings.Builder
	m.WriteMetrics(&text)
	for _, want := range []string{
		`gatehouse_sessions_claims_total{result="failed"} 1`, `gatehouse_sessions_store_up{kind="memory"} 1`,
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%s is not there:\n%s", want, text.String())
		}
	}
}

func TestADoubtSaysWhichClockIsAhead(t *testing.T) {
	ahead := 31 * 24 * time.Hour
	if got := (&ClockError{Ahead: ahead}).Error(); !strings.Contains(got, "of the database") {
		t.Errorf("of a database: %s", got)
	}
	until := time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)
	if got := (&ClockError{Ahead: ahead, Until: until}).Error(); strings.Contains(got, "database") || !strings.Contains(got, "2026-03-14") {
		t.Errorf("of this machine: %s", got)
	}
}

func TestAKeyFileThatIsNotThereIsNeitherRotatedNorMade(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none", "session.key")
	if _, err := RotateKeyFile(path, time.Now()); err == nil {
		t.Error("it is rotated")
	}
	if err := CreateKeyFile(path); err == nil {
		t.Error("it is made in a directory that is not there")
	}
	if _, err := OpenKeys(path); err == nil {
		t.Error("it is opened")
	}
}

func TestAKeyFileIsRotatedAgainTheNextDay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "session.key")
	if err := CreateKeyFile(path); err != nil {
		t.Fatal(err)
	}
	for day := 1; day <= 2; day++ {
		at := time.Now().Add(time.Duration(day) * 2 * minKeyAge)
		if from, err := RotateKeyFile(path, at); from.IsZero() || err != nil {
			t.Errorf("day %d: from %v, %v", day, from, err)
		}
	}
}
