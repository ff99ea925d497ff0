package command

import "syscall"

// mountSmall mounts a file system of 64 KiB on a folder, where this process may.
func mountSmall(folder string) error { return syscall.Mount("none", folder, "tmpfs", 0, "size=64k") }

func unmount(folder string) error { return syscall.Unmount(folder, 0) }
