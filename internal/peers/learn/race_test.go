//go:build race

package learn

func init() { underRace = true }
