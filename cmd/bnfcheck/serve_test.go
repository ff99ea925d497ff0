package main

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"testing"
)

const smallPage = `<!DOCTYPE html><title>x</title><script>a()</script><script type="text/plain">data</script><p>text</p>`

// asked returns the answer to a request, and its text.
func asked(t *testing.T, s *pageServer, lines ...string) (*http.Response, string) {
	t.Helper()
	client, server := net.Pipe()
	defer client.Close()
	go s.answer(server)
	go io.WriteString(client, strings.Join(lines, "\r\n")+"\r\n\r\n")
	method, _, _ := strings.Cut(lines[0], " ")
	answer, err := http.ReadResponse(bufio.NewReader(client), &http.Request{Method: method})
	if err != nil {
		t.Fatalf("%q: %v", lines, err)
	}
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatalf("%q: %v", lines, err)
	}
	return answer, string(text)
}

func TestPageServer(t *testing.T) {
	h, err := newPageServer([]byte(smallPage), "mybox:80")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		method, host, path string
		status             int
	}{
		{"GET", "127.0.0.1:8080", "/", 200},
		{"HEAD", "127.0.0.1:8080", "/", 200},
		{"GET", "[::1]:8080", "/", 200},
		{"GET", "[::1]", "/", 200},
		{"GET", "localhost", "/", 200},
		{"GET", "LocalHost:1", "/", 200},
		{"GET", "mybox:80", "/", 200}, // that is what --addr says
		{"GET", "192.0.2.7", "/", 200},
		{"GET", "evil.example", "/", 421},
		{"GET", "127.0.0.1.evil.example:8080", "/", 421},
		{"GET", "localhost.evil.example", "/", 421},
		{"GET", "", "/", 421},
		{"POST", "evil.example", "/", 421},
		{"POST", "localhost", "/", 405},
		{"OPTIONS", "localhost", "/", 405},
		{"GET", "localhost", "/index.html", 404},
		{"GET", "localhost", "//", 404},
		{"GET", "localhost", "/../etc/passwd", 404},
		{"GET", "localhost", "/favicon.ico", 204},
		{"GET", "localhost", "/?a=b", 200},
		{"GET", "evil.example", "http://localhost/", 200}, // what the target says counts
		{"GET", "localhost", "http://evil.example/", 421},
		{"OPTIONS", "localhost", "*", 405},
	} {
		answer, body := asked(t, h, c.method+" "+c.path+" HTTP/1.1", "Host: "+c.host, "Accept: */*")
		if answer.StatusCode != c.status {
			t.Errorf("%s %s%s: %d, want %d", c.method, c.host, c.path, answer.StatusCode, c.status)
		}
		if (body == smallPage) != (c.status == 200 && c.method == "GET") {
			t.Errorf("%s %s%s: answered with %q", c.method, c.host, c.path, body)
		}
		if answer.Header.Get("X-Content-Type-Options") != "nosniff" || !strings.HasPrefix(answer.Header.Get("Content-Security-Policy"), "default-src 'none'; ") {
			t.Errorf("%s %s%s: headers %v", c.method, c.host, c.path, answer.Header)
		}
	}
}

