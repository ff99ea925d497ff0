#!/usr/bin/env node
'use strict';

// This file starts the program of the machine's platform, which npm has installed beside this package as an optional
// dependency: its arguments, its standard streams and its exit status are the program's. Nothing is downloaded.

const { spawn } = require('node:child_process');
const { constants } = require('node:os');

const platform = `${process.platform}-${process.arch}`;

function programFile() {
  const file = `@bnfcheck/${platform}/bin/bnfcheck${process.platform === 'win32' ? '.exe' : ''}`;
  try {
    return require.resolve(file);
  } catch {
    const has = Object.keys(require('../package.json').optionalDependencies);
    console.error(has.includes(`@bnfcheck/${platform}`)
      ? `bnfcheck: the package @bnfcheck/${platform} is not installed: install bnfcheck again, without --omit=optional and on this machine`
      : `bnfcheck: there is no program for ${platform}: build it with Go, by "go install github.com/bnfcheck/bnfcheck/cmd/bnfcheck@latest"`);
    process.exit(2);
  }
}

// A signal to this process is meant for the program, which ends by it or does not; an interrupt from the keyboard reaches both.
// The handlers are there before the program is, which could otherwise be left alone by a signal that comes early.
let child;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => child?.kill(signal));
}
child = spawn(programFile(), process.argv.slice(2), { stdio: 'inherit' });
child.on('error', (err) => {
  console.error(`bnfcheck: ${err.message}`);
  process.exit(2);
});
child.on('exit', (status, signal) => {
  process.exit(signal === null ? status : 128 + constants.signals[signal]);
});
