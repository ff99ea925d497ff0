package main

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck/internal/htmlreport"
	"github.com/bnfcheck/bnfcheck/internal/pageserver"
)

func newServe(s *streams) *cobra.Command {
	v := &serving{reporting: reporting{streams: s}}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the page of report at an address of this machine",
		Long: `serve serves the page that report writes, with its live checker, to browsers on this
machine, and prints its address. An interrupt (Ctrl-C) ends it.

--addr takes a port, or HOST:PORT. Without a host it is 127.0.0.1, which only programs
on this machine can reach; port 0, the default, is any that is free. The page contains
nothing that is not public, and whoever can reach the address can only read it.`,
		Example: `  bnfcheck serve
  bnfcheck serve --addr 8080`,
		Args:              takesAtMost(),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(*cobra.Command, []string) error { return v.run() },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&v.addr, "addr", "127.0.0.1:0", "listen at `[HOST:]PORT`")
	flags.StringVar(&v.conform, "conform", "", "add the results of conform in `FILE`, - for standard input")
	return cmd
}

// serving carries out one serve command.
type serving struct {
	reporting
	addr string
}

func (v *serving) run() error {
	results, err := v.results()
	if err != nil {
		return err
	}
	return v.offer(func() ([]byte, error) {
		content, err := htmlreport.Collect(results, v.doing.rules)
		if err != nil {
			return nil, err
		}
		var b bytes.Buffer
		err = htmlreport.WriteHTML(&b, content)
		return b.Bytes(), err
	})
}

// offer listens, makes the page, prints its address, and answers until there is an interrupt.
func (v *serving) offer(makePage func() ([]byte, error)) error {
	addr, err := listenAddress(v.addr)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", addr) // before the page, which takes seconds, so that a port in use is reported at once
	if err != nil {
		return &ioError{addr, listenCause(err)}
	}
	defer listener.Close()
	text, err := makePage()
	if err != nil {
		return err
	}
	server, err := pageserver.New(text, addr)
	if err != nil {
		return err
	}
	ctx, stop := untilStopped()
	defer stop()
	if at, ok := listener.Addr().(*net.TCPAddr); ok && !at.IP.IsLoopback() {
		v.complain("bnfcheck: others on the network can reach this address")
	}
	if _, err := fmt.Fprintf(v.out, "http://%s/\n", listener.Addr()); err != nil {
		return err
	}
	if err := server.Serve(ctx, listener); err != nil {
		return &ioError{listener.Addr().String(), err}
	}
	return nil
}

// listenAddress reads the flag --addr: a port, or a host and a port.
func listenAddress(value string) (string, error) {
	host, port, err := net.SplitHostPort(value)
	if err != nil {
		host, port = "", value
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || strconv.FormatUint(n, 10) != port {
		return "", fmt.Errorf("invalid argument %q for \"--addr\" flag: PORT or HOST:PORT, with a port from 0 to 65535", value)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port), nil
}

// listenCause is what went wrong, without the address, which stands before it.
func listenCause(err error) error {
	if call, ok := errors.AsType[*os.SyscallError](err); ok {
		return call.Err
	}
	if lookup, ok := errors.AsType[*net.DNSError](err); ok {
		return errors.New(lookup.Err)
	}
	return err
}
