//go:build race

package vectors

func init() { underRace = true }
