// Package pageserver serves one page over HTTP. It is not built on net/http, whose server brings TLS and HTTP/2 with it: five
// megabytes of the program, and a third of the time that its first build takes.
package pageserver

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"net/textproto"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A Server answers requests with one page, and with nothing else. It implements the part of HTTP/1.1 (RFC 9112) that this
// takes: it reads no bodies, and closes each connection after its answer.
type Server struct {
	text   []byte
	tag    string // of the page, for If-None-Match
	policy string // of its scripts
	host   string // of addr

	mu      sync.Mutex
	ended   bool
	waiting map[net.Conn]bool // connections without a request so far
	work    sync.WaitGroup
}

// The limits of a request.
const (
	mostHeader     = 16 << 10
	timeToAsk      = 10 * time.Second
	timeToAnswer   = time.Minute
	timeToFinish   = 2 * time.Second
	mostUnread     = 1 << 20 // of a body, before the connection is closed
	timeForTheRest = 500 * time.Millisecond
)

// New returns a server of a page at addr, a host and a port.
func New(text []byte, addr string) (*Server, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	return &Server{
		text: text,
		tag:  `"` + base64.RawURLEncoding.EncodeToString(sum[:]) + `"`,
		policy: "default-src 'none'; script-src 'wasm-unsafe-eval'" + scriptHashes(text) +
			"; style-src 'unsafe-inline'; worker-src blob:; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
		host:    host,
		waiting: map[net.Conn]bool{},
	}, nil
}

// scriptHashes returns the sources of a policy by which the page's own scripts run, and no others.
func scriptHashes(text []byte) string {
	var hashes strings.Builder
	for {
		_, rest, found := bytes.Cut(text, []byte("<script"))
		if !found {
			return hashes.String()
		}
		_, rest, _ = bytes.Cut(rest, []byte(">"))
		script, after, _ := bytes.Cut(rest, []byte("</script"))
		if len(script) > 0 {
			sum := sha256.Sum256(script)
			hashes.WriteString(" 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'")
		}
		text = after
	}
}

// Serve answers requests until ctx ends, and then finishes those that it has begun.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	stop := context.AfterFunc(ctx, func() { listener.Close() })
	defer stop()
	for delay := time.Millisecond; ; {
		c, err := listener.Accept()
		switch {
		case err == nil:
			delay = time.Millisecond
			s.work.Go(func() { s.answer(c) })
		case ctx.Err() != nil:
			s.finish()
			return nil
		case delay > time.Second || errors.Is(err, net.ErrClosed):
			return err
		default: // too many files are open, for example
			time.Sleep(delay)
			delay *= 2
		}
	}
}

// finish closes the connections without a request, and waits for the answers on the others.
func (s *Server) finish() {
	s.mu.Lock()
	s.ended = true
	for c := range s.waiting {
		c.Close()
	}
	s.mu.Unlock()
	done := make(chan struct{})
	go func() {
		s.work.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(timeToFinish): // a client reads too slowly
	}
}

// wait records whether a connection is without a request. It reports whether the server goes on.
func (s *Server) wait(c net.Conn, waiting bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if waiting {
		s.waiting[c] = true
	} else {
		delete(s.waiting, c)
	}
	return !s.ended
}

// answer reads a request and answers it. Errors of clients are reported to them only.
func (s *Server) answer(c net.Conn) {
	defer c.Close()
	defer s.wait(c, false)
	if !s.wait(c, true) {
		return
	}
	c.SetDeadline(time.Now().Add(timeToAsk))
	in := bufio.NewReader(io.LimitReader(c, mostHeader))
	r, err := readRequest(in)
	if !s.wait(c, false) || errors.Is(err, io.EOF) {
		return
	}
	var a reply
	if err != nil {
		a = reply{status: "400 Bad Request", text: "this is no request: " + err.Error() + "\n"}
	} else {
		a = s.decide(r)
	}
	c.SetDeadline(time.Now().Add(timeToAnswer))
	if _, err := io.WriteString(c, s.header(a)); err != nil {
		return
	}
	if r.method != "HEAD" {
		if _, err := io.WriteString(c, a.text); err != nil {
			return
		}
	}
	// Closing a connection with unread input can destroy the answer before the client reads it.
	if half, ok := c.(interface{ CloseWrite() error }); ok && half.CloseWrite() == nil {
		c.SetDeadline(time.Now().Add(timeForTheRest))
		io.CopyN(io.Discard, c, mostUnread)
	}
}

