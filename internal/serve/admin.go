package serve

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gatehouse/internal/files"
	"gatehouse/internal/human"
	"gatehouse/internal/problem"
	"gatehouse/internal/sessionstore"
	"gatehouse/internal/sshd"
)

// runAndEnd does what --new-key, --rotate-key or --forget ask for.
func (p *Program) runAndEnd(ctx context.Context, f *serveFlags) error {
	ctx, cancel := context.WithTimeout(ctx, storeLimit)
	defer cancel()
	if err := f.sessions.refuse(f.options.Access); err != nil {
		return err
	}
	o := operator{stderr: p.Stderr}
	switch s := &f.sessions; {
	case s.newKey != "":
		return o.makeKeyFile(s.newKey)
	case s.rotate:
		return o.rotateKey(ctx, s, p.Now())
	default:
		return o.forgetSessions(ctx, s, f.options.Access.UserCA)
	}
}

func (o operator) makeKeyFile(path string) error {
	err := sessionstore.CreateKeyFile(path)
	switch {
	case errors.Is(err, files.ErrExists):
		return problem.BadUsage(fmt.Sprintf("the file %q already exists and was not changed", path),
			"Use another name. A key that is lost or changed makes every kept session unreadable; --rotate-key adds a key to a file.")
	case err != nil:
		return &problem.Error{Problem: problem.Problem{Sentence: "the key file was not created: " + err.Error(), Hint: "Use a name in an existing, writable directory."}}
	}
	o.say("Created %s. Anyone who has this file and the store can use every session kept there. Copy it to all servers of the store and to nobody else, and keep it apart from the store's backups.", path)
	return nil
}

// rotateKey adds a key, and says what is sealed with which.
func (o operator) rotateKey(ctx context.Context, f *sessionFlags, now time.Time) error {
	made, from, err := sessionstore.RotateKeyFile(f.keyFile, now)
	if err != nil {
		return keyFileProblem(err)
	}
	keys, err := sessionstore.OpenKeys(f.keyFile)
	if err != nil {
		return keyFileProblem(err)
	}
	names := keys.Names()
	newest := names[len(names)-1]
	if made {
		o.say("Added key %s. The servers seal with it from %s on; copy the new %s to all of them before that.", newest, from.UTC().Format("15:04:05 MST"), f.keyFile)
	} else {
		o.say("No key added: the newest, %s, is less than a day old.", newest)
	}
	if !f.kept() {
		o.say("Add --sessions to see how much is still sealed with older keys.")
		return nil
	}
	store, err := sessionstore.Administer(ctx, f.where)
	if err != nil {
		return storeProblem(f.where, err)
	}
	defer store.Close()
	counts, err := store.SealedWith(ctx)
	if err != nil {
		return storeProblem(f.where, err)
	}
	for _, sentence := range sealedSentences(counts, names, keys.Current(), f.keyFile) {
		o.say("%s", sentence)
	}
	return nil
}

// sealedSentences say how many rows and tickets are sealed with older keys than the current.
func sealedSentences(counts map[string]int, names []string, current, file string) []string {
	older := 0
	var which []string
	position := slices.Index(names, current)
	for name, n := range counts {
		if at := slices.Index(names, name); at >= 0 && at < position {
			older += n
			which = append(which, fmt.Sprintf("%s: %s", name, human.Number(n)))
		}
	}
	slices.Sort(which)
	var all []string
	switch {
	case older > 0:
		all = append(all, fmt.Sprintf("Still sealed with keys older than %s: %s rows and tickets (%s). Each is sealed with the new key when its session is renewed, or is deleted when it expires.",
			current, human.Number(older), strings.Join(which, ", ")))
	case position > 0 && counts[""] == 0: // of those nobody here knows the key
		all = append(all, fmt.Sprintf("Nothing is sealed with a key older than %s any more: you can delete the older lines from %s.", current, file))
	default:
		all = append(all, fmt.Sprintf("Nothing is sealed with a key older than %s, the current one.", current))
	}
	if sentence := unreadable(counts, names, file); sentence != "" {
		all = append(all, sentence)
	}
	return all
}

