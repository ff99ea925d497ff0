// The server, asked by the protocol's own library: each request has the type that the library knows for it, and each
// answer passes the library's own check of its shape. Run: node test/protocol.mjs BNFCHECK, in this folder.
//
// A feature is a row of requests below. What the server announces and no row asks for is an error, so that a feature that
// is added is asked for here.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as lsp from "vscode-languageserver-protocol/node";

const text = `; bnfcheck:start mail, as RFC 5322 has it
mail   = 1*ALPHA "@" domain  ; bnfcheck:accepts "a@ab"
domain = ( label / other ) *( "." label )
label  = %x41-5A / "Ab"
other  = "a" / "ab"
spare = 1-3DIGIT
`;

const folder = realpathSync(mkdtempSync(join(tmpdir(), "bnfcheck-")));
const path = join(folder, "mail.abnf");
writeFileSync(path, text);
const uri = pathToFileURL(path).href;
const textDocument = { uri };
const whole = { start: { line: 0, character: 0 }, end: { line: 7, character: 0 } };

/** Returns the position of the nth place of a word in a text, from 0. */
function at(word, n = 0, of = text) {
  let offset = -1;
  for (let i = 0; i <= n; i++) {
    offset = of.indexOf(word, offset + 1);
    assert.ok(offset >= 0, word);
  }
  const before = of.slice(0, offset).split("\n");
  return { line: before.length - 1, character: before.at(-1).length };
}

/** Returns a check that a value is a list, not empty, whose members pass a check of the library. */
const listOf = (is) => (value) => Array.isArray(value) && value.length > 0 && value.every((v) => is(v));

const { is: isEdit } = lsp.TextEdit;
const place = (word, n) => ({ textDocument, position: at(word, n) });

/** The requests: the member of the capabilities that announces it, its type, its parameters, and what the answer is. */
const requests = [
  ["hoverProvider", lsp.HoverRequest.type, place("domain", 1), lsp.Hover.is],
  ["definitionProvider", lsp.DefinitionRequest.type, place("domain"), listOf(lsp.Location.is)],
  ["referencesProvider", lsp.ReferencesRequest.type, { ...place("label"), context: { includeDeclaration: true } }, listOf(lsp.Location.is)],
  ["documentHighlightProvider", lsp.DocumentHighlightRequest.type, place("label"), listOf((h) => lsp.Range.is(h.range) && [2, 3].includes(h.kind))],
  ["renameProvider", lsp.PrepareRenameRequest.type, place("label"), (r) => lsp.Range.is(r.range) && r.placeholder === "label"],
  ["renameProvider", lsp.RenameRequest.type, { ...place("label"), newName: "part" }, lsp.WorkspaceEdit.is],
  ["documentSymbolProvider", lsp.DocumentSymbolRequest.type, { textDocument }, listOf(lsp.DocumentSymbol.is)],
  ["foldingRangeProvider", lsp.FoldingRangeRequest.type, { textDocument }, (list) => Array.isArray(list) && list.every((r) => lsp.FoldingRange.is(r))],
  ["selectionRangeProvider", lsp.SelectionRangeRequest.type, { textDocument, positions: [at("other")] }, listOf(lsp.SelectionRange.is)],
  ["completionProvider", lsp.CompletionRequest.type, place("label"), (list) => typeof list.isIncomplete === "boolean" && list.items.length > 3 && list.items.every((i) => typeof i.label === "string" && isEdit(i.textEdit))],
  ["semanticTokensProvider", lsp.SemanticTokensRequest.type, { textDocument }, (t) => lsp.SemanticTokens.is(t) && t.data.length % 5 === 0 && t.data.length > 50],
  ["semanticTokensProvider", lsp.SemanticTokensRangeRequest.type, { textDocument, range: { start: at("label"), end: at("other") } }, lsp.SemanticTokens.is],
  ["documentLinkProvider", lsp.DocumentLinkRequest.type, { textDocument }, listOf(lsp.DocumentLink.is)],
  ["inlayHintProvider", lsp.InlayHintRequest.type, { textDocument, range: whole }, listOf(lsp.InlayHint.is)],
  ["codeActionProvider", lsp.CodeActionRequest.type, { textDocument, range: { start: at("-3"), end: at("-3") }, context: { diagnostics: [] } }, listOf(lsp.CodeAction.is)],
  ["codeLensProvider", lsp.CodeLensRequest.type, { textDocument }, listOf(lsp.CodeLens.is)],
];

/** What is asked when the mistake is mended. */
const mended = [
  ["documentFormattingProvider", lsp.DocumentFormattingRequest.type, { textDocument, options: { tabSize: 8, insertSpaces: true } }, listOf(isEdit)],
  ["executeCommandProvider", lsp.ExecuteCommandRequest.type, { command: "bnfcheck.examples", arguments: [uri, 1] }, (said) => said.includes('mail accepts "a@ab"')],
];

