package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	stdlog "log"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/net/html"

	"github.com/bnfcheck/bnfcheck/internal/htmlreport"
)

func newServe(s *streams) *cobra.Command {
	v := &serving{reporting: reporting{streams: s}}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Offer the page of report at an address of this machine",
		Long: `serve offers the page that report writes, with its live checker, to browsers on this
machine, and prints its address. It ends with an interrupt (Ctrl-C).

--addr takes a port, or HOST:PORT. Without a host it is 127.0.0.1, which only programs
on this machine can reach; port 0, the default, is any that is free. The page holds
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
		content, err := htmlreport.Collect(results)
		if err != nil {
			return nil, err
		}
		var b bytes.Buffer
		err = htmlreport.WriteHTML(&b, content)
		return b.Bytes(), err
	})
}

// offer listens, makes the page, says where it is, and answers until there is an interrupt.
func (v *serving) offer(makePage func() ([]byte, error)) error {
	addr, err := listenAddress(v.addr)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", addr) // before the page, which takes seconds, so that a port in use is said at once
	if err != nil {
		return &ioError{addr, listenCause(err)}
	}
	defer listener.Close()
	text, err := makePage()
	if err != nil {
		return err
	}
	handler, err := newPageHandler(text, addr)
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
	return serve(ctx, listener, handler)
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

// serve answers requests until ctx ends, and then finishes those that it has begun.
func serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      time.Minute,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          stdlog.New(io.Discard, "", 0), // what clients do wrong is nobody's business here
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return &ioError{listener.Addr().String(), err}
	case <-ctx.Done():
	}
	rest, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if server.Shutdown(rest) != nil {
		server.Close() // somebody reads too slowly to wait for
	}
	return nil
}

// A pageHandler answers with one page, and nothing else.
type pageHandler struct {
	text   []byte
	tag    string // changes with the page
	policy string
	host   string // that was asked for
}

func newPageHandler(text []byte, addr string) (*pageHandler, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	policy := "default-src 'none'; script-src 'wasm-unsafe-eval'" + scriptHashes(text) +
		"; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	return &pageHandler{text, `"` + base64.RawURLEncoding.EncodeToString(sum[:]) + `"`, policy, host}, nil
}

// scriptHashes gives what a policy has to say so that the page's own scripts run, and no others.
func scriptHashes(text []byte) string {
	var hashes strings.Builder
	for z := html.NewTokenizer(bytes.NewReader(text)); ; {
		switch z.Next() {
		case html.ErrorToken:
			return hashes.String()
		case html.StartTagToken:
			if name, _ := z.TagName(); string(name) == "script" && z.Next() == html.TextToken {
				sum := sha256.Sum256(z.Raw())
				hashes.WriteString(" 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'")
			}
		}
	}
}

func (h *pageHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Security-Policy", h.policy)
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	switch {
	case !h.knows(r.Host):
		http.Error(w, "this is not "+strconv.QuoteToASCII(r.Host), http.StatusMisdirectedRequest)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		header.Set("Allow", "GET, HEAD")
		http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
	case r.URL.Path == "/favicon.ico": // browsers ask for it, and complain where it is not found
		w.WriteHeader(http.StatusNoContent)
	case r.URL.Path != "/":
		http.NotFound(w, r)
	default:
		header.Set("Content-Type", "text/html; charset=utf-8")
		header.Set("Cache-Control", "no-cache") // ask each time whether it is still the same
		header.Set("ETag", h.tag)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(h.text))
	}
}

// knows says whether a request is for an address of this machine. Any other name could be one that somebody else has made
// to lead here (DNS rebinding), to read what his own page may not.
func (h *pageHandler) knows(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	return strings.EqualFold(host, "localhost") || strings.EqualFold(host, h.host)
}
