package sessionstore

import (
	"context"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"time"
)

// maxStrangers is how many subjects without a key a [Local] counts tries of. Beside them there may
// be as many accounts that they have named: together they fill two thirds of maxCounters.
const maxStrangers = 8000

// tries are the tries of a subject. What cannot be read counts for nothing.
func (l *Local) tries(id ID) entry {
	if e, _ := l.home.read(entryName(id, triesSuffix)); e != nil {
		return *e
	}
	return entry{Version: entryVersion, Name: hex.EncodeToString(id[:])}
}

// admit is [ErrFull] where there would be too many strangers with these. Those who are counted
// already are counted on.
func (l *Local) admit(subjects []ID) error {
	added := 0
	for _, id := range subjects {
		if e, _ := l.home.read(entryName(id, triesSuffix)); e == nil && id.isStranger() {
			added++
		}
	}
	if added == 0 {
		return nil
	}
	counted, err := l.home.strangers()
	if err == nil && counted+added > l.maxStrangers {
		err = ErrFull
	}
	return err
}

// namesStranger reports whether a name is that of the tries of a stranger.
func namesStranger(name string) bool {
	inHex := strings.Repeat("00", strangerPrefix)
	return strings.HasPrefix(name, inHex) && strings.HasSuffix(name, triesSuffix)
}

func (l *Local) Try(ctx context.Context, subjects []ID, maxTries int, within time.Duration) (wait time.Duration, err error) {
	err = l.change(ctx, func(now time.Time) error {
		before, after := make([]entry, len(subjects)), make([]entry, len(subjects))
		for i, id := range subjects {
			e := l.tries(id)
			before[i] = e
			// Those after now were written while the clock was wrong, and would count until it is as late.
			made := slices.DeleteFunc(slices.Clone(e.Tries), func(t time.Time) bool {
				return !t.After(now.Add(-within)) || t.After(now)
			})
			if len(made) >= maxTries {
				wait = max(wait, made[len(made)-maxTries].Add(within).Sub(now))
			}
			e.Tries, e.Ends = append(made, now), now.Add(within)
			after[i] = e
		}
		if wait > 0 {
			return nil
		}
		if err := l.admit(subjects); err != nil {
			return err
		}
		for i, id := range subjects {
			if err := l.home.write(entryName(id, triesSuffix), &after[i], nil); err != nil {
				return errors.Join(err, l.putTries(subjects[:i], before[:i]))
			}
		}
		return nil
	})
	return wait, err
}

// putTries writes the tries of subjects, and goes on where that fails. One without any has no
// entry.
func (l *Local) putTries(subjects []ID, entries []entry) (failed error) {
	for i, id := range subjects {
		next := &entries[i]
		if len(next.Tries) == 0 {
			next = nil
		}
		failed = errors.Join(failed, l.home.write(entryName(id, triesSuffix), next, nil))
	}
	return failed
}

func (l *Local) TakeBack(ctx context.Context, subjects []ID) error {
	return l.change(ctx, func(time.Time) error {
		left := make([]entry, len(subjects))
		for i, id := range subjects {
			left[i] = l.tries(id)
			left[i].Tries = left[i].Tries[:max(len(left[i].Tries)-1, 0)]
		}
		return l.putTries(subjects, left)
	})
}
