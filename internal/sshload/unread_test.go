//go:build linux

package sshload

import (
	"context"
	"flag"
	"testing"

	"golang.org/x/sync/errgroup"
)

var unreadLists = flag.Int("unread", 4, "how many visitors do not read the same long list")

// TestListsThatNobodyReadsAreHeldOnce has visitors ask for the same long list and read
// nothing of it.
func TestListsThatNobodyReadsAreHeldOnce(t *testing.T) {
	const length, each = 39e6, 12e6 // bytes: of the list, and what a connection may take
	s := startServer(t, nil, append(unlimited, "--demo", "--anyone")...)
	before := s.resident()
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	var coming errgroup.Group
	for range *unreadLists {
		coming.Go(func() error {
			client, err := connect(ctx, "", s.address)
			if err != nil {
				return err
			}
			channel, err := list(client, "gus@harbor.example", "json")
			if err != nil {
				return err
			}
			_, err = channel.Read(make([]byte, 1)) // the list is there
			return err
		})
	}
	if err := coming.Wait(); err != nil {
		t.Fatal(err)
	}
	took, visitors := s.most()-before, float64(*unreadLists)
	t.Logf("%.0f connections: %.0f MB, %.1f a connection", visitors, took/1e6, took/1e6/visitors)
	if most := 3*length + visitors*each; took > most {
		t.Errorf("%.0f connections took %.0f MB, want at most %.0f", visitors, took/1e6, most/1e6)
	}
}
