//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package terminal

import (
	"os"
	"syscall"
	"unsafe"
)

// columnsOf returns the width of the terminal that f is, 0 where the terminal does not know it; ok is false if f is no
// terminal. One call of the kernel answers both: only terminals have a size. Package golang.org/x/term makes the same
// call, by way of a package that takes longer to compile than the rest of this program's command line.
func columnsOf(f *os.File) (columns int, ok bool) {
	var size struct{ rows, columns, width, height uint16 } // winsize, of tty_ioctl(4)
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&size)))
	return int(size.columns), errno == 0
}
