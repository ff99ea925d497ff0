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

// describe returns the build in words: "v1.2.3, 2026-11-21T20:43:58Z (go1.26.8)".
func describe(info *debug.BuildInfo) string {
	v := release(info)
	if when := setting(info, "vcs.time"); when != "" {
		v += ", " + when
	}
	return v + " (" + info.GoVersion + ")"
}

// release returns the version of the module, else "devel" with the commit that was built, in 12 digits, and whether
// files were changed.
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

// setting returns a setting of the build, "" if there is none.
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

// Module returns the version of the module that the program was built from: "v1.2.3", or that of a commit. It is ""
// for a build from a working tree, whose files may be any; a test can give such a build a version.
func Module() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return stamped
	}
	return moduleVersion(info)
}

// moduleVersion is Module for the information about a build.
func moduleVersion(info *debug.BuildInfo) string {
	v := info.Main.Version
	if v == "(devel)" || v == "" || strings.Contains(v, "+dirty") {
		return stamped
	}
	return cmp.Or(stamped, v)
}
