package terminal

import (
	"fmt"
	"os"
	"syscall"
	"testing"
	"unsafe"

	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// A terminal has its present width, even after a change. A file has none, nor has a device that is no terminal.
func TestTerminal(t *testing.T) {
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("there are no pseudo-terminals: " + err.Error())
	}
	defer master.Close()
	control := func(request uintptr, argument unsafe.Pointer) {
		t.Helper()
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, master.Fd(), request, uintptr(argument)); errno != 0 {
			t.Skip("a pseudo-terminal cannot be set up: " + errno.Error())
		}
	}
	var locked, number int32
	control(syscall.TIOCSPTLCK, unsafe.Pointer(&locked))
	control(syscall.TIOCGPTN, unsafe.Pointer(&number))
	f := must.Of(os.OpenFile(fmt.Sprint("/dev/pts/", number), os.O_RDWR|syscall.O_NOCTTY, 0))(t)
	defer f.Close()
	for _, columns := range []uint16{80, 132, 0} {
		size := [4]uint16{24, columns}
		control(syscall.TIOCSWINSZ, unsafe.Pointer(&size))
		if got := Width("", f); got != int(columns) || !Is(f) {
			t.Errorf("a terminal of %d columns: width %d, terminal %t", columns, got, Is(f))
		}
	}
	if got := Width("60", f); got != 60 {
		t.Errorf("COLUMNS=60 on a terminal: %d", got)
	}
	file := must.Of(os.CreateTemp(t.TempDir(), ""))(t)
	defer file.Close()
	device := must.Of(os.Open(os.DevNull))(t)
	defer device.Close()
	for _, f := range []*os.File{file, device} {
		if got := Width("", f); got != 0 || Is(f) {
			t.Errorf("%s: width %d, terminal %t", f.Name(), got, Is(f))
		}
	}
}
