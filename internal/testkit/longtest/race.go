//go:build race

package longtest

func init() { UnderRace = true }
