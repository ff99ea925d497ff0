//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package terminal

import (
	"os"
	"syscall"
	"unsafe"
)

// columnsOf returns the width of the terminal that f is, 0 if the terminal does not know it; ok is false if f is no
// terminal. One call of the kernel answers both, since only terminals have a size. Package golang.org/x/term answers them
// too, by way of golang.org/x/sys, which is much to compile for one call. On OpenBSD the kernel takes calls from its C
// library alone; there syscall.Syscall makes this one through the library.
func columnsOf(f *os.File) (columns int, ok bool) {
	var size struct{ rows, columns, width, height uint16 } // winsize, of tty_ioctl(4)
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&size)))
	return int(size.columns), errno == 0
}