// What is no request is answered with 400, and what never comes with nothing.
func TestPageServerRefuses(t *testing.T) {
	h, err := newPageServer([]byte(smallPage), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	for _, lines := range [][]string{
		{""}, {"GET"}, {"GET /"}, {"GET / HTTP/2", "Host: localhost"}, {"GET  / HTTP/1.1", "Host: localhost"}, {"GET / HTTP/1.1 x", "Host: localhost"},
		{"GET / HTTP/1.1"}, {"GET / HTTP/1.1", "Host: localhost", "Host: localhost"}, {"GET / HTTP/1.1", "Host localhost"},
		{"GET / HTTP/1.1", "Host: localhost", "Field: " + strings.Repeat("x", mostHeader)},
		{"GET localhost HTTP/1.1", "Host: localhost"}, {"GET %zz HTTP/1.1", "Host: localhost"}, {"\x16\x03\x01", ""},
	} {
		if answer, text := asked(t, h, lines...); answer.StatusCode != 400 || strings.Contains(text, smallPage) {
			t.Errorf("%.80q: %d", lines, answer.StatusCode)
		}
	}
	client, server := net.Pipe()
	go client.Close()
	h.answer(server)
	if len(h.waiting) > 0 {
		t.Error("it still waits for the request of a closed connection")
	}
}

// A page that a browser has already is not sent again, and another page is not taken for it.
func TestPageServerTags(t *testing.T) {
	var tags []string
	for _, text := range []string{smallPage, smallPage + " "} {
		h, err := newPageServer([]byte(text), "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		for _, tag := range append(tags, "", `"x"`, strings.Trim(h.tag, `"`)) {
			answer, body := asked(t, h, "GET / HTTP/1.1", "Host: localhost", "If-None-Match: "+tag)
			if answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Type") != "text/html; charset=utf-8" || body != text {
				t.Errorf("%q: %d, %v", tag, answer.StatusCode, answer.Header)
			}
		}
		for _, tag := range []string{h.tag, "W/" + h.tag, `"x", ` + h.tag, "*"} {
			answer, body := asked(t, h, "GET / HTTP/1.1", "Host: localhost", "If-None-Match: "+tag)
			if answer.StatusCode != http.StatusNotModified || body != "" || answer.Header.Get("ETag") != h.tag {
				t.Errorf("the same page again, %s: %d", tag, answer.StatusCode)
			}
		}
		tags = append(tags, h.tag)
	}
}

// The policy has each script's hash, so that no other can run.
func TestScriptHashes(t *testing.T) {
	const want = " 'sha256-qVpDBgj7bpq5hMAcGp3AOc79J3Y1Z4HvySTwKrWDoy4='"
	if got := scriptHashes([]byte("<script>a()</script><p onclick='b()'>script</p><script></script>")); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// offering gives a serve command at an address, with a page of its own, and where its output goes.
func offering(addr string) (serve func() error, out *io.PipeReader, stderr *bytes.Buffer) {
	out, w := io.Pipe()
	stderr = &bytes.Buffer{}
	v := &serving{reporting{streams: newStreams(strings.NewReader(""), w, stderr)}, addr}
	return func() error {
		defer w.Close()
		return v.offer(func() ([]byte, error) { return []byte(smallPage), nil })
	}, out, stderr
}

// The page is offered until there is an interrupt.
func TestServe(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped: a process cannot interrupt itself there")
	}
	serve, out, stderr := offering("127.0.0.1:0")
	ended := make(chan error, 1)
	go func() { ended <- serve() }()
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err, stderr)
	}
	address = strings.TrimSpace(address)
	if !strings.HasPrefix(address, "http://127.0.0.1:") {
		t.Errorf("at %s", address)
	}
	answer, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	if err != nil || answer.StatusCode != 200 || string(text) != smallPage {
		t.Errorf("%s, %q, %v", answer.Status, text, err)
	}

	host := strings.TrimSuffix(strings.TrimPrefix(address, "http://"), "/")
	second, _, _ := offering(host)
	if err := second(); err == nil || err.Error() != host+": address already in use" {
		t.Errorf("a second one there: %v", err)
	}

	idle, err := net.Dial("tcp", host) // somebody who never asks for anything
	if err != nil {
		t.Fatal(err)
	}
	defer idle.Close()
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	if err := self.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil || stderr.Len() > 0 {
		t.Errorf("%v, %q", err, stderr)
	}
	if _, err := http.Get(address); err == nil {
		t.Error("it still answers")
	}
}

func TestListenAddress(t *testing.T) {
	for _, c := range []struct{ value, want string }{
		{"0", "127.0.0.1:0"},
		{"8080", "127.0.0.1:8080"},
		{":8080", "127.0.0.1:8080"}, // not every address of the machine, which nobody asked for
		{"0.0.0.0:80", "0.0.0.0:80"},
		{"localhost:80", "localhost:80"},
		{"[::1]:80", "[::1]:80"},
		{"::1", ""},
		{"localhost", ""},
		{"localhost:", ""},
		{"", ""},
		{"-1", ""},
		{"65536", ""},
		{"1:2:3", ""},
	} {
		if got, err := listenAddress(c.value); got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%q: %q, %v; want %q", c.value, got, err, c.want)
		}
	}
}
