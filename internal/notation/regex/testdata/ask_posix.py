# Asks regcomp and regexec of the C library, or with the argument "grep" grep -E: reads {words, expressions} as JSON, words in
# hexadecimal, and prints for each expression a line: "error", or 0 and 1, and ? for a word that cannot be asked about.
# With the argument "version" it prints the versions of both and reads nothing.
import ctypes, json, subprocess, sys
c = ctypes.CDLL(None)
if sys.argv[1:] == ["version"]:
    c.gnu_get_libc_version.restype = ctypes.c_char_p
    grep = subprocess.run(["grep", "--version"], capture_output=True, text=True).stdout.splitlines()[0]
    print("glibc", c.gnu_get_libc_version().decode(), grep)
    sys.exit()
asked = json.load(sys.stdin)
words = [bytes.fromhex(w) for w in asked["words"]]
c.setlocale(6, b"C")
lines = [w for w in words if b"\n" not in w]
for text in asked["expressions"]:
    text = text.encode("utf-8", "surrogatepass")
    if len(sys.argv) > 1:
        lines_in = b"".join(w + b"\n" for w in lines)
        try:
            p = subprocess.run(["grep", "-anE", "-e", text], input=lines_in, capture_output=True, env={"LC_ALL": "C"}, timeout=10)
        except subprocess.TimeoutExpired:  # (a{1000}){1000}
            print("?" * len(words))
            continue
        found = {lines[int(l.split(b":")[0]) - 1] for l in p.stdout.split(b"\n")[:-1]}
        print("error" if p.returncode > 1 else "".join("?" if b"\n" in w else "01"[w in found] for w in words))
        continue
    compiled = ctypes.create_string_buffer(1024)  # a regex_t
    if c.regcomp(compiled, text, 1 | 8):  # REG_EXTENDED, REG_NOSUB
        print("error")
        continue
    print("".join("01"[c.regexec(compiled, w, 0, None, 0) == 0] for w in words))
    c.regfree(compiled)
