// Package version describes the build of the program that it is part of.
package version

import (
	"runtime/debug"
	"strings"
)

// String returns the release, the time of the commit that was built, if it is known, and Go's version.
func String() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown build)"
	}
	return describe(info)
}

func describe(info *debug.BuildInfo) string {
	v := release(info)
	if when := setting(info, "vcs.time"); when != "" {
		v += ", " + when
	}
	return v + " (" + info.GoVersion + ")"
}

// Release returns the version of the module, else the commit that was built, and "" if neither is known.
func Release() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	return release(info)
}

func release(info *debug.BuildInfo) string {
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	v := "devel"
	if rev := setting(info, "vcs.revision"); rev != "" {
		v += " " + rev[:min(12, len(rev))]
		if setting(info, "vcs.modified") == "true" {
			v += " modified"
		}
	}
	return v
}

// Date returns the day of the commit that was built, "2026-11-21", and "" if it is not known.
func Date() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	day, _, _ := strings.Cut(setting(info, "vcs.time"), "T")
	return day
}

func setting(info *debug.BuildInfo, key string) string {
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}
