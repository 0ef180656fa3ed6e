package cli

import "runtime/debug"

// version is set by the linker for a release:
//
//	go build -ldflags "-X gatehouse/internal/cli.version=v1.2.3"
var version string

// Version returns the version of the program: the release it was built as, else
// the module's version, else the commit, else "devel".
func Version() string {
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	return commit(info.Settings)
}

func commit(settings []debug.BuildSetting) string {
	var revision, dirty string
	for _, setting := range settings {
		switch {
		case setting.Key == "vcs.revision":
			revision = setting.Value[:min(12, len(setting.Value))]
		case setting.Key == "vcs.modified" && setting.Value == "true":
			dirty = "-dirty"
		}
	}
	if revision == "" {
		return "devel"
	}
	return revision + dirty
}