// unreadable says how many rows and tickets are sealed with keys that a file does not hold,
// and nothing where there are none.
func unreadable(counts map[string]int, names []string, file string) string {
	unknown, newer := 0, counts[""]
	for name, n := range counts {
		if name != "" && !slices.Contains(names, name) {
			unknown += n
		}
	}
	var all []string
	if unknown > 0 {
		all = append(all, fmt.Sprintf("%s sealed with keys that %s does not have, and cannot be read here. All servers of a store need the same key file.",
			human.Count(unknown, "row or ticket is", "rows and tickets are"), file))
	}
	if newer > 0 {
		all = append(all, fmt.Sprintf("%s from a newer gatehouse, or damaged, and cannot be read here. Nothing was changed.",
			human.Count(newer, "row or ticket is", "rows and tickets are")))
	}
	return strings.Join(all, " ")
}

// forgetSessions deletes rows, and says how many. Servers notice when they look next.
func (o operator) forgetSessions(ctx context.Context, f *sessionFlags, authorities string) error {
	owners, err := f.owners(authorities)
	if err != nil {
		return err
	}
	var keys *sessionstore.Keys
	if f.forget != forgetAll {
		if keys, err = sessionstore.OpenKeys(f.keyFile); err != nil {
			return keyFileProblem(err)
		}
	}
	store, err := sessionstore.Administer(ctx, f.where)
	if err != nil {
		return storeProblem(f.where, err)
	}
	defer store.Close()
	n := 0
	if f.forget == forgetAll {
		n, err = store.DeleteAll(ctx)
	} else {
		n, err = forgetOwners(ctx, store, keys, owners)
	}
	if err != nil {
		return storeProblem(f.where, err)
	}
	switch n {
	case 0:
		o.say("No session was kept there.")
		return o.warnOfKeyFile(ctx, store, keys, f)
	case 1:
		o.say("Deleted one session. A visitor who is connected with it notices at the next renewal.")
	default:
		o.say("Deleted %s sessions. Visitors who are connected with one notice at the next renewal.", human.Number(n))
	}
	return nil
}

// warnOfKeyFile says that the store has rows of another key file: with the wrong one a row
// is not found that is there.
func (o operator) warnOfKeyFile(ctx context.Context, store sessionstore.Home, keys *sessionstore.Keys, f *sessionFlags) error {
	if keys == nil {
		return nil
	}
	counts, err := store.SealedWith(ctx)
	if err != nil {
		return storeProblem(f.where, err)
	}
	if sentence := unreadable(counts, keys.Names(), f.keyFile); sentence != "" {
		o.warn(sentence)
	}
	return nil
}

// owners are whom the flag names.
func (f *sessionFlags) owners(authorities string) ([]sessionstore.Owner, error) {
	id, certificate := strings.CutPrefix(f.forget, forgetID)
	switch {
	case f.forget == forgetAll:
		return nil, nil
	case !certificate:
		return []sessionstore.Owner{{Fingerprint: f.forget}}, nil
	}
	fingerprints, err := sshd.ReadAuthorities(authorities)
	if err != nil {
		return nil, &problem.Error{Problem: problem.Problem{Kind: problem.Usage, Sentence: err.Error()}}
	}
	var owners []sessionstore.Owner
	for _, fingerprint := range fingerprints {
		owners = append(owners, sessionstore.Owner{KeyID: id, Authority: fingerprint})
	}
	return owners, nil
}

func forgetOwners(ctx context.Context, store sessionstore.Home, keys *sessionstore.Keys, owners []sessionstore.Owner) (n int, err error) {
	for _, owner := range owners {
		switch err := store.Delete(ctx, sessionstore.Session, keys.ID(owner)); {
		case err == nil:
			n++
		case !errors.Is(err, sessionstore.ErrNoRow):
			return n, err
		}
	}
	return n, nil
}
