# Builds the program of the folder rust, offline, with the sources that Debian's librust-regex-dev has in /usr/share/cargo/registry, and
# asks it. Without an argument it reads {words, expressions} as JSON, as ask.py does; with "sweep" the lines of sweep.py.
# BNFCHECK_RUST may name a folder in which what was built is kept.
import json, os, shutil, subprocess, sys, tempfile
here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "rust")
kept = os.environ.get("BNFCHECK_RUST")
folder = kept or tempfile.mkdtemp()
try:
    program = os.path.join(folder, "target", "release", "ask")
    if not os.path.exists(program):
        shutil.copytree(here, folder, dirs_exist_ok=True)
        os.makedirs(os.path.join(folder, ".cargo"), exist_ok=True)
        with open(os.path.join(folder, ".cargo", "config.toml"), "w") as f:
            f.write('[source.crates-io]\nreplace-with = "debian"\n[source.debian]\ndirectory = "/usr/share/cargo/registry"\n')
        subprocess.run(["cargo", "build", "--quiet", "--offline", "--release"], cwd=folder, check=True, stdout=sys.stderr)
    if sys.argv[1:] == ["sweep"]:
        sys.exit(subprocess.run([program]).returncode)
    asked = json.load(sys.stdin)
    lines = ["W " + " ".join(asked["words"])] + ["M " + e.encode().hex() for e in asked["expressions"]]
    sys.exit(subprocess.run([program], input="\n".join(lines) + "\n", text=True).returncode)
finally:
    if not kept:
        shutil.rmtree(folder)
