package sessionstore

import (
	"context"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"time"
)

// maxStrangers is how many subjects without a key a [Local] counts tries of. They may have named as
// many accounts, whose tries are counted, too: both together fill two thirds of [maxCounters].
const maxStrangers = 8000

// tries returns the entry with the tries of a subject: an empty one if there is none, or if it
// cannot be read.
func (l *Local) tries(id ID) entry {
	if e, _ := l.backend.read(entryName(id, triesSuffix)); e != nil {
		return *e
	}
	return entry{Version: entryVersion, Name: hex.EncodeToString(id[:])}
}

// admitStrangers fails with [ErrFull] if there would be too many strangers with these subjects.
// Strangers who have tries already are always admitted.
func (l *Local) admitStrangers(subjects []ID) error {
	added := 0
	for _, id := range subjects {
		if e, _ := l.backend.read(entryName(id, triesSuffix)); e == nil && id.isStranger() {
			added++
		}
	}
	if added == 0 {
		return nil
	}
	counted, err := l.backend.countStrangers()
	if err == nil && counted+added > l.maxStrangers {
		err = ErrFull
	}
	return err
}

// namesStranger reports whether a name is that of an entry with the tries of a stranger.
func namesStranger(name string) bool {
	inHex := strings.Repeat("00", strangerPrefix)
	return strings.HasPrefix(name, inHex) && strings.HasSuffix(name, triesSuffix)
}

func (l *Local) Try(
	ctx context.Context, subjects []ID, maxTries int, within time.Duration,
) (wait time.Duration, err error) {
	err = l.update(ctx, func(now time.Time) error {
		before, after := make([]entry, len(subjects)), make([]entry, len(subjects))
		for i, id := range subjects {
			before[i] = l.tries(id)
			after[i] = before[i]
			recent := recentTries(after[i].Tries, within, now)
			if len(recent) >= maxTries {
				wait = max(wait, recent[len(recent)-maxTries].Add(within).Sub(now))
			}
			after[i].Tries, after[i].Ends = append(recent, now), now.Add(within)
		}
		if wait > 0 {
			return nil
		}
		if err := l.admitStrangers(subjects); err != nil {
			return err
		}
		for i, id := range subjects {
			if err := l.backend.write(entryName(id, triesSuffix), &after[i], nil); err != nil {
				return errors.Join(err, l.writeTries(subjects[:i], before[:i]))
			}
		}
		return nil
	})
	return wait, err
}

// recentTries returns the tries that were made during the last within. One after now was made while
// the clock was wrong, and would count until then: it is left out.
func recentTries(tries []time.Time, within time.Duration, now time.Time) []time.Time {
	return slices.DeleteFunc(slices.Clone(tries), func(t time.Time) bool {
		isOld := !t.After(now.Add(-within))
		return isOld || t.After(now)
	})
}

// writeTries writes the entries of subjects; the entry of a subject without tries is deleted. It
// writes all that it can, and returns the errors of the others.
func (l *Local) writeTries(subjects []ID, entries []entry) (failed error) {
	for i, id := range subjects {
		next := &entries[i]
		if len(next.Tries) == 0 {
			next = nil
		}
		failed = errors.Join(failed, l.backend.write(entryName(id, triesSuffix), next, nil))
	}
	return failed
}

func (l *Local) TakeBack(ctx context.Context, subjects []ID) error {
	return l.update(ctx, func(time.Time) error {
		left := make([]entry, len(subjects))
		for i, id := range subjects {
			left[i] = l.tries(id)
			left[i].Tries = left[i].Tries[:max(len(left[i].Tries)-1, 0)]
		}
		return l.writeTries(subjects, left)
	})
}
