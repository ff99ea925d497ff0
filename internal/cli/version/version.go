// Package version describes the build of the program that it is part of.
package version

import (
	"cmp"
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

// release returns the version of the module, else the commit that was built.
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

func setting(info *debug.BuildInfo, key string) string {
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}

// stamped is the version of a build without one, which tests give to the linker.
var stamped string

// Module returns the version of the module that the program was built from: "v1.2.3", or that of a commit. It is "" for a
// build from a working tree, whose files may be any.
func Module() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return stamped
	}
	return moduleVersion(info)
}

func moduleVersion(info *debug.BuildInfo) string {
	v := info.Main.Version
	if v == "(devel)" || v == "" || strings.Contains(v, "+dirty") {
		return stamped
	}
	return cmp.Or(stamped, v)
}
