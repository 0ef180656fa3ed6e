// Package setup sets up one profile of a profile file: it proposes the usual addresses, tries
// each of them without a credential, says what would change, and writes the file. The person
// is asked by its callers, a screen of the UI and a conversation in lines.
package setup

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"strings"
	"sync"

	"gatehouse/internal/config"
	"gatehouse/internal/secret"
	"gatehouse/session"
)

// Options are what a [Draft] needs.
type Options struct {
	// File is the path of the profile file, which need not exist.
	File string
	// Profile is the name of the profile; "" is the default one of the file.
	Profile string
	// Service makes the service of a profile, to try its addresses. Nobody signs in to it.
	Service func(*config.Profile) *session.Service
	// Keep stores the client secret of the named profile. Its errors explain themselves.
	Keep func(ctx context.Context, profile string, value secret.Text) error
}

// Draft is a profile that is being set up. Try, PrimaryDomain, Keep and Write ask others and
// may take long: they may run on another goroutine than the rest.
type Draft struct {
	options  Options
	document []byte // of the file; nil if there is none

	mu       sync.Mutex // of name and before, which those read
	name     string
	before   map[string]string // values in the file, by key
	values   map[string]string // as they will be
	proposed string            // the address of the last proposal
}

// Open reads the profile file, if there is one. The error is for people.
func Open(o Options) (*Draft, error) {
	document, err := os.ReadFile(o.File)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fileProblem("read", o.File, err)
	}
	d := &Draft{options: o, document: document}
	if err := d.choose(o.Profile); err != nil {
		return nil, fileProblem("changed", o.File, err)
	}
	return d, nil
}

// choose begins with the values that a profile has in the file.
func (d *Draft) choose(name string) error {
	name, before, err := config.FileProfile(d.document, name)
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.name, d.before = name, before
	d.values, d.proposed = maps.Clone(before), ""
	return nil
}

// File is the path of the profile file.
func (d *Draft) File() string { return d.options.File }

// HasFile reports whether there is a profile file.
func (d *Draft) HasFile() bool { return d.document != nil }

// Name is the name of the profile, "" while it has none.
func (d *Draft) Name() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.name
}

// IsNew reports whether the file does not have the profile.
func (d *Draft) IsNew() bool { return len(d.before) == 0 }

// SetName names the profile. If the file has one of that name, the draft begins with what
// stands there.
func (d *Draft) SetName(name string) error {
	name, err := config.CheckProfileName(name)
	if err != nil || name == d.name {
		return err
	}
	if d.IsNew() {
		if _, values, err := config.FileProfile(d.document, name); err == nil && len(values) == 0 {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.name = name // what was set is for this one
			return nil
		}
	}
	return d.choose(name)
}

// Value is the value that a key will have, or "".
func (d *Draft) Value(key string) string { return d.values[key] }

// Set sets a value that the profile needs. The error says what would be accepted.
func (d *Draft) Set(key, text string) error {
	value, err := Check(key, text)
	if err == nil {
		d.values[key] = value
	}
	return err
}

// ErrMissing means that there is no value for a key that needs one.
var ErrMissing = errors.New("it is needed")

// Check checks a value that the profile needs, and returns it as the profile will have it.
func Check(key, text string) (string, error) {
	if text = strings.TrimSpace(text); text == "" {
		return "", ErrMissing
	}
	return config.CheckValue(key, text)
}

// Propose sets the usual addresses of an installation, as [CheckAddress] returns it. The
// same again keeps what was changed since, and "" proposes nothing.
func (d *Draft) Propose(address string) {
	if address == "" || address == d.proposed {
		return
	}
	d.proposed = address
	authority := d.values["authority"]
	maps.Copy(d.values, config.Proposal(address))
	if authority != "" {
		d.SetAuthority(authority)
	}
}

// CheckAddress checks the address of an installation, such as "example.com", also where it
// was copied with what stands around it. "" is accepted.
func CheckAddress(text string) (string, error) {
	text = strings.TrimSpace(text)
	if u, err := url.Parse(text); err == nil && u.Host != "" {
		text = u.Host
	}
	if text == "" {
		return "", nil
	}
	return config.CheckDomain(strings.TrimSuffix(text, "/"))
}

// Authority is the authority to sign in at.
func (d *Draft) Authority() string {
	if chosen := d.values["authority"]; chosen != "" {
		return chosen
	}
	return config.AuthorityMain
}

// SetAuthority chooses the authority to sign in at. The addresses of the others that were
// only proposed are dropped: nobody has tried them.
func (d *Draft) SetAuthority(authority string) {
	d.values["authority"] = authority
	for name, part := range authorities {
		if name != authority && d.before[part.Key] == "" {
			delete(d.values, part.Key)
		}
	}
	key := authorities[authority].Key
	if d.values[key] != "" {
		return
	}
	if usual := config.Proposal(d.proposed)[key]; d.proposed != "" || NeedsDomain(usual) {
		d.values[key] = usual
	}
}
