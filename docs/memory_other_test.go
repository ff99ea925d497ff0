//go:build !unix

package docs

import "os"

// peakMemory returns 0: the system does not tell.
func peakMemory(*os.ProcessState) int64 { return 0 }
