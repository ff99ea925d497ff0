//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package atomicfile

// Where files cannot be locked nothing is swept.
func lock(string) (unlock func(), ok bool) { return func() {}, true }

func removeUnlocked(string) {}
