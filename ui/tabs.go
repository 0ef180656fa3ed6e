package ui

import (
	"net/url"
	"sync"

	"gatehouse/internal/hostname"
	"gatehouse/ui/activity"
	"gatehouse/ui/browse"
	"gatehouse/ui/device"
	"gatehouse/ui/screen"
	"gatehouse/ui/signin"
	"gatehouse/ui/token"
)

// Tab is one of the screens inside a domain. Everything that shows tabs is derived from
// the list of them.
type Tab struct {
	// ID is the action that shows the tab, and Key its default key.
	ID, Key string
	Title   string
	open    func(r *root, domain string) screen.Screen
}

// Tabs lists the tabs from left to right.
func Tabs() []Tab {
	return []Tab{
		{ID: "root.tab1", Key: "1", Title: "Shares", open: func(r *root, domain string) screen.Screen {
			return browse.NewShares(r.env, r.service, domain)
		}},
		{ID: "root.tab2", Key: "2", Title: "Companies", open: func(r *root, domain string) screen.Screen {
			profile := r.service.Profile
			return browse.NewCompanies(r.env, r.service, browse.CompaniesOptions{
				Domain: domain, ResellerID: profile.ResellerID, HasKey: !profile.APIKey.IsEmpty(),
			})
		}},
		{ID: "root.tab3", Key: "3", Title: "Device login", open: func(r *root, _ string) screen.Screen {
			return device.New(r.env, device.Options{
				Service: r.service, Username: r.service.Session.Status().Username, Host: hostOf(r.service.Profile.GlobalURL), History: r.results,
				Complete: func(typed string) string { return signin.Complete(typed, r.options.Tips) },
			})
		}},
		{ID: "root.tab4", Key: "4", Title: "Token", open: func(r *root, _ string) screen.Screen {
			return token.New(r.env, r.service.Session, r.options.Key)
		}},
		{ID: "root.tab5", Key: "5", Title: "Activity", open: func(r *root, _ string) screen.Screen {
			return activity.New(r.env, r.options.Activity, r.options.Version)
		}},
	}
}

// hostOf is the host of a URL of the profile, for display.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return hostname.Readable(u.Host)
}

// Keys is the default key map, which all UIs of a process share.
func Keys() *screen.KeyMap { return defaultKeys() }

var defaultKeys = sync.OnceValue(func() *screen.KeyMap {
	var tabs []screen.KeyEntry
	for _, t := range Tabs() {
		tabs = append(tabs, screen.KeyEntry{ID: t.ID, Keys: []string{t.Key}, Title: t.Title, Description: "show " + t.Title, Quiet: true})
	}
	return screen.DefaultKeys(tabs...)
})
