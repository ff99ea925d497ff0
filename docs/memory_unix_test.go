//go:build unix

package docs

import (
	"os"
	"runtime"
	"syscall"
)

// peakMemory returns the most memory that a process, or one that it has waited for, had at a time, in bytes.
func peakMemory(p *os.ProcessState) int64 {
	usage := p.SysUsage().(*syscall.Rusage)
	if runtime.GOOS == "darwin" {
		return int64(usage.Maxrss)
	}
	return int64(usage.Maxrss) << 10
}
