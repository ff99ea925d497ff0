// Answers requests about a generated module in QuickJS, compiled to WebAssembly, which npm's quickjs-emscripten
// has: the module and a file with the requests are the arguments, and NODE_PATH names the folder with that
// package. answers.mjs says what requests are. Node only starts the engine: it hands it the texts of the
// modules, and prints what comes back.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { getQuickJS } = createRequire(import.meta.url)('quickjs-emscripten');
const [path, requests] = process.argv.slice(2);
const files = { grammar: path, answers: new URL('answers.mjs', import.meta.url) };
const main = `
  import * as grammar from 'grammar';
  import { answerAll } from 'answers';
  globalThis.answers = answerAll(grammar, globalThis.requests);
`;

const runtime = (await getQuickJS()).newRuntime();
runtime.setModuleLoader((name) => readFileSync(files[name], 'utf8'));
const vm = runtime.newContext();
vm.newString(readFileSync(requests, 'utf8')).consume((text) => vm.setProp(vm.global, 'requests', text));
vm.unwrapResult(vm.evalCode(main, 'main', { type: 'module' })).dispose();
process.stdout.write(vm.getProp(vm.global, 'answers').consume((text) => vm.getString(text)));
vm.dispose();
runtime.dispose();