// A request is the part of a request that the server reads.
type request struct {
	method, host, path string
	header             textproto.MIMEHeader
}

// readRequest reads a request up to its body. The error is io.EOF if there is none.
func readRequest(in *bufio.Reader) (r request, err error) {
	lines := textproto.NewReader(in)
	line, err := lines.ReadLine()
	if err != nil {
		return r, err
	}
	var target, version string
	if n, _ := fmt.Sscanf(line, "%s %s %s", &r.method, &target, &version); n != 3 || line != r.method+" "+target+" "+version || !strings.HasPrefix(version, "HTTP/1.") {
		return r, errors.New("it has no request line of HTTP/1.1")
	}
	if r.header, err = lines.ReadMIMEHeader(); err != nil {
		return r, errors.New("its header is malformed, or too large")
	}
	hosts := r.header["Host"]
	if len(hosts) > 1 || len(hosts) == 0 && version != "HTTP/1.0" {
		return r, errors.New("it has not one host")
	}
	r.host = strings.Join(hosts, "")
	r.path, _, _ = strings.Cut(target, "?")
	if !strings.HasPrefix(target, "/") && target != "*" {
		u, err := url.ParseRequestURI(target)
		if err != nil || u.Host == "" {
			return r, errors.New("its target is malformed")
		}
		r.host, r.path = u.Host, u.EscapedPath()
	}
	return r, nil
}

// A reply is a status, its own header fields, and a text.
type reply struct {
	status string
	fields []string
	text   string
}

func (s *Server) decide(r request) reply {
	switch {
	case !s.knows(r.host):
		return reply{status: "421 Misdirected Request", text: "this is not " + strconv.QuoteToASCII(r.host) + "\n"}
	case r.method != "GET" && r.method != "HEAD":
		return reply{"405 Method Not Allowed", []string{"Allow: GET, HEAD"}, "only GET and HEAD\n"}
	case r.path == "/favicon.ico": // browsers ask for it, and log an error if it is not found
		return reply{status: "204 No Content"}
	case r.path != "/":
		return reply{status: "404 Not Found", text: "404 page not found\n"}
	}
	a := reply{"200 OK", []string{"Cache-Control: no-cache", "ETag: " + s.tag}, string(s.text)} // browsers ask each time whether it has changed
	for _, field := range r.header["If-None-Match"] {
		for known := range strings.SplitSeq(field, ",") {
			if known = strings.TrimSpace(known); known == "*" || strings.TrimPrefix(known, "W/") == s.tag {
				a.status, a.text = "304 Not Modified", ""
			}
		}
	}
	return a
}

// header returns what is sent before the text.
func (s *Server) header(a reply) string {
	fields := append([]string{
		"HTTP/1.1 " + a.status,
		"Date: " + time.Now().UTC().Format("Mon, 02 Jan 2006 15:04:05 GMT"),
		"Connection: close",
		"X-Content-Type-Options: nosniff",
		"Content-Security-Policy: " + s.policy,
		"Referrer-Policy: no-referrer",
		"Cross-Origin-Resource-Policy: same-origin",
	}, a.fields...)
	switch kind := "plain"; a.status[:3] {
	case "204", "304": // they have no text
	default:
		if a.status[0] == '2' {
			kind = "html"
		}
		fields = append(fields, "Content-Type: text/"+kind+"; charset=utf-8", "Content-Length: "+strconv.Itoa(len(a.text)))
	}
	return strings.Join(fields, "\r\n") + "\r\n\r\n"
}

// knows reports whether a request is for an address of this machine. Any other name could be one that an attacker makes
// resolve to this machine (DNS rebinding), so that a page of theirs can read what the server answers.
func (s *Server) knows(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	return strings.EqualFold(host, "localhost") || strings.EqualFold(host, s.host)
}
