//go:build !schema

package resultstest

// Validates reports whether logs are checked against the JSON schema of SARIF; the build tag schema has them.
const Validates = false

func validate([]byte) error { return nil }
