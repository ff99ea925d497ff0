// The playground. It asks the compiled engine in two workers: one for what must be there while somebody types, and one for what takes
// longer, which is given up where the text changes. All that comes from a text is put into the page as text; the diagrams alone are
// markup, which the engine writes.
(() => {
	"use strict";

	const { Compartment, EditorState, StateEffect, StateField, Transaction, Decoration, drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter,
		highlightSpecialChars, keymap, lineNumbers, placeholder, defaultKeymap, history: undoable, historyKeymap, bracketMatching, HighlightStyle,
		StreamLanguage, syntaxHighlighting, lintGutter, lintKeymap, setDiagnostics, highlightSelectionMatches, search, searchKeymap, tags } = CodeMirror;
	const byID = id => document.getElementById(id);

	const button = (text, onclick, attributes) => el("button", { type: "button", onclick, ...attributes }, text);
	const raised = n => String(n).replace(/\d/g, d => "⁰¹²³⁴⁵⁶⁷⁸⁹"[d]);
	const grouped = digits => digits.length > 12 ? `${digits[0]}.${digits.slice(1, 3)} × 10${raised(digits.length - 1)}` : BigInt(digits).toLocaleString("en");
	const tell = (what, detail) => document.dispatchEvent(new CustomEvent("bnfcheck:" + what, { detail }));

	// ---- the engine

	const { Lane, stopped, missing, el } = Bnfcheck;
	const status = byID("status");
	const progress = text => Bnfcheck.progress(status, text);
	const say = (text, ...more) => Bnfcheck.say(status, text, ...more);
	const unpacking = () => progress("Unpacking the engine");
	const quick = new Lane(unpacking), slow = new Lane(unpacking);

	// ---- text and bytes

	const utf8 = new TextEncoder(), fromUTF8 = new TextDecoder("utf-8", { fatal: true });

	// octets returns the bytes that a person means by a text.
	function octets(text) {
		if (!byID("escapes").checked) return utf8.encode(text);
		const parts = [];
		for (const [piece] of text.matchAll(/\\x[0-9A-Fa-f]{2}|\\[nrt\\]|[^\\]+|\\/g)) {
			if (/^\\x/.test(piece)) parts.push(parseInt(piece.slice(2), 16));
			else parts.push(...utf8.encode({ "\\n": "\n", "\\r": "\r", "\\t": "\t", "\\\\": "\\" }[piece] ?? piece));
		}
		return Uint8Array.from(parts);
	}
	function base64(bytes) {
		let text = "";
		for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
		return btoa(text);
	}
	const fromBase64 = text => Uint8Array.from(atob(text), c => c.charCodeAt(0));

	// pieces takes bytes apart into what is shown of them: characters, and bytes that are none or cannot be seen.
	function pieces(bytes, limit = 4000) {
		const list = [];
		for (let i = 0; i < bytes.length && list.length < limit;) {
			const b = bytes[i], n = b < 0x80 ? 1 : b >= 0xf0 ? 4 : b >= 0xe0 ? 3 : b >= 0xc2 ? 2 : 0;
			let text = null;
			if (n > 0 && i + n <= bytes.length) try { text = fromUTF8.decode(bytes.subarray(i, i + n)); } catch { text = null; }
			const seen = text !== null && /^[^\p{C}\p{Z}\p{M}]$|^ $/u.test(text);
			const to = i + (text === null ? 1 : n);
			list.push({ from: i, to, seen, text: seen ? text : [...bytes.subarray(i, to)].map(x => "\\x" + x.toString(16).toUpperCase().padStart(2, "0")).join("") });
			i = to;
		}
		return list;
	}
	function shown(bytes, from = 0, to = bytes.length, limit = 80) {
		const list = pieces(bytes.subarray(from, to), limit + 1);
		const more = list.length > limit;
		return el("code", null, list.slice(0, limit).map(p => p.seen ? p.text : el("span", { class: "byte" }, p.text)), more ? "…" : null, bytes.length === 0 ? "empty" : null);
	}

	// inString is what a person types for bytes.
	function inString(bytes) {
		try {
			const text = fromUTF8.decode(bytes);
			if (!/[\x00-\x1f\x7f]/.test(text) && (!byID("escapes").checked || !text.includes("\\"))) return text;
		} catch { /* as escapes */ }
		if (!byID("escapes").checked) {
			for (const s of strings) s.area.value = s.area.value.replaceAll("\\", "\\\\");
			byID("escapes").checked = true;
		}
		return pieces(bytes, Infinity).map(p => p.text === "\\" ? "\\\\" : p.text).join("");
	}

	// ---- the editors

	const notation = StreamLanguage.define({
		token(stream) {
			if (stream.match(/^;.*|^\/\/(?=[^"]*$).*|^\(\*.*?\*\)|^\/\*.*?\*\//)) return "comment";
			if (stream.match(/^(%[si])?"[^"]*"|^'[^']*'/)) return "string";
			if (stream.match(/^%[xbd][0-9A-Fa-f.\-]+|^#x[0-9A-Fa-f]+/)) return "number";
			if (stream.match(/^\[[^\]\s]*-[^\]\s]*\]|^\[\^[^\]]*\]/)) return "string";
			if (stream.match(/^(=\/?|::=|<-|←)/)) return "definitionOperator";
			if (stream.match(/^[A-Za-z_][\w.-]*/)) return stream.sol() || stream.match(/^\s*("[^"]*"\s*)?(=|::=|<-|←)/, false) ? "variableName.definition" : "variableName";
			if (stream.match(/^\d*\*\d*|^\d+(?=[(\[A-Za-z"%])/)) return "number";
			stream.next();
			return null;
		},
		tokenTable: { "variableName.definition": tags.definition(tags.variableName) },
	});
	const colors = HighlightStyle.define([
		{ tag: tags.comment, color: "var(--muted)", fontStyle: "italic" },
		{ tag: tags.string, color: "var(--good)" },
		{ tag: tags.number, color: "var(--note)" },
		{ tag: tags.definition(tags.variableName), color: "var(--accent)", fontWeight: "600" },
		{ tag: tags.definitionOperator, color: "var(--muted)" },
	]);
	const look = EditorView.theme({
		"&": { flex: "1", minWidth: "0", fontSize: "13px", color: "var(--ink)", backgroundColor: "transparent" },
		"&.cm-focused": { outline: "none" },
		".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6", overflow: "auto" },
		".cm-content": { caretColor: "var(--ink)" },
		".cm-gutters": { backgroundColor: "transparent", color: "var(--muted)", border: "none" },
		".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--soft) 60%, transparent)" },
		".cm-cursor": { borderLeftColor: "var(--ink)" },
		"&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { background: "var(--mark) !important" },
		".cm-tooltip, .cm-panels": { backgroundColor: "var(--panel)", color: "var(--ink)", borderColor: "var(--line)" },
		".cm-panels input, .cm-panels button": { backgroundImage: "none", background: "var(--soft)", color: "var(--ink)", border: "1px solid var(--line)" },
		".cm-diagnostic": { borderLeftWidth: "3px", maxWidth: "34rem", whiteSpace: "pre-wrap" },
		".cm-matchingBracket": { backgroundColor: "var(--tint) !important", outline: "1px solid var(--line)" },
		".cm-definition": { backgroundColor: "var(--tint)" },
		".cm-use": { backgroundColor: "var(--mark)", borderBottom: "2px solid var(--accent)" },
		".cm-selectionMatch": { backgroundColor: "var(--tint)" },
		".cm-placeholder": { color: "var(--muted)" },
	});
	const setMarks = StateEffect.define();
	const marked = StateField.define({
		create: () => Decoration.none,
		update(value, tr) {
			for (const e of tr.effects) if (e.is(setMarks)) return Decoration.set(e.value, true);
			return value.map(tr.changes);
		},
		provide: f => EditorView.decorations.from(f),
	});

	function editor(parent, label, hint, changed, more = []) {
		const language = new Compartment();
		const view = new EditorView({
			parent,
			extensions: [lineNumbers(), lintGutter(), highlightSpecialChars(), undoable(), drawSelection(), bracketMatching(), highlightActiveLine(), highlightActiveLineGutter(),
				highlightSelectionMatches(), search({ top: true }), keymap.of([...defaultKeymap, ...searchKeymap, ...historyKeymap, ...lintKeymap]),
				syntaxHighlighting(colors), language.of(notation), look, marked, placeholder(hint),
				EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", autocapitalize: "off", tabindex: "0" }),
				EditorView.updateListener.of(u => { if (u.docChanged) changed(u); }), ...more],
		});
		return {
			view,
			get text() { return view.state.doc.toString(); },
			set text(text) {
				view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, selection: { anchor: 0 }, annotations: Transaction.userEvent.of("input.paste") });
			},
			isExpression(yes) { view.dispatch({ effects: language.reconfigure(yes ? [] : notation) }); },
		};
	}

	// place returns the offset in an editor of a line and a column, which counts bytes; it lies inside of the text.
	function place(doc, line, col) {
		const l = doc.line(Math.min(Math.max(line, 1), doc.lines));
		let at = 0;
		for (let bytes = 1; at < l.length && bytes < col; at++) {
			const c = l.text.charCodeAt(at);
			bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : c >= 0xd800 && c < 0xe000 ? 2 : 3;
		}
		return l.from + at;
	}
	const wordAt = text => /^(%?[\w.-]+|"[^"\n]*"?|<[^>\n]*>?|.)/.exec(text)?.[0].length ?? 0;

	function diagnose(ed, marks) {
		const doc = ed.view.state.doc;
		const list = marks.map(m => {
			const from = place(doc, m.line || 1, m.line ? m.col : 1), line = doc.lineAt(from);
			const to = m.line ? Math.min(from + wordAt(doc.sliceString(from, line.to)), line.to) : from;
			return { from, to, severity: m.level === "note" ? "info" : m.level, message: [m.message, ...(m.detail ?? [])].join("\n") };
		});
		ed.view.dispatch(setDiagnostics(ed.view.state, list));
	}

	// ---- the notations

	const choices = JSON.parse(byID("choices").textContent);
	const choiceOf = kind => choices.find(c => c.kind === kind);
	const isExpression = kind => !!choiceOf(kind)?.expression;
	for (const select of [byID("kind"), byID("other-kind")]) {
		select.append(...choices.map(c => el("option", { value: c.kind }, c.name)));
	}

	const nesting = () => byID("nesting").value === "" ? null : Number(byID("nesting").value);
	const source = () => ({ text: main.text, kind: byID("kind").value, start: byID("start").dataset.chosen ?? "", nesting: nesting() });
	const otherSource = () => ({ text: other.text, kind: byID("other-kind").value, start: byID("other-start").dataset.chosen ?? "", nesting: nesting() });

	// ---- what the grammar says

	let reading = null, changedAt = 0, turn = 0;
	const soon = (f, ms) => {
		let timer = 0;
		return () => {
			clearTimeout(timer);
			timer = setTimeout(f, ms);
		};
	};
	const refreshSoon = soon(refresh, 30);
	const grammarChanged = () => {
		if (!changedAt) changedAt = performance.now();
		cancel("lint", "explain", "diff", "make", "sample", "lines");
		keepSoon();
		refreshSoon();
	};

	const width = () => Math.max(320, Math.floor((byID("figures").clientWidth - 8) / 40) * 40);

	async function refresh() {
		const mine = ++turn;
		try {
			await quick.free(300);
			if (mine !== turn) return;
			const r = await quick.ask({ ask: "read", grammar: source(), width: width(), seconds: 5 });
			if (mine !== turn) return;
			showReading(r);
			await judge(true);
			if (mine !== turn) return;
			if (status.dataset.text) say("");
			const took = performance.now() - changedAt;
			tell("read", { took, reading: r });
			changedAt = 0;
			if (r.failed) return void (running || tell("idle"));
			for (const n of ["explain", "lines", "lint", "diff"]) wanted.add(n);
			setTimeout(() => { // the next key would end what has begun, and its worker
				if (mine === turn && !running && wanted.size) work();
			}, Math.min(took, 300));
		} catch (err) {
			if (mine === turn && err !== stopped) broken(err);
		}
	}

	function broken(err) {
		changedAt = 0;
		byID("reading").textContent = "The engine gave no answer: " + err.message;
		say(err.message);
		tell("failed", { error: err.message });
	}

	function showReading(r) {
		reading = r;
		main.isExpression(isExpression(r.kind));
		const name = choiceOf(r.kind)?.name ?? r.kind;
		const own = r.rules.filter(x => x.line).length;
		document.body.classList.toggle("stale", r.failed);
		byID("reading").textContent = r.failed ? `Not ${name}, as the marks say. What is dimmed is about the text before.` : isExpression(r.kind) ? `${name}.`
			: `${name}: ${own.toLocaleString("en")} production${own === 1 ? "" : "s"}${r.count > r.rules.length ? ` of ${r.count.toLocaleString("en")} listed` : ""}.${r.nests ? " " + r.nests.replace(/: --nesting 3 .*/, ".") : ""}`;
		choose(byID("start"), r);
		byID("nesting").parentElement.hidden = !r.nests && nesting() === null;
		showMarks(r.marks);
		if (!r.failed) {
			draw();
			showDetail();
		}
	}

	// choose offers the productions of a reading as starts.
	function choose(select, r) {
		if (r.failed) return;
		const names = r.rules.filter(x => x.line).map(x => x.id);
		if (names.join(" ") !== select.dataset.names) {
			select.dataset.names = names.join(" ");
			select.replaceChildren(...names.map(id => el("option", { value: id }, id)));
		}
		if (r.start >= 0) select.value = r.rules[r.start].id;
		select.parentElement.hidden = names.length < 2;
	}

	let marks = [];
	function showMarks(list) {
		marks = list;
		diagnose(main, list);
		byID("marks").replaceChildren(...list.map(m => el("li", { class: m.level === "note" ? "note-level" : m.level },
			el("button", { type: "button", onclick: () => goTo(m) }, el("span", { class: "level" }, m.level), m.line ? `line ${m.line}: ` : "", m.message,
				m.code ? el("code", null, ` [${m.code}]`) : null),
			m.detail?.length ? el("pre", null, m.detail.join("\n")) : null,
			m.word !== undefined ? button("Try it", () => addString(inString(fromBase64(m.word)), true), { class: "quiet" }) : null)));
	}
	function goTo(m) {
		if (!m.line) return main.view.focus();
		const at = place(main.view.state.doc, m.line, m.col);
		main.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
		main.view.focus();
	}

	// ---- diagrams

	function draw() {
		const before = new Map([...byID("figures").children].map(f => [f.dataset.key, f]));
		const list = reading.rules.map((rule, i) => {
			if (!rule.diagram) return null;
			const key = i + rule.name + rule.diagram;
			return before.get(key) ?? figure(rule, i, key);
		}).filter(Boolean);
		byID("figures").replaceChildren(...(list.length ? list : [el("p", { class: "note" }, reading.ordered
			? "A PEG is tried in order, and is not drawn as a diagram in which every way counts." : "This expression has parts that no diagram has: lookarounds or the like.")]));
		const undrawn = reading.rules.length - list.length;
		if (list.length && undrawn) byID("figures").append(el("p", { class: "note" }, `${undrawn.toLocaleString("en")} more are not drawn.`));
	}
	function figure(rule, i, key) {
		const box = el("div", { tabindex: "-1" });
		box.innerHTML = rule.diagram;
		const f = el("figure", { id: "rule-" + i }, el("figcaption", null, rule.name, rule.from ? el("span", { class: "from" }, rule.from) : null,
			button("SVG", () => saveSVG([f], rule.name), { class: "quiet", "aria-label": "Save the diagram of " + rule.name })), box);
		f.dataset.key = key;
		return f;
	}
	byID("figures").addEventListener("click", follow);
	function follow(event) {
		const link = event.target.closest("a[href^='#rule-']");
		if (!link) return;
		event.preventDefault();
		const to = byID(link.getAttribute("href").slice(1));
		if (!to) return;
		to.scrollIntoView({ behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth", block: "center" });
		const first = to.querySelector("div");
		first.focus({ preventScroll: true });
		point({ rule: Number(to.id.slice(5)) });
	}
	const ruleOf = node => {
		const link = node?.closest?.("a[href^='#rule-']");
		return link ? Number(link.getAttribute("href").slice(6)) : node?.closest?.("figure") ? Number(node.closest("figure").id.slice(5)) : null;
	};
	for (const [on, id] of [["mouseover", "figures"], ["focusin", "figures"], ["mouseover", "detail"]]) {
		byID(id).addEventListener(on, event => {
			const rule = ruleOf(event.target);
			if (rule !== null && !Number.isNaN(rule)) point({ rule }, event.target.closest(".here"));
		});
	}
	byID("figures").addEventListener("mouseleave", () => point(null));

	// saveSVG saves diagrams below one another, with colors of their own.
	function saveSVG(figures, name) {
		let y = 0, wide = 0, inner = "";
		for (const f of figures) {
			const svg = f.querySelector("svg"), [, , w, h] = svg.getAttribute("viewBox").split(" ").map(Number);
			const title = new XMLSerializer().serializeToString(document.createTextNode(f.querySelector("figcaption").firstChild.nodeValue));
			if (figures.length > 1) inner += `<text class="title" x="4" y="${y + 16}">${title}</text>`;
			const top = figures.length > 1 ? y + 24 : y;
			inner += `<g transform="translate(0 ${top})">${[...svg.children].map(c => new XMLSerializer().serializeToString(c).replaceAll(' xmlns="http://www.w3.org/2000/svg"', "")).join("").replace(/<a [^>]*>|<\/a>/g, "")}</g>`;
			y = top + h + 14;
			wide = Math.max(wide, w);
		}
		const style = `.track{fill:none;stroke:#444;stroke-width:1.4}rect{fill:#fff;stroke:#444;stroke-width:1.2}rect.range,rect.core{fill:#f4f4f2}rect.nonterminal{fill:#e8f0fb;stroke:#1f57a8}rect.core{fill:#f4f4f2;stroke:#444}rect.undefined{stroke:#b3261e;stroke-dasharray:4 3}text{font:13px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;text-anchor:middle;fill:#1d2229}.title{text-anchor:start;font-weight:600}.aside{fill:#5a6472;font-style:italic}`;
		save(name + ".svg", `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wide} ${y}" width="${wide}" height="${y}"><style>${style}</style>${inner}</svg>\n`, "image/svg+xml");
	}
	byID("all-svg").addEventListener("click", () => {
		const figures = [...byID("figures").querySelectorAll("figure")];
		if (figures.length) saveSVG(figures, "grammar");
	});

	// ---- strings

	let strings = []; // {row, area, sign, why, verdict}
	let chosen = null;

	function addString(text, select) {
		const id = "string-" + Math.random().toString(36).slice(2);
		const s = { verdict: null };
		s.area = el("textarea", { rows: "1", id, "aria-label": "String", "aria-describedby": id + "-why", spellcheck: "false", autocapitalize: "off", oninput: () => { s.given = s.drawn = false; stringsChanged(); }, onfocus: () => pick(s), onkeydown: event => onEnter(event, s) });
		s.area.value = text;
		s.sign = el("span", { class: "sign", "aria-hidden": "true" }, "·");
		s.why = el("p", { class: "why", id: id + "-why" });
		s.row = el("li", null, s.sign, s.area, button("Tree", () => pick(s), { class: "show quiet", "aria-label": "Show the tree of this string" }),
			button("×", () => {
				removeString(s);
				if (chosen === s) pick(strings[0] ?? null);
			}, { class: "quiet", "aria-label": "Remove this string" }), s.why);
		strings.push(s);
		byID("list").append(s.row);
		if (select) {
			pick(s);
			s.row.scrollIntoView({ block: "nearest" });
			stringsChanged();
		}
		return s;
	}
	function removeString(s) {
		strings = strings.filter(x => x !== s);
		s.row.remove();
		keepSoon();
	}

	// onEnter goes to the next string, which it adds after the last one. With Shift, Enter is a part of the string.
	function onEnter(event, s) {
		if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
		event.preventDefault();
		(strings[strings.indexOf(s) + 1] ?? addString("", true)).area.focus();
	}
	function pick(s) {
		if (chosen === s) return;
		chosen?.row.classList.remove("chosen");
		chosen = s;
		s?.row.classList.add("chosen");
		showDetail();
		if (s?.verdict?.accepted && !s.verdict.nodes) stringsSoon();
	}
	const stringsSoon = soon(async () => {
		try {
			await quick.free(300);
			await judge();
			tell("judged", { took: performance.now() - stringsAt });
			stringsAt = 0;
			if (!reading?.failed) want("explain");
		} catch (err) {
			if (err !== stopped) broken(err);
		}
	}, 15);
	let stringsAt = 0;
	function stringsChanged() {
		stringsAt ||= performance.now();
		keepSoon();
		stringsSoon();
	}
	byID("add").addEventListener("click", () => addString("", true).area.focus());
	byID("sample").addEventListener("click", () => want("sample"));
	byID("escapes").addEventListener("change", () => {
		stringsChanged();
		textChanged();
	});

	// showSample puts strings that were drawn in the place of those that were drawn before, and of empty ones.
	function showSample(drawn) {
		for (const s of strings.filter(s => s.drawn || s.area.value === "")) removeString(s);
		const known = strings.map(s => s.area.value);
		for (const word of [...drawn.accepted, ...drawn.rejected]) {
			const text = inString(fromBase64(word));
			if (!known.includes(text)) addString(text, false).drawn = true;
		}
		if (!strings.includes(chosen)) chosen = null;
		if (!strings.length) addString("", false);
		stringsChanged();
	}

	// ---- a text, line by line

	const maxLines = 500;
	const textSoon = soon(() => { if (reading && !reading.failed) want("lines"); }, 150);
	function textChanged() {
		cancel("lines");
		keepSoon();
		textSoon();
	}
	byID("text").addEventListener("input", textChanged);
	const linesOf = text => text === "" ? [] : text.replace(/\n$/, "").split("\n");

	// showLines shows the lines of the text, given as bytes, with the parts that are marked.
	function showLines(lines, answer, note) {
		byID("lines").replaceChildren(...lines.map((bytes, i) => {
			const { accepted, undecided, parts } = answer[i], list = [];
			let at = 0;
			for (const [from, to] of parts) {
				if (from > at) list.push(shown(bytes, at, from, 2000));
				list.push(el("mark", null, shown(bytes, from, to, 2000)));
				at = to;
			}
			if (at < bytes.length) list.push(shown(bytes, at, bytes.length, 2000));
			const word = undecided ? "undecided: " + undecided : accepted ? "accepted" : parts.length ? `rejected, ${parts.length} part${parts.length === 1 ? "" : "s"} accepted` : "rejected";
			return el("li", { class: undecided ? "open" : accepted ? "yes" : "no" }, el("span", { class: "number", "aria-hidden": "true" }, i + 1),
				el("span", { class: "sign", "aria-hidden": "true" }, undecided ? "?" : accepted ? "✓" : "✗"), el("span", null, list, el("span", { class: "said" }, " " + word)));
		}));
		byID("lines-note").textContent = note;
		tell("lines", answer);
	}

	// matchesOf returns where JavaScript's own engine finds an expression in lines, in a worker that is ended when it takes longer than
	// a second; null if it does.
	async function matchesOf(expression, lines) {
		const literal = /^\s*\/(.*)\/([a-z]*)\s*$/s.exec(expression), pattern = literal?.[1] ?? expression.replace(/\n$/, "");
		const flags = (literal?.[2] ?? "").replace("g", "") + "g";
		const find = `onmessage = ({ data: [pattern, flags, lines] }) => postMessage(lines.map(line => [...line.matchAll(new RegExp(pattern, flags))].map(m => [m.index, m.index + m[0].length])));`;
		const url = URL.createObjectURL(new Blob([find], { type: "text/javascript" })), worker = new Worker(url);
		try {
			return await new Promise(resolve => {
				setTimeout(() => resolve(null), 1000);
				worker.onmessage = ({ data }) => resolve(data);
				worker.onerror = event => {
					event.preventDefault();
					resolve(null);
				};
				worker.postMessage([pattern, flags, lines]);
			});
		} finally {
			worker.terminate();
			URL.revokeObjectURL(url);
		}
	}

	let judging = 0;
	async function judge(brief = false) { // or with where each string goes wrong
		const mine = ++judging;
		const asked = [...strings];
		for (const s of asked) s.bytes = octets(s.area.value);
		let list;
		if (!reading || reading.failed) list = asked.map(() => ({ undecided: "the grammar cannot be read" }));
		else {
			try {
				list = await quick.ask({ ask: "check", grammar: source(), strings: asked.map(s => base64(s.bytes)), tree: asked.indexOf(chosen ?? asked[0]), brief, seconds: 5 });
			} catch (err) {
				if (err === stopped) throw err;
				list = asked.map(() => ({ undecided: err.message }));
			}
		}
		if (mine !== judging) return;
		asked.forEach((s, i) => showVerdict(s, list[i]));
		showDetail();
	}

	function showVerdict(s, v) {
		s.verdict = v;
		const state = v.undecided ? "open" : v.accepted ? "yes" : "no";
		if (s.given && s.area.value === "" && state === "no" && v.expected === undefined) return; // until it is made
		const bare = state === "no" && v.offset < 0 && v.nearest === undefined && v.expected === undefined; // until it is explained
		s.why.classList.toggle("old", bare);
		if (bare && s.row.classList.contains("no")) return;
		s.row.classList.remove("yes", "no", "open");
		s.row.classList.add(state);
		s.row.querySelector(".show").hidden = state !== "yes";
		s.sign.textContent = { yes: "✓", no: "✗", open: "?" }[state];
		if (v.undecided) return void s.why.replaceChildren("Undecided: " + v.undecided);
		if (v.accepted) return void s.why.replaceChildren(el("span", { class: "said" }, "accepted"));
		const parts = [el("span", { class: "said" }, bare ? "rejected" : "rejected: ")];
		if (v.offset >= 0) {
			const at = v.offset, from = Math.max(0, at - 20), next = pieces(s.bytes.subarray(at, at + 4), 1)[0];
			parts.push(`At byte ${at}: `, el("code", null, from > 0 ? "…" : null, [...shown(s.bytes, from, at, 30).childNodes].filter(() => at > 0),
				el("span", { class: "fault" }, next ? next.text : "end"), next ? [...shown(s.bytes.subarray(at + next.to), 0, undefined, 12).childNodes].filter(() => at + next.to < s.bytes.length) : null));
		}
		if (v.in) {
			const column = v.col ? `column ${v.col}` : "", line = v.line && !(column && isExpression(reading.kind) && main.view.state.doc.lines === 1) ? `line ${v.line}` : "";
			const where = [line, column].filter(Boolean).join(", ");
			parts.push(` in ${v.in}`, ...(where ? [" (", v.col ? button(where, () => goTo(v), { class: "place", "aria-label": "Go to " + where }) : where, ")"] : []));
		}
		if (v.expected?.length) parts.push(", expected " + (v.expected.length > 8 ? v.expected.slice(0, 8).join(", ") + ", …" : v.expected.join(", ")));
		if (parts.length > 1) parts.push(". ");
		if (v.nearest !== undefined) {
			const near = fromBase64(v.nearest);
			parts.push("Nearest: ", button(shown(near), () => addString(inString(near), true), { title: "Add this string", "aria-label": "Add the nearest string " + shown(near).textContent }));
		}
		s.why.replaceChildren(...parts);
	}

	// showDetail shows the chosen string with its tree.
	function showDetail() {
		chosen ??= strings[0] ?? null;
		chosen?.row.classList.add("chosen");
		const s = chosen, v = s?.verdict;
		if (!s || !v?.accepted || !v.nodes || !reading || reading.failed || isExpression(reading.kind)) return void byID("detail").replaceChildren();
		const word = el("div", { class: "word", role: "img", "aria-label": "The string; the part of it that is marked in the tree is marked here" },
			pieces(s.bytes).map(p => {
				const span = el("span", p.seen ? null : { class: "byte" }, p.text);
				span.dataset.from = p.from;
				return span;
			}), s.bytes.length === 0 ? "empty" : null);
		word.addEventListener("mouseover", event => {
			const at = event.target.dataset.from;
			if (at === undefined) return;
			const part = (v.parts ?? []).findIndex(([, from, to]) => from <= at && at < to);
			point(part >= 0 ? { part } : { node: innermost(v.nodes, Number(at)) });
		});
		const tree = el("ul", { class: "tree", role: "tree", "aria-label": "The tree of the string" }, v.nodes.map(([rule, from, to, depth], i) => {
			const li = el("li", { role: "treeitem", "aria-level": depth + 1, tabindex: i ? "-1" : "0" }, reading.rules[rule]?.name ?? "?", shown(s.bytes, from, to, 60));
			li.style.paddingLeft = `${.3 + depth * 1.1}rem`;
			li.dataset.node = i;
			return li;
		}));
		tree.addEventListener("mouseover", event => {
			const li = event.target.closest("li");
			if (li) point({ node: Number(li.dataset.node) });
		});
		tree.addEventListener("focusin", event => point({ node: Number(event.target.dataset.node) }));
		tree.addEventListener("mouseleave", () => point(null));
		word.addEventListener("mouseleave", () => point(null));
		tree.addEventListener("keydown", event => walk(event, v.nodes, tree));
		byID("detail").replaceChildren(word, tree, v.count > v.nodes.length ? el("p", { class: "note" }, `${(v.count - v.nodes.length).toLocaleString("en")} more nodes are not shown.`) : "",
			el("div", { class: "here", id: "here", tabindex: "0", role: "region", "aria-label": "The diagram in which the marked part stands", onclick: follow }));
		point(null);
	}
	const innermost = (nodes, at) => nodes.reduce((best, [, from, to], i) => from <= at && at < to ? i : best, 0);
	const parentOf = (nodes, i) => {
		for (let k = i - 1; k >= 0; k--) if (nodes[k][3] < nodes[i][3]) return k;
		return -1;
	};
	function walk(event, nodes, tree) {
		const at = Number(event.target.dataset.node);
		const to = { ArrowDown: at + 1, ArrowUp: at - 1, ArrowLeft: parentOf(nodes, at), ArrowRight: nodes[at + 1]?.[3] > nodes[at][3] ? at + 1 : at, Home: 0, End: nodes.length - 1 }[event.key];
		if (to === undefined || !tree.children[to]) return;
		event.preventDefault();
		tree.children[at].tabIndex = -1;
		tree.children[to].tabIndex = 0;
		tree.children[to].focus();
	}

	// ---- one part, marked wherever it is shown

	let pointed = "";

	// point marks a node of the tree, or a production, in the grammar, the string, the tree and the diagrams.
	function point(what, inHere) {
		const key = JSON.stringify(what);
		if (key === pointed) return;
		pointed = key;
		for (const e of document.querySelectorAll(".in, .of")) e.classList.remove("in", "of");
		const verdict = byID("detail").firstChild ? chosen?.verdict : null, nodes = verdict?.nodes;
		let rule = what?.rule ?? null, parent = null, spans = [], at = null; // at is the place of the use in the text
		if (what?.node !== undefined && nodes) {
			spans = [nodes[what.node]];
			parent = nodes[parentOf(nodes, what.node)]?.[0] ?? null;
		} else if (what?.part !== undefined && nodes) {
			spans = [verdict.parts[what.part]];
			parent = nodes[innermost(nodes, spans[0][1])][0];
		} else if (rule !== null && nodes) spans = nodes.filter(n => n[0] === rule);
		if (what && what.rule === undefined && spans.length) {
			rule = spans[0][0];
			if (spans[0][4]) at = spans[0].slice(4);
		}
		const list = [];
		for (const li of what ? document.querySelectorAll(".tree li") : []) {
			const n = Number(li.dataset.node);
			if (n === what.node || what.rule !== undefined && nodes?.[n][0] === rule) li.classList.add("in");
		}
		for (const span of what ? document.querySelectorAll(".word span") : []) {
			if (spans.some(([, from, to]) => from <= span.dataset.from && span.dataset.from < to)) span.classList.add("in");
		}
		if (reading?.rules[rule]) {
			byID("rule-" + rule)?.classList.add("in");
			const own = definition(rule);
			if (own) list.push(Decoration.mark({ class: "cm-definition" }).range(...own));
			if (!at) for (const user of parent !== null ? [parent] : users(rule)) list.push(...uses(user, reading.rules[rule].name));
		}
		const doc = main.view.state.doc, here = byID("here");
		if (at && at[0] <= doc.lines) {
			const from = place(doc, ...at);
			list.push(Decoration.mark({ class: "cm-use" }).range(from, from + wordAt(doc.sliceString(from, doc.lineAt(from).to))));
		}
		if (here && !inHere && what) {
			const from = byID("rule-" + (parent ?? rule))?.querySelector("svg");
			here.replaceChildren(...(from ? [from.cloneNode(true)] : []));
		}
		for (const b of parent !== null ? [byID("rule-" + parent), here] : what ? [document] : []) {
			const exact = at ? b?.querySelectorAll(`[data-at="${at[0]}:${at[1]}"]`) : [];
			for (const e of exact?.length ? exact : b?.querySelectorAll(`a[href="#rule-${rule}"]`) ?? []) e.classList.add("in");
		}
		main.view.dispatch({ effects: setMarks.of(list.filter(d => d.from < d.to && d.to <= doc.length)) });
	}
	const users = rule => reading.rules.flatMap((r, i) => r.uses.includes(rule) && r.line ? [i] : []).slice(0, 50);

	// definition returns where a production stands in the text, nothing for one that stands elsewhere.
	function definition(rule) {
		const line = reading.rules[rule].line, doc = main.view.state.doc;
		if (!line || line > doc.lines) return null;
		let last = Math.min(...reading.rules.map(r => r.line).filter(l => l > line), doc.lines + 1) - 1;
		while (last > line && /^\s*(;.*)?$/.test(doc.line(last).text)) last--;
		return [doc.line(line).from, doc.line(Math.min(last, line + 60)).to];
	}
	function uses(user, name) {
		const range = definition(user);
		if (!range) return [];
		const text = main.view.state.doc.sliceString(...range), list = [];
		for (const m of text.matchAll(/"[^"]*"|;.*|[A-Za-z_][\w-]*/g)) {
			if (m[0].toLowerCase() === name.toLowerCase()) list.push(Decoration.mark({ class: "cm-use" }).range(range[0] + m.index, range[0] + m.index + m[0].length));
		}
		return list;
	}
	function ruleAt(pos) {
		if (!reading || reading.failed || pos === null) return null;
		const line = main.view.state.doc.lineAt(pos);
		for (const m of line.text.matchAll(/[A-Za-z_][\w-]*/g)) {
			if (line.from + m.index <= pos && pos <= line.from + m.index + m[0].length) {
				const i = reading.rules.findIndex(r => r.name.toLowerCase() === m[0].toLowerCase());
				return i < 0 ? null : i;
			}
		}
		return null;
	}
	const pointing = EditorView.domEventHandlers({
		mousemove(event, view) {
			const rule = ruleAt(view.posAtCoords({ x: event.clientX, y: event.clientY }));
			point(rule === null ? null : { rule });
		},
		mouseleave() { point(null); },
	});
	const cursor = EditorView.updateListener.of(u => {
		if (!u.selectionSet || u.docChanged || !u.view.hasFocus) return;
		queueMicrotask(() => {
			const rule = ruleAt(u.view.state.selection.main.head);
			point(rule === null ? null : { rule });
		});
	});

	// ---- what takes longer

	const wanted = new Set();
	let running = null;

	function want(...names) {
		for (const n of names) wanted.add(n);
		if (!running) work();
	}
	function cancel(...names) {
		for (const n of names) wanted.delete(n);
		if (names.includes(running)) slow.stop();
	}
	async function work() {
		for (;;) {
			const next = ["make", "sample", "explain", "lines", "lint", "diff"].find(n => wanted.has(n));
			if (!next) break;
			wanted.delete(next);
			running = next;
			const before = performance.now();
			try {
				await tasks[next]();
				tell("done", { task: next, took: performance.now() - before });
			} catch (err) {
				if (err !== stopped) problems[next](err.message);
				byID(places[next])?.querySelector(".doing")?.remove();
				tell("done", { task: next, problem: err.message });
			}
			if (!status.dataset.kept) say("");
		}
		running = null;
		if (!changedAt && !stringsAt) tell("idle");
	}
	const places = { diff: "difference", make: "made" };
	const names = { explain: "Explaining", sample: "Drawing strings", lines: "Reading the text", lint: "Looking closer", diff: "Comparing", make: "Making" };
	const seconds = 120;

	// ask asks the slow worker, and after a second says so and lets it be stopped.
	async function ask(question) {
		let told = { steps: 0, production: "" };
		const shown = setInterval(() => {
			const place = byID(places[running]);
			if (place && !place.querySelector(".doing")) place.replaceChildren(el("p", { class: "note doing" }, names[running] + "\u2026")); // and not what is of another text
			say(names[running] ?? "Working", told.production ? el("code", null, told.production) : "", told.steps >= 1e6 ? el("span", null, `${Math.round(told.steps / 1e6).toLocaleString("en")} million steps`) : "", el("progress", { "aria-label": "working" }),
				button("Stop", () => {
					wanted.clear();
					slow.stop();
					say("Stopped.", button("Go on", () => want("explain", "lines", "lint", "diff"), { id: "go-on" }));
					status.dataset.kept = "stopped";
					setTimeout(() => { delete status.dataset.kept; }, 0);
				}, { id: "stop" }));
		}, 700);
		try {
			return await slow.ask({ ...question, seconds }, t => { told = t; });
		} finally {
			clearInterval(shown);
		}
	}
	const problems = {
		explain() {},
		sample(message) { notify("No strings were drawn: " + message); },
		lines(message) {
			byID("lines").replaceChildren();
			byID("lines-note").textContent = "The text was not judged: " + message;
		},
		lint(message) { showMarks([...reading.marks, { line: 0, level: "note", message: "The closer look ended: " + message }]); },
		diff(message) { byID("difference").replaceChildren(el("p", { class: "problem" }, message)); },
		make(message) { byID("made").replaceChildren(el("p", { class: "problem" }, message)); },
	};
	const tasks = {
		async explain() {
			const list = strings.filter(s => s.verdict && !s.verdict.accepted && !s.verdict.undecided && s.verdict.expected === undefined);
			if (!list.length || reading.failed) return;
			const verdicts = await ask({ ask: "explain", grammar: source(), strings: list.map(s => base64(s.bytes)) });
			list.forEach((s, i) => {
				if (!strings.includes(s) || !s.verdict || s.verdict.accepted) return;
				if (s.given && s.area.value === "" && verdicts[i].nearest !== undefined) { // nobody has typed one: the shortest that there is
					s.area.value = inString(fromBase64(verdicts[i].nearest));
					return void stringsChanged();
				}
				showVerdict(s, { expected: [], ...verdicts[i] });
			});
		},
		async sample() {
			const drawn = await ask({ ask: "sample", grammar: source(), seed: Math.floor(Math.random() * 1e9) });
			if (!drawn.accepted.length) notify("No string is accepted.");
			showSample(drawn);
		},
		async lines() {
			const all = linesOf(byID("text").value), lines = all.slice(0, maxLines), bytes = lines.map(octets);
			if (!lines.length) return void showLines([], [], "");
			const answer = await ask({ ask: "lines", grammar: source(), strings: bytes.map(base64) });
			let note = "What is marked is accepted by itself: from left to right, the longest part.";
			if (answer.apart) note = `Lines are judged as a whole: ${answer.apart}.`;
			if (reading.kind === "js") {
				const found = byID("escapes").checked ? null : await matchesOf(main.text, lines);
				found?.forEach((parts, i) => {
					const at = n => utf8.encode(lines[i].slice(0, n)).length;
					answer.lines[i].parts = parts.map(([from, to]) => [at(from), at(to)]).filter(([from, to]) => from < to);
				});
				note = found ? "What is marked is what this browser's engine finds." : "A ✓ says that the line has a match.";
			}
			if (all.length > maxLines) note += ` Of ${all.length.toLocaleString("en")} lines the first ${maxLines} are shown.`;
			showLines(bytes, answer.lines, note);
		},
		async lint() {
			const r = await ask({ ask: "lint", grammar: source() });
			if (r.marks) showMarks(r.marks);
			byID("closer")?.remove();
			byID("reading").append(el("span", { id: "closer" }, " " + r.summary.replace(/^grammar: \d+ productions?, /, "").replace(/^[a-z]/, c => c.toUpperCase()).replace(/\.?$/, ".")));
		},
		async diff() {
			if (other.text.trim() === "") return void byID("difference").replaceChildren();
			const r = await ask({ ask: "read", grammar: otherSource() });
			other.isExpression(isExpression(r.kind));
			diagnose(other, r.failed ? r.marks : []);
			choose(byID("other-start"), r);
			if (r.failed) return void byID("difference").replaceChildren(el("p", { class: "problem" }, "The second text cannot be read: " + (r.marks[0]?.message ?? "")));
			showDifference(await ask({ ask: "diff", grammar: source(), other: otherSource() }));
		},
		async make() {
			const what = byID("made").dataset.what;
			showMade(await ask({ ask: "make", grammar: source(), make: what, format: byID("format").value }));
		},
	};

	// ---- the comparison

	function showDifference(d) {
		const sides = ["only in the grammar", "in both", "only in the other"];
		const tried = (word, text) => button(el("code", null, text), () => addString(inString(fromBase64(word)), true), { title: "Add this string" });
		byID("difference").replaceChildren(
			el("p", { class: "verdict " + (d.equal ? "equal" : "differ") }, d.equal ? "Equal: both accept exactly the same strings." : verdictOf(d)),
			el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "How many strings, and the shortest" }, el("table", null,
				el("thead", null, el("tr", null, el("th", { scope: "col" }, "Strings"), el("th", { scope: "col" }, "Shortest"), el("th", { scope: "col", class: "n" }, `Of at most ${d.length} bytes`))),
				el("tbody", null, d.parts.map((p, i) => el("tr", null, el("th", { scope: "row" }, sides[i]), el("td", null, p.shortest === null ? "none" : tried(p.shortest, p.shown)), el("td", { class: "n" }, grouped(p.total))))))),
			d.groups.length ? el("ol", { class: "groups" }, d.groups.map(g => el("li", null, g.sentence, " ", tried(g.witness, g.shown), el("span", { class: "side" }, ` ${sides[g.side]}, ${grouped(g.total)} strings`)))) : "",
			d.count > d.groups.length ? el("p", { class: "note" }, `${d.count - d.groups.length} more causes are not listed.`) : "");
	}
	const verdictOf = ({ parts: [a, , b] }) => a.shortest === null ? "The other accepts more." : b.shortest === null ? "The grammar accepts more." : "Each accepts strings that the other does not.";
	const otherChanged = soon(() => {
		keepSoon();
		cancel("diff");
		if (reading && !reading.failed) want("diff");
	}, 150);

	// ---- what is made

	function showMade(files) {
		byID("made").replaceChildren(...files.map(f => el("div", { class: "made" },
			el("div", { class: "bar" }, el("h3", null, f.name), f.problem ? null : button("Copy", () => copy(f.text)), f.problem ? null : button("Save", () => save(f.name, f.text))),
			f.problem ? el("p", { class: "problem" }, f.problem) : null, f.note ? el("p", { class: "note" }, f.note) : null,
			f.problem ? null : el("pre", { tabindex: "0", role: "region", "aria-label": f.name }, f.text.length > 60000 ? f.text.slice(0, 60000) + "\n… (Save has all of it.)" : f.text))));
	}
	for (const b of document.querySelectorAll("[data-make]")) {
		b.addEventListener("click", () => {
			byID("made").dataset.what = b.dataset.make;
			byID("made").replaceChildren();
			for (const x of document.querySelectorAll("[data-make]")) x.setAttribute("aria-pressed", String(x === b));
			const before = running ? [running] : []; // it waits for what was asked for
			cancel("make", ...before);
			want("make", ...before);
		});
	}
	function save(name, text, type = "text/plain") {
		const url = URL.createObjectURL(new Blob([text], { type: type + ";charset=utf-8" }));
		el("a", { href: url, download: name }).click();
		setTimeout(() => URL.revokeObjectURL(url), 10000);
	}
	async function copy(text) {
		try {
			await navigator.clipboard.writeText(text);
			say("Copied.");
		} catch {
			say("This browser does not let the page copy.");
		}
		setTimeout(() => { if (status.textContent.startsWith("Copied")) say(""); }, 3000);
	}

	// ---- links and copies

	const state = () => ({ grammar: { ...source(), start: byID("start").dataset.chosen ?? "" }, other: otherSource(), strings: strings.map(s => s.area.value), escapes: byID("escapes").checked, text: byID("text").value });

	// What a person has typed is kept for a reload of the page, in this tab alone, together with what the page began with: another link
	// and another page count more.
	const kept = "bnfcheck:" + location.pathname, begunWith = () => location.hash + "\n" + byID("saved").textContent;
	const keepSoon = soon(() => {
		try {
			sessionStorage.setItem(kept, JSON.stringify({ begun: begunWith(), state: state() }));
		} catch { /* there is no room, or none is allowed: nothing is kept */ }
	}, 200);
	function fromReload() {
		try {
			const { begun, state } = JSON.parse(sessionStorage.getItem(kept)) ?? {};
			return begun === begunWith() ? state : null;
		} catch {
			return null;
		}
	}

	// notify shows a sentence above everything, until it is closed.
	function notify(text) {
		byID("notice").replaceChildren(text, button("Close", () => { byID("notice").hidden = true; }));
		byID("notice").hidden = false;
	}

	async function stream(bytes, through) {
		return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(through)).arrayBuffer());
	}
	async function fragment() {
		const packed = await stream(utf8.encode(JSON.stringify(state())), new CompressionStream("deflate-raw"));
		return "#v1=" + base64(packed).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
	}
	async function fromFragment(hash) {
		if (!hash.startsWith("#v1=")) throw new Error("of another version");
		const packed = fromBase64(hash.slice(4).replaceAll("-", "+").replaceAll("_", "/"));
		return JSON.parse(new TextDecoder().decode(await stream(packed, new DecompressionStream("deflate-raw"))));
	}
	byID("link").addEventListener("click", async () => {
		const hash = await fragment();
		history.replaceState(null, "", hash);
		keepSoon();
		await copy(location.href);
		if (hash.length > 60000) say(`The link has ${hash.length.toLocaleString("en")} characters, which not every program takes.`);
		tell("link", { hash });
	});
	byID("save").addEventListener("click", () => save("playground.html", copyOfPage(), "text/html"));

	// copyOfPage returns the page with what it shows now to begin with.
	function copyOfPage() {
		const root = document.documentElement.cloneNode(true);
		for (const id of ["editor", "other", "marks", "list", "detail", "lines", "lines-note", "notice", "figures", "difference", "made", "status", "reading", "start", "other-start", "kind", "other-kind"]) root.querySelector("#" + id).replaceChildren();
		for (const o of root.querySelectorAll("#example option[data-made]")) o.remove();
		root.querySelector("#saved").textContent = JSON.stringify(state()).replaceAll("<", "\\u003c");
		return "<!doctype html>\n" + root.outerHTML + "\n";
	}

	function load(s) {
		byID("kind").value = s.grammar?.kind ?? "";
		byID("nesting").value = s.grammar?.nesting ?? "";
		byID("other-kind").value = s.other?.kind ?? "";
		choosen(byID("start"), s.grammar?.start);
		choosen(byID("other-start"), s.other?.start);
		byID("escapes").checked = Boolean(s.escapes);
		byID("text").value = String(s.text ?? "");
		strings = [];
		chosen = null;
		byID("list").replaceChildren();
		for (const text of s.strings ?? []) addString(String(text), false);
		if (!strings.length) addString("", false).given = true;
		other.text = String(s.other?.text ?? "");
		main.text = String(s.grammar?.text ?? "");
		byID("made").replaceChildren();
		grammarChanged();
	}
	function choosen(select, start) {
		select.dataset.chosen = start ?? "";
	}

	// ---- the page

	const main = editor(byID("editor"), "Grammar", "Paste a grammar: ABNF, the text of an RFC, a PEG, W3C EBNF or a regular expression", grammarChanged, [pointing, cursor,
		EditorView.domEventHandlers({
			drop(event) {
				const file = event.dataTransfer?.files[0];
				if (!file) return false;
				event.preventDefault();
				openFile(file);
				return true;
			},
		})]);
	const other = editor(byID("other"), "The grammar to compare with", "Another version, a PEG, or an expression such as /^[a-z]+$/", otherChanged);

	for (const [id, changed] of [["kind", grammarChanged], ["nesting", grammarChanged], ["other-kind", otherChanged]]) {
		byID(id).addEventListener("change", () => {
			if (id === "kind") byID("start").dataset.chosen = "";
			if (id === "other-kind") byID("other-start").dataset.chosen = "";
			changed();
		});
	}
	for (const [id, changed] of [["start", grammarChanged], ["other-start", otherChanged]]) {
		byID(id).addEventListener("change", event => {
			event.target.dataset.chosen = event.target.value;
			changed();
		});
	}
	byID("same").addEventListener("click", () => {
		byID("other-kind").value = reading?.kind ?? "";
		byID("other-start").dataset.chosen = byID("start").value;
		other.text = main.text;
		other.view.focus();
	});
	byID("open").addEventListener("click", () => byID("file").click());
	byID("file").addEventListener("change", () => { if (byID("file").files[0]) openFile(byID("file").files[0]); });
	async function openFile(file) {
		byID("kind").value = choices.find(c => c.endings?.some(end => file.name.toLowerCase().endsWith(end)))?.kind ?? "";
		byID("start").dataset.chosen = "";
		main.text = await file.text();
	}
	const examples = JSON.parse(byID("examples").textContent);
	byID("example").append(...examples.map((x, i) => el("option", { value: i, "data-made": true }, x.title)));
	byID("example").addEventListener("change", () => {
		if (byID("example").value !== "") load(examples[byID("example").value]);
		byID("example").value = "";
	});
	byID("theme").addEventListener("change", () => {
		if (byID("theme").value) document.documentElement.dataset.theme = byID("theme").value;
		else delete document.documentElement.dataset.theme;
	});
	let drawnAt = width();
	addEventListener("resize", soon(() => {
		if (width() === drawnAt) return;
		drawnAt = width();
		if (main.text) grammarChanged();
	}, 200));

	async function begin() {
		const saved = JSON.parse(byID("saved").textContent), again = fromReload();
		let s = again ?? saved ?? examples[0];
		byID("notice").hidden = true;
		if (!again && isLink()) {
			try {
				s = await fromFragment(location.hash);
				if (typeof s?.grammar?.text !== "string") throw new Error("no grammar");
			} catch {
				s = saved ?? examples[0];
				notify(`The link is damaged: what it held is lost. This is ${saved ? "what the page was saved with" : "an example"}.`);
			}
		}
		load(s);
	}
	const isLink = () => /^#v\d+=/.test(location.hash);
	addEventListener("hashchange", () => { if (isLink()) begin(); });
	if (missing()) {
		broken(new Error(missing() + " The program bnfcheck needs no browser."));
	} else {
		changedAt = performance.now();
		begin();
	}
})();
