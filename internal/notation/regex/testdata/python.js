// Runs a program of Python by a version of it that npm has, compiled to WebAssembly: node python.js 312 ask.py ARGUMENT ...
// The packages are python312, python313 and python314, aliases of versions of pyodide, in a folder that NODE_PATH names.
const fs = require("fs");
const path = require("path");
const [version, program, ...args] = process.argv.slice(2);
const {loadPyodide} = require("python" + version);

// write writes all of a buffer to the standard output, which may be a pipe that is full for a while.
function write(buffer) {
  for (let written = 0; written < buffer.length;) {
    try {
      written += fs.writeSync(1, buffer, written);
    } catch (e) {
      if (e.code !== "EAGAIN") {
        throw e;
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10); // ms
    }
  }
  return buffer.length;
}

async function main() {
  const python = await loadPyodide();
  const parts = [];
  for await (const part of process.stdin) {
    parts.push(part);
  }
  const input = Buffer.concat(parts);
  let at = 0;
  python.setStdin({read(buffer) {
    const n = Math.min(buffer.length, input.length - at);
    buffer.set(input.subarray(at, at + n));
    at += n;
    return n;
  }, isatty: false});
  python.setStdout({write});
  python.globals.set("args", python.toPy([program, ...args]));
  python.runPython("import sys; sys.argv = args");
  python.runPython(fs.readFileSync(path.join(__dirname, program), "utf8"));
  python.runPython("sys.stdout.flush()");
}

main().catch((e) => {
  console.error(String(e));
  process.exit(1);
});
