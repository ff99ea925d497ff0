package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// This file packs the program for npm: one package with a command, which has a package for each platform as
// an optional dependency. npm installs the one whose "os" and "cpu" are the machine's. No script runs at
// installation.

//go:embed npm/bnfcheck.js
var npmLauncher []byte

//go:embed npm/README.md
var npmReadme []byte

// npmScope begins the name of each platform's package. It is spelled out in npm/bnfcheck.js as well.
const npmScope = "@bnfcheck/"

// The words of Node for operating systems and processors (process.platform and process.arch) where they are not Go's.
var (
	nodeSystems    = map[string]string{"windows": "win32"}
	nodeProcessors = map[string]string{"amd64": "x64", "386": "ia32"}
)

// nodePlatform returns Node's words for a platform of Go: "win32" and "x64" for windows/amd64.
func nodePlatform(goos, goarch string) (system, processor string) {
	system, processor = goos, goarch
	if word, ok := nodeSystems[goos]; ok {
		system = word
	}
	if word, ok := nodeProcessors[goarch]; ok {
		processor = word
	}
	return system, processor
}

// A manifest is the package.json of a package.
type manifest struct {
	Name                 string            `json:"name"`
	Version              string            `json:"version"`
	Description          string            `json:"description"`
	License              string            `json:"license"`
	Repository           map[string]string `json:"repository"`
	Bin                  map[string]string `json:"bin,omitempty"`
	OptionalDependencies map[string]string `json:"optionalDependencies,omitempty"`
	OS                   []string          `json:"os,omitempty"`
	CPU                  []string          `json:"cpu,omitempty"`
	Engines              map[string]string `json:"engines,omitempty"`

	// PreferUnplugged makes Yarn unpack the package: no program runs from inside of an archive.
	PreferUnplugged bool `json:"preferUnplugged,omitempty"`
}

// newManifest returns a manifest with the fields that every package has: these three, the license and the repository.
// version is one of Go; the manifest has it as npmVersion returns it.
func newManifest(name, version, description string) manifest {
	return manifest{
		Name:        name,
		Version:     npmVersion(version),
		Description: description,
		License:     licenseName,
		Repository:  map[string]string{"type": "git", "url": "git+https://github.com/bnfcheck/bnfcheck.git"},
	}
}

// licenseName is the SPDX name of the license in LICENSE.
const licenseName = "MIT"

// npmVersion returns a version of Go as npm compares it: without what follows "+", which npm ignores.
func npmVersion(version string) string {
	version, _, _ = strings.Cut(version, "+")
	return version
}

// An npmPackage is a package as npm installs it: an archive, and the name of its file.
type npmPackage struct {
	file    string
	archive []byte
}

// packNPM returns the package that has these files and, last, the manifest m as package.json. Its archive is named as
// "npm pack" names it. All times in it are when.
func packNPM(m manifest, files []file, when time.Time) (npmPackage, error) {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return npmPackage{}, err
	}
	files = append(slices.Clone(files), file{"package.json", append(text, '\n'), plain})
	archive, err := packTar("package", files, when)
	name := strings.ReplaceAll(strings.TrimPrefix(m.Name, "@"), "/", "-")
	return npmPackage{fmt.Sprintf("%s-%s.tgz", name, m.Version), archive}, err
}

// packPlatform returns the package with the program for one platform of Go, "linux/amd64", and the license, which it
// reads from the working directory. program is the text of the executable file.
func packPlatform(platform, version string, program []byte, when time.Time) (npmPackage, error) {
	goos, goarch, _ := strings.Cut(platform, "/")
	system, processor := nodePlatform(goos, goarch)
	m := newManifest(npmScope+system+"-"+processor, version,
		"The program of the package bnfcheck, for "+system+" and "+processor)
	m.OS, m.CPU = []string{system}, []string{processor}
	m.PreferUnplugged = true
	license, err := os.ReadFile("LICENSE")
	if err != nil {
		return npmPackage{}, err
	}
	files := []file{
		{"bin/bnfcheck" + exeSuffix(goos), program, executable},
		{"LICENSE", license, plain},
	}
	return packNPM(m, files, when)
}

// packCommand returns the package that people install: the script that starts the program, a README of its own, and
// the license, which it reads from the working directory. It depends on the packages for these platforms, in the same
// version; npm installs the one that fits.
func packCommand(chosen []string, version string, when time.Time) (npmPackage, error) {
	m := newManifest("bnfcheck", version, "Compares grammars (ABNF, EBNF, PEG) and regular expressions exactly")
	m.Bin = map[string]string{"bnfcheck": "bin/bnfcheck.js"}
	m.Engines = map[string]string{"node": ">=16"}
	m.OptionalDependencies = map[string]string{}
	for _, platform := range chosen {
		goos, goarch, _ := strings.Cut(platform, "/")
		system, processor := nodePlatform(goos, goarch)
		m.OptionalDependencies[npmScope+system+"-"+processor] = m.Version
	}
	license, err := os.ReadFile("LICENSE")
	if err != nil {
		return npmPackage{}, err
	}
	files := []file{
		{"bin/bnfcheck.js", npmLauncher, executable}, {"README.md", npmReadme, plain}, {"LICENSE", license, plain},
	}
	return packNPM(m, files, when)
}
