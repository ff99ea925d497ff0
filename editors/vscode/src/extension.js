// The extension is a client of "bnfcheck lsp": it starts the program when a grammar is open, and leaves to the server
// what is said about one. What it adds is VS Code's own:
//
//   - A document that is mostly something else (Markdown, XML, plain text) starts the program only if there is grammar
//     in it, so that nobody who reads a README is told that bnfcheck is not installed.
//   - A command of the palette is about the document and the line that the cursor is in; a lens says these itself.
//   - What a command returns has several lines. VS Code's messages run them together, so the text goes to an output
//     channel unless it is short.
//   - In a folder that is not trusted, git is not run: its settings, which are the folder's, can name programs.

import * as vscode from "vscode";
import { LanguageClient, State, TransportKind } from "vscode-languageclient/node";

/** The languages of files that are grammars from end to end. */
const grammars = ["abnf", "ebnf", "peg", "peggy"];

/** Where documents come from that are looked at. The two sides of a difference, for one, are not. */
const schemes = ["file", "untitled", "vscode-vfs"];

/** What shows that there is grammar in a document, by the language of the document. */
const signs = {
  markdown: /^[ \t]*(?:`{3,}|~{3,})[ \t]*\{?\.?(?:abnf|ebnf|w3c-ebnf|xml-ebnf|iso-ebnf|bnf|gbnf|rbnf)\b/im,
  xml: /<(?:sourcecode|artwork)\b[^>]*\btype\s*=\s*["']abnf["']/i,
  plaintext: /^[ \t]+[A-Za-z][A-Za-z0-9-]*[ \t]*=\/?[ \t]/m,
};

/** The names of plain texts that are looked at: those of RFCs and drafts. */
const texts = "**/{rfc[0-9]*,draft-*}.txt";

/** The longest answer of a command that is shown as a message. */
const longestMessage = 200;

/** The client while the program runs or is started, and otherwise undefined. */
let client;

/** Whether the program could not be started. It is not tried again before something has changed. */
let failed = false;

/** The channels of what the server logs, and of what commands return. */
let log, results;

export async function activate(context) {
  log = vscode.window.createOutputChannel("bnfcheck", { log: true });
  results = vscode.window.createOutputChannel("bnfcheck results");
  context.subscriptions.push(
    log,
    results,
    vscode.commands.registerCommand("bnfcheck.restart", restart),
    vscode.commands.registerCommand("bnfcheck.log", () => log.show()),
    vscode.workspace.onDidOpenTextDocument((document) => isLookedAt(document) && start()),
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (["path", "arguments", "documents"].some((name) => change.affectsConfiguration(`bnfcheck.${name}`))) {
        return restart();
      }
    }),
  );
  if (vscode.workspace.textDocuments.some(isLookedAt)) {
    await start();
  }
}

export async function deactivate() {
  await stop();
}

/** Returns a setting of the extension. */
function setting(name) {
  return vscode.workspace.getConfiguration("bnfcheck").get(name);
}

/** Reports whether a document is, or has in it, a grammar that is to be looked at. */
function isLookedAt(document) {
  if (!schemes.includes(document.uri.scheme)) {
    return false;
  }
  if (grammars.includes(document.languageId)) {
    return true;
  }
  const wanted = selector().some((filter) => vscode.languages.match(filter, document) > 0);
  return wanted && signs[document.languageId].test(document.getText());
}

/** Returns which documents the server is told about. */
function selector() {
  const filters = grammars.map((language) => ({ language }));
  for (const language of setting("documents")) {
    if (language in signs) {
      filters.push(language === "plaintext" ? { language, pattern: texts } : { language });
    }
  }
  return schemes.flatMap((scheme) => filters.map((filter) => ({ scheme, ...filter })));
}

/** Starts the program, unless it runs or has failed. */
async function start() {
  if (client || failed) {
    return;
  }
  const command = setting("path");
  const run = { command, args: setting("arguments"), transport: TransportKind.stdio };
  const watched = vscode.workspace.createFileSystemWatcher("**/*.{abnf,bnf,ebnf,gbnf,rbnf,peg,peggy,pegjs,go,lock}");
  const started = new LanguageClient("bnfcheck", "bnfcheck", run, {
    documentSelector: selector(),
    outputChannel: log,
    traceOutputChannel: log,
    synchronize: { fileEvents: watched },
    initializationOptions: { images: true, results: true },
    middleware: { executeCommand: execute },
  });
  client = started;
  started.onDidChangeState(({ newState }) => {
    vscode.commands.executeCommand("setContext", "bnfcheck.running", newState === State.Running);
    if (newState === State.Stopped) {
      watched.dispose();
    }
  });
  try {
    await started.start();
  } catch (error) {
    if (client === started) {
      client = undefined;
      failed = true;
    }
    const reason = error?.message ?? String(error); // the library throws texts, too
    log.error(reason);
    tellFailure(command, reason); // not awaited: it ends when the message is answered
  }
}

/** Ends the program, if it runs. */
async function stop() {
  const stopped = client;
  client = undefined;
  if (stopped?.isRunning()) {
    await stopped.stop();
  }
}

/** Starts the program again, with what the settings say now. */
async function restart() {
  await stop();
  failed = false;
  if (vscode.workspace.textDocuments.some(isLookedAt)) {
    await start();
  }
}

/** Tells that the program could not be started, and what can be done about it. */
async function tellFailure(command, reason) {
  const [settings, install, details] = ["Open Settings", "How to Install", "Show the Log"];
  const chosen = await vscode.window.showErrorMessage(`“${command}” could not be started: ${reason}`, settings, install, details);
  switch (chosen) {
    case settings:
      return vscode.commands.executeCommand("workbench.action.openSettings", "bnfcheck.path");
    case install:
      return vscode.env.openExternal(vscode.Uri.parse("https://github.com/bnfcheck/bnfcheck#install"));
    case details:
      return log.show();
  }
}

/**
 * Carries out a command of the server, and shows what it returns. The library's own way to send it would show an error,
 * too, with the number that it has in the protocol.
 */
async function execute(command, given) {
  let args = given;
  if (args.length === 0) { // from the palette
    const editor = vscode.window.activeTextEditor;
    if (!editor) {
      vscode.window.showWarningMessage("No grammar is open.");
      return;
    }
    args = [client.code2ProtocolConverter.asUri(editor.document.uri), editor.selection.active.line];
  }
  if (command === "bnfcheck.changed" && !vscode.workspace.isTrusted) {
    vscode.window.showWarningMessage("This command runs git, and so needs a trusted folder.");
    return;
  }
  let text;
  try {
    text = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title: "bnfcheck" }, () =>
      client.sendRequest("workspace/executeCommand", { command, arguments: args }));
  } catch (error) {
    vscode.window.showWarningMessage(error.message);
    return;
  }
  if (text.length <= longestMessage && !text.includes("\n")) {
    vscode.window.showInformationMessage(text);
    return text;
  }
  results.replace(text + "\n");
  results.show(true);
  return text;
}