/** Capabilities that are no requests. */
const others = ["positionEncoding", "textDocumentSync"];

const server = spawn(process.argv[2], ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
const connection = lsp.createProtocolConnection(new lsp.StreamMessageReader(server.stdout), new lsp.StreamMessageWriter(server.stdin));
const published = [];
let news = () => {};
connection.onNotification(lsp.PublishDiagnosticsNotification.type, (p) => {
  assert.equal(p.uri, uri);
  assert.ok(p.diagnostics.every((d) => lsp.Diagnostic.is(d)), JSON.stringify(p));
  published.push(p);
  news();
});
const messages = [];
connection.onNotification(lsp.ShowMessageNotification.type, (p) => messages.push(p.message));
connection.onUnhandledNotification((n) => assert.fail(`the server said ${n.method}`));
connection.listen();

/** Waits until diagnostics of a version pass a check. */
async function diagnostics(version, check) {
  while (!published.some((p) => p.version === version && check(p.diagnostics))) {
    await new Promise((resolve) => (news = resolve));
  }
}

/** Asks, and checks the answers. */
async function ask(rows) {
  for (const [, type, params, check] of rows) {
    const answer = await connection.sendRequest(type, params);
    assert.ok(check(answer), `${type.method}: ${JSON.stringify(answer)}`);
  }
}

/** Asks for what is refused, and checks the number of the error. */
async function refuse(code, method, params) {
  try {
    await connection.sendRequest(method, params);
  } catch (error) {
    assert.equal(error.code, code, `${method}: ${error}`);
    return;
  }
  assert.fail(`${method} was answered`);
}

const { capabilities } = await connection.sendRequest(lsp.InitializeRequest.type, {
  processId: process.pid, rootUri: pathToFileURL(folder).href, workspaceFolders: null,
  capabilities: { workspace: { workspaceEdit: { documentChanges: true } } },
});
const asked = new Set([...requests, ...mended].map(([name]) => name));
assert.deepEqual(Object.keys(capabilities).filter((name) => !asked.has(name) && !others.includes(name)), [], "what is announced and not asked for");
assert.deepEqual([...asked].filter((name) => !(name in capabilities)), [], "what is asked for and not announced");
await connection.sendNotification(lsp.InitializedNotification.type, {});

await connection.sendNotification(lsp.DidOpenTextDocumentNotification.type, { textDocument: { uri, languageId: "abnf", version: 1, text } });
await diagnostics(1, (list) => list.some((d) => d.code === "syntax"));
await diagnostics(1, (list) => list.some((d) => d.code !== "syntax" && d.codeDescription?.href.startsWith("https://")));
await ask(requests);
const wrong = { start: at("1-3"), end: { ...at("1-3"), character: at("1-3").character + 3 } };
await connection.sendNotification(lsp.DidChangeTextDocumentNotification.type, { textDocument: { uri, version: 2 }, contentChanges: [{ range: wrong, text: "1*3" }] });
await diagnostics(2, (list) => !list.some((d) => d.code === "syntax"));
await ask(mended);
assert.equal(messages.length, 1, `messages: ${messages}`);

// Outside of what the protocol allows.
const { MethodNotFound, InvalidParams } = lsp.ErrorCodes;
await refuse(MethodNotFound, "textDocument/nothing", {});
await refuse(MethodNotFound, "$/nothing", {});
await refuse(InvalidParams, "textDocument/hover", { textDocument: 7 });
await refuse(InvalidParams, "textDocument/hover", { textDocument: { uri: uri + "x" }, position: at("mail") });
await refuse(InvalidParams, "workspace/executeCommand", { command: "bnfcheck.nothing", arguments: [uri] });
await refuse(lsp.LSPErrorCodes.RequestFailed, "textDocument/rename", { ...place("label"), newName: "no name" });
const canceled = new lsp.CancellationTokenSource();
const answer = connection.sendRequest(lsp.HoverRequest.type, place("domain", 1), canceled.token).catch((error) => error);
canceled.cancel();
const settled = await answer;
assert.ok(lsp.Hover.is(settled) || settled.code === lsp.LSPErrorCodes.RequestCancelled, `canceled: ${settled}`);

await connection.sendNotification(lsp.DidCloseTextDocumentNotification.type, { textDocument });
await diagnostics(undefined, (list) => list.length === 0);
await connection.sendRequest(lsp.ShutdownRequest.type);
const ended = new Promise((resolve) => server.on("exit", resolve));
await connection.sendNotification(lsp.ExitNotification.type);
assert.equal(await ended, 0, "the status of the server");
console.log(`${requests.length + mended.length} requests of ${asked.size} features`);
