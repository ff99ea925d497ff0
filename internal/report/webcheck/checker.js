// The live checker: it starts the engine when it is first asked for something, and shows the answer. All
// text in an answer is put into the page as text, byte by byte, and never as markup.
(() => {
	"use strict";

	const byID = id => document.getElementById(id);
	const form = byID("ck-form"), input = byID("ck-text"), withDraft = byID("ck-draft");
	const status = byID("ck-status"), answer = byID("ck-answer");
	if (!form) return;

	const { Lane, el, progress, say } = Bnfcheck;
	const lane = new Lane(() => {
		status.classList.remove("ck-failed");
		progress(status, "Unpacking the checker");
	});

	function fail(err) {
		status.classList.add("ck-failed");
		say(status, `${err.message || err} The command “bnfcheck check” needs no browser.`);
		answer.replaceChildren();
		document.dispatchEvent(new CustomEvent("bnfcheck:failed", { detail: { error: err } }));
	}

	// ---- when to check

	let text = "", chosen = 0; // what the answer is about
	let took = 0;              // milliseconds, the last time
	let timer = 0, turn = 0;

	const patience = 400; // milliseconds for an answer that nobody waits for any more
	const silence = 1000; // milliseconds without an answer, before there is something to stop

	async function check(newText, newChosen) {
		clearTimeout(timer);
		[text, chosen] = [newText, newChosen];
		const mine = ++turn;
		let waiting = 0;
		try {
			await lane.free(patience);
			if (mine !== turn) return; // somebody has typed on
			await lane.begun();
			if (mine !== turn) return;
			const before = performance.now();
			waiting = setTimeout(() => { if (mine === turn) stoppable(); }, silence);
			const result = await lane.ask({ ask: "urls", text, chosen });
			took = performance.now() - before;
			if (mine !== turn) return;
			show(result);
			document.dispatchEvent(new CustomEvent("bnfcheck:checked", { detail: { text, result } }));
		} catch (err) {
			if (mine === turn) fail(err);
		} finally {
			clearTimeout(waiting);
		}
	}

	// stoppable says that there is no answer yet, and lets a reader stop waiting for it.
	function stoppable() {
		progress(status, "Still checking");
		status.append(" ", el("button", { type: "button", class: "ck-stop", onclick: () => lane.stop() }, "Stop"));
	}

	function tryURL(url, chosen = 0) {
		input.value = url;
		check(url, chosen);
	}

	form.addEventListener("submit", event => {
		event.preventDefault();
		check(input.value, 0);
	});
	input.addEventListener("keydown", event => {
		if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
	});
	input.addEventListener("input", () => {
		if (!lane.ready) return; // it starts only when it is asked for
		clearTimeout(timer);
		timer = setTimeout(() => check(input.value, 0), Math.min(Math.max(80, 2 * took), 1500));
	});
	withDraft.addEventListener("change", () => { if (lane.ready) check(text, chosen); });
	form.addEventListener("click", event => {
		const example = event.target.closest("[data-example]");
		if (example) tryURL(example.dataset.example);
	});
	document.addEventListener("bnfcheck:try", event => {
		const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
		form.closest("section").scrollIntoView({ behavior: calm ? "auto" : "smooth", block: "start" });
		input.focus({ preventScroll: true });
		tryURL(String(event.detail?.url ?? ""), event.detail?.chosen);
	});

	// ---- what is shown

	// bytes shows a string whose characters are bytes: printable ASCII as it stands, everything else as \xHH; a character that
	// is no byte says that the rest was left out.
	function bytes(s, limit = Infinity) {
		const to = el("code", { class: "ck-bytes" });
		if (s.length > limit) s = s.slice(0, limit) + "…";
		for (const [piece] of s.matchAll(/[!-~]+|[^]/g)) to.append(pieceOf(piece));
		return to;
	}

	function pieceOf(piece) {
		const code = piece.charCodeAt(0);
		if (code > 0x20 && code < 0x7f) return piece;
		if (code === 0x20) return el("span", { class: "ck-space" }, " ");
		if (code > 0xff) return el("span", { class: "ck-more", title: "the rest is not shown" }, "…");
		const hex = code.toString(16).toUpperCase().padStart(2, "0");
		return el("span", { class: "ck-byte", title: "the byte " + hex }, "\\x" + hex);
	}

	const quoted = s => s === "" ? el("span", { class: "ck-empty" }, "empty") : bytes(s, 300);
	const span = (start, end) => el("span", { class: "ck-where" }, start === end ? `at ${start}` : `${start}–${end}`);
	const counted = (n, one) => `${n.toLocaleString("en")} ${one}${n === 1 ? "" : "s"}`;

	// The verdicts: a sign, and what it means of a view.
	const verdicts = {
		"conforming": ["✓", v => ["derived by ", production(v, v.production)]],
		"generic-only": ["≈", v => ["only ", production(v, v.production), " derives it, not ", v.why ? production(v, v.why.explains) : "the scheme’s own production"]],
		"no-production": ["○", v => ["only ", production(v, v.production), " derives it; this RFC has no production for the scheme"]],
		"rejected": ["✗", () => ["no production derives it"]],
		"nul": ["✗", () => ["it holds a NUL byte"]],
		"too-long": ["✗", () => ["it is too long to be looked at"]],
	};

	// production gives the name of a production, as a link where the page has a place for it.
	function production(v, name, id = name) {
		const place = byID(`${v.grammar}-${id}`.replaceAll("+", "plus").replace(/[_ .\/]/g, "-"));
		const shown = el("code", { class: "ck-name" }, name || "the grammar’s start");
		return place ? el("a", { href: "#" + place.id }, shown) : shown;
	}

	function show(r) {
		const views = r.views.filter(v => withDraft.checked || !v.draft);
		status.classList.remove("ck-failed");
		say(status, summary(r, views));
		if (views.length === 0) {
			answer.replaceChildren();
			return;
		}
		const u = r.urls[r.chosen];
		answer.replaceChildren(...[found(r, views), remarks(u), whole(u), here(),
			el("div", { class: views.every(v => v.tree.count > 0) ? "ck-views ck-aligned" : "ck-views" }, views.map(view))].filter(Boolean));
	}

	// here links to the page with this text in the form, where that fits an address.
	function here() {
		if (text.length > 4000 || text.isWellFormed?.() === false) return null;
		return el("p", { class: "ck-here" }, el("a", { href: "#check=" + encodeURIComponent(text) }, "Link to this check"));
	}

	function summary(r, views) {
		if (r.length === 0) return "Nothing to check yet.";
		if (views.length === 0) return "There is no URL in this text.";
		const u = r.urls[r.chosen];
		return [
			r.count > 1 ? `URL ${r.chosen + 1} of ${r.count}` : counted(u.length, "byte"),
			...views.map(v => `${v.title}: ${v.verdict}` + (v.verdict !== "conforming" && v.why?.offset >= 0 ? ` (offset ${v.why.offset})` : "")),
		].join(" · ");
	}

	// found lists the URLs of a text, to choose one.
	function found(r, views) {
		if (r.form === "single" || r.form === "lines" && r.count === 1) return null;
		const how = r.form === "prose" ? "in this text, found as the appendix of RFC 1738 has them written" : "in this list, one a line";
		const more = r.count > r.urls.length ? `; the first ${r.urls.length} are listed` : "";
		const columns = r.views.map((v, i) => [v, i]).filter(([v]) => views.includes(v));
		const row = (u, i) => el("tr", null,
			el("td", null, String(u.line)),
			el("td", null, el("button", {
				type: "button", class: "ck-pick", "aria-pressed": String(i === r.chosen), onclick: () => choose(i),
			}, bytes(u.text, 200))),
			columns.map(([, k]) => el("td", null, `${verdicts[u.verdicts[k]]?.[0] ?? ""} ${u.verdicts[k]}`)),
		);
		return el("div", { class: "ck-found" },
			el("p", null, `${counted(r.count, "URL")} ${how}${more}.`),
			el("div", { class: "ck-scroll", tabindex: "0", role: "region", "aria-label": "The URLs of the text" },
				el("table", null,
					el("thead", null, el("tr", null, ["line", "URL", ...columns.map(([v]) => v.title)].map(name => el("th", { scope: "col" }, name)))),
					el("tbody", null, r.urls.map(row)))));
	}

	async function choose(i) {
		const scrolled = answer.querySelector(".ck-scroll")?.scrollTop ?? 0;
		await check(text, i);
		const list = answer.querySelector(".ck-scroll");
		if (list) list.scrollTop = scrolled;
		answer.querySelector("[aria-pressed=true]")?.focus({ preventScroll: true });
	}

	// remarks says what was in question when a URL was taken out of a text.
	function remarks(u) {
		if (u.other) {
			return el("p", null, "A hyphen at the end of a line may be part of the URL, or of the line break. Without it: ", offer(u.other));
		}
		if (u.space) return el("p", null, "There was white space inside a line of it. It is left out, as the appendix of RFC 1738 says; its author may have meant %20.");
		return null;
	}

	// offer shows another URL, to be tried.
	function offer(octets, why) {
		const shown = bytes(octets, 300);
		if (octets.endsWith("…")) return shown; // not all of it is here
		const url = new TextDecoder().decode(Uint8Array.from(octets, c => c.charCodeAt(0)));
		return el("button", { type: "button", class: "ck-try", title: why, onclick: () => tryURL(url) }, shown);
	}

	// whole shows the URL, in which what is pointed at below is marked.
	function whole(u) {
		const line = el("p", { class: "ck-url", id: "ck-url" });
		line.bytes = u.text;
		mark(line, 0, 0);
		return line;
	}

	function mark(line, start, end) {
		const s = line.bytes, to = el("code", { class: "ck-bytes" });
		if (start < end && start < s.length) {
			to.append(...bytes(s.slice(0, start)).childNodes, el("mark", null, ...bytes(s.slice(start, end)).childNodes), ...bytes(s.slice(end)).childNodes);
		} else {
			to.append(...(s === "" ? [quoted(s)] : bytes(s).childNodes));
		}
		line.replaceChildren(to);
	}

	answer.addEventListener("pointerover", event => {
		const line = byID("ck-url"), part = event.target.closest("[data-start]");
		if (!line || line.part === part) return;
		line.part = part;
		mark(line, Number(part?.dataset.start ?? 0), Number(part?.dataset.end ?? 0));
	});
	answer.addEventListener("pointerleave", () => {
		const line = byID("ck-url");
		if (line?.part) {
			line.part = null;
			mark(line, 0, 0);
		}
	});

	// view is a grammar's column. It always has seven parts, so that those of accepted URLs stand side by side.
	function view(v) {
		const [sign, meaning] = verdicts[v.verdict];
		const title = "ck-title-" + v.grammar;
		return el("article", { class: "ck-view", "aria-labelledby": title, "data-grammar": v.grammar, "data-verdict": v.verdict, "data-production": v.production, "data-offset": v.why?.offset },
			el("div", null,
				el("h3", { id: title }, v.title),
				el("p", { class: "ck-verdict" }, el("span", { "aria-hidden": "true" }, sign + " "), v.verdict),
				el("p", { class: "ck-means" }, meaning(v))),
			part(v.why && why(v)),
			part(v.tree.count > 0 && tree(v), "Tree"),
			part(v.fields.count > 0 && fields(v.fields), "Typed URL", v.typed),
			part(v.findings.count > 0 && findings(v), "What the prose adds"),
			part(v.steps.count > 0 && steps(v.steps), "What a client does"),
			part(v.canonical && el("p", null, bytes(v.canonical)), "Canonical form"));
	}

	function part(content, heading, remark) {
		if (!content) return el("div", { class: "ck-part" });
		return el("div", { class: "ck-part" },
			heading ? el("h4", null, heading, remark ? el("span", { class: "ck-remark" }, remark) : null) : null, content);
	}

	const rest = list => list.count > list.entries.length
		? el("p", { class: "ck-where" }, `and ${(list.count - list.entries.length).toLocaleString("en")} more`) : null;

	// why shows the byte that cannot stand where it stands, says what could, and what is accepted nearby.
	function why(v) {
		const w = v.why, s = v.suggestion;
		return [
			w.offset >= 0 ? el("p", { class: "ck-why" }, caret(w)) : null,
			el("p", null, w.message),
			s ? el("p", null, s.guess ? "A guess: " : "Accepted: ",
				offer(s.url, s.edits.join("\n")),
				(s.differs ?? []).length > 0 ? ` (differs in: ${s.differs.join(", ")})`
					: s.changes && !s.guess ? " (this changes the meaning)" : null) : null,
		];
	}

	function caret(w) {
		const at = w.offset - w.from, s = w.around, to = el("code", { class: "ck-bytes" });
		const from = Math.max(0, at - 120), rest = s.slice(at + 1);
		if (w.from + from > 0) to.append(el("span", { class: "ck-more", title: `${w.from + from} bytes before` }, "… "));
		to.append(...bytes(s.slice(from, at)).childNodes,
			el("span", { class: "ck-at" }, at < s.length ? pieceOf(s[at]) : el("span", { class: "ck-more" }, "end")),
			el("span", { class: "ck-after" }, ...bytes(rest, 60).childNodes));
		return to;
	}

	// tree nests the nodes, which come in pre-order.
	function tree(v) {
		const root = el("ul", { class: "ck-tree" }), open = [root];
		for (const n of v.tree.entries) {
			open.length = n.depth + 1;
			let list = open[n.depth];
			if (!list) open[n.depth] = list = open[n.depth - 1].lastChild.appendChild(el("ul"));
			list.append(el("li", null, el("div", { class: "ck-node", "data-start": n.start, "data-end": n.end },
				production(v, n.name, n.id), " ", n.text === "" ? quoted("") : bytes(n.text, 160), " ", span(n.start, n.end))));
		}
		return [root, rest(v.tree)];
	}

	function fields(list) {
		return [el("dl", { class: "ck-fields" }, list.entries.map(f => [
			el("dt", null, f.name),
			f.start < 0 ? el("dd", null, f.value) : el("dd", { "data-start": f.start, "data-end": f.end },
				quoted(f.raw), f.decoded === undefined ? null : [el("span", { class: "ck-where" }, " stands for "), quoted(f.decoded)]),
		]).flat()), rest(list)];
	}

	function findings(v) {
		const where = section => /^\d/.test(section) ? `${v.title} section ${section}` : `${v.title}, “${section}”`;
		const news = v.findings.entries.filter(f => !v.why || !f.rule.endsWith("/generic-only")); // of which why says more
		if (news.length === 0) return null;
		return [el("ul", { class: "ck-findings" }, news.map(f => el("li", { class: "ck-finding", "data-start": f.start, "data-end": f.end },
			el("span", { class: "ck-severity ck-" + f.severity }, f.severity), " ", f.message, " ",
			el("span", { class: "ck-where", title: f.rule }, where(f.section))))), rest(v.findings)];
	}

	function steps(list) {
		return [el("ol", { class: "ck-steps" }, list.entries.map(s => el("li", null,
			el("span", { class: "ck-verb" }, s.verb), " ", s.octets ? bytes(s.octets) : el("span", null, ...bytes(s.text).childNodes), " ",
			el("span", { class: "ck-where" }, s.section)))), rest(list)];
	}
})();
