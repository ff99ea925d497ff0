package terminal

import (
	"os"
	"syscall"
	"unsafe"
)

var consoleInfo = syscall.NewLazyDLL("kernel32.dll").NewProc("GetConsoleScreenBufferInfo")

// columnsOf returns the width of the console that f is, 0 if that is not known; ok is false if f is no console. The
// console's input is one, and has no width.
func columnsOf(f *os.File) (columns int, ok bool) {
	var mode uint32
	if syscall.GetConsoleMode(syscall.Handle(f.Fd()), &mode) != nil {
		return 0, false
	}
	var info struct { // CONSOLE_SCREEN_BUFFER_INFO
		size, cursor             struct{ x, y int16 }
		attributes               uint16
		left, top, right, bottom int16                // of the window
		largest                  struct{ x, y int16 } // that the window can be
	}
	if done, _, _ := consoleInfo.Call(f.Fd(), uintptr(unsafe.Pointer(&info))); done == 0 {
		return 0, true
	}
	return int(info.right) - int(info.left) + 1, true
}
