// What the page does beside standing there. Without this script it only lacks these conveniences.
(function () {
	"use strict";
	var root = document.documentElement;

	for (var hidden of document.querySelectorAll(".tools, .find")) hidden.hidden = false;

	// The colors: as the system has them, until somebody asks for others. A page from disk may not be allowed to remember.
	function remembered() { try { return localStorage.getItem("bnfcheck-theme"); } catch (e) { return null; } }
	if (remembered()) root.dataset.theme = remembered();
	document.getElementById("theme").addEventListener("click", function () {
		var dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
		root.dataset.theme = dark ? "light" : "dark";
		try { localStorage.setItem("bnfcheck-theme", root.dataset.theme); } catch (e) { /* then it is for this time */ }
	});

	// Folds: all at once, those on the way to what a link leads to, and all of them on paper.
	var unfold = document.getElementById("unfold");
	unfold.addEventListener("click", function () {
		var open = unfold.getAttribute("aria-pressed") !== "true";
		unfold.setAttribute("aria-pressed", String(open));
		unfold.textContent = open ? "Close all folds" : "Open all folds";
		for (var d of document.querySelectorAll("main details")) d.open = open;
	});
	// What is wider than its place is moved with the arrow keys; what is not is no stop on the way of the tabulator.
	function reach(within) {
		for (var box of within.querySelectorAll(".scroll, pre")) {
			if (box.closest("details:not([open])")) continue; // what is not laid out has no width
			if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
			else box.removeAttribute("tabindex");
		}
	}
	document.addEventListener("toggle", function (e) { if (e.target.open) reach(e.target); }, true);
	addEventListener("resize", function () { reach(document); });
	reach(document);

	// What an address with a name in it leads to: a place in the page, or a text for the checker.
	function reveal() {
		var id;
		try { id = decodeURIComponent(location.hash.slice(1)); } catch (e) { return; }
		if (id.startsWith("check=") && document.getElementById("checker")) {
			document.dispatchEvent(new CustomEvent("bnfcheck:try", { detail: { url: id.slice(6) } }));
			return;
		}
		var target = id && document.getElementById(id);
		if (!target) return;
		for (var d = target; d; d = d.parentElement) if (d.tagName === "DETAILS") d.open = true;
		target.scrollIntoView();
		var summary = target.querySelector("summary");
		if (summary && target.tagName === "DETAILS") summary.focus({ preventScroll: true });
	}
	addEventListener("hashchange", reveal);
	document.addEventListener("click", function (e) { // the link to where one is already changes no hash
		var a = e.target.closest("a");
		if (a && a.getAttribute("href") && a.getAttribute("href") === location.hash) reveal();
	});
	addEventListener("load", reveal); // when the checker listens

	// The contents stay beside the text where there is room for both; else they are folded above it.
	var menu = document.getElementById("menu"), roomy = matchMedia("(min-width: 68rem)");
	function fold() { menu.open = roomy.matches; }
	roomy.addEventListener("change", fold);
	fold();
	document.querySelector(".contents").addEventListener("click", function (e) {
		if (e.target.closest("a")) { fold(); show([]); }
	});

	// On a telephone a row of a table is a card: each cell says what it is.
	function label(within) {
		for (var table of within.querySelectorAll("table.cards")) {
			var names = Array.from(table.querySelectorAll("thead th")).flatMap(function (th) { return Array(th.colSpan).fill(th.textContent); });
			for (var tr of table.querySelectorAll("tbody tr")) {
				if (tr.cells.length === names.length) Array.from(tr.cells).forEach(function (cell, i) { if (i > 0 && names[i]) cell.dataset.label = names[i]; });
			}
		}
	}
	label(document);

	// There a long table begins with its first rows.
	function shorten(within) {
		var first = 4;
		for (var table of within.querySelectorAll("table.cards")) {
			var rows = table.querySelectorAll("tbody tr");
			if (rows.length <= first + 2) continue;
			for (var i = first; i < rows.length; i++) rows[i].classList.add("later");
			var rest = document.createElement("button");
			rest.type = "button";
			rest.className = "rest";
			rest.textContent = "Show all " + rows.length + " rows";
			table.parentNode.after(rest);
		}
	}
	shorten(document);
	document.addEventListener("click", function (e) {
		if (!e.target.matches(".rest")) return;
		for (var row of e.target.previousElementSibling.querySelectorAll(".later")) row.classList.remove("later");
		e.target.remove();
	});

	// What stands in the folds is compressed.
	async function unpack() {
		var binary = atob(document.getElementById("packed").textContent), bytes = new Uint8Array(binary.length);
		for (var i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
		var text = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
		var parts = text.split("\0");
		document.querySelectorAll("div.packed").forEach(function (to, i) {
			to.innerHTML = parts[i];
			label(to);
			shorten(to);
		});
	}
	addEventListener("load", function () {
		unpack().catch(function () {
			for (var to of document.querySelectorAll("div.packed")) to.textContent = "This browser is too old to unpack what stands here.";
		}).then(function () {
			reach(document);
			root.dataset.unpacked = "";
			document.dispatchEvent(new CustomEvent("bnfcheck:unpacked"));
		});
	});

	// Finding things: first the production of that name, then what begins with it, then what has it in its name, its text, or a sentence.
	var find = document.getElementById("find"), found = document.getElementById("found"), count = document.getElementById("count");
	var index = null;
	var kinds = [[".production", ".id", ".bnf"], [".topic", ".id", ".sentence"], [".entry", ".id", ".sentence"], [".claims > li", ".says", null], [".groups > li", "p", null]];
	function indexed() {
		var list = [];
		kinds.forEach(function (kind, rank) {
			for (var e of document.querySelectorAll(kind[0])) {
				if (!e.id) continue;
				var name = e.querySelector(kind[1]).textContent, text = kind[2] && e.querySelector(kind[2]);
				var of = e.closest(".grammar, .fold, section"), title = of && of.querySelector("h2, h3");
				list.push({ id: e.id, rank: rank, name: name, low: name.toLowerCase(), text: text ? text.textContent.toLowerCase() : "", of: title ? title.textContent : "" });
			}
		});
		return list;
	}
	function near(x, want) {
		if (x.low === want) return x.rank;
		if (x.low.startsWith(want)) return 10 + x.rank;
		if (x.low.includes(want)) return 20 + x.rank;
		return x.text.includes(want) ? 30 + x.rank : -1;
	}
	function show(list) {
		found.replaceChildren.apply(found, list.slice(0, 12).map(function (x) {
			var li = document.createElement("li"), a = document.createElement("a"), of = document.createElement("span");
			a.href = "#" + x.id;
			a.textContent = x.name.length > 60 ? x.name.slice(0, 60) + "\u2026" : x.name;
			of.className = "quiet";
			of.textContent = " " + x.of;
			li.append(a, of);
			return li;
		}));
		found.hidden = list.length === 0;
	}
	find.addEventListener("input", function () {
		index = index || indexed();
		var want = find.value.trim().toLowerCase();
		var list = want === "" ? [] : index.map(function (x) { return [near(x, want), x]; }).filter(function (p) { return p[0] >= 0; })
			.sort(function (p, q) { return p[0] - q[0]; }).map(function (p) { return p[1]; });
		show(list);
		count.textContent = want === "" ? "" : list.length + " found";
	});
	find.addEventListener("keydown", function (e) {
		if (e.key === "Enter" && !found.hidden) found.querySelector("a").click();
		if (e.key === "Escape") { find.value = ""; show([]); }
	});

	// A string that is clicked goes to whoever can say something about it.
	document.addEventListener("click", function (e) {
		var b = e.target.closest("button.try");
		if (b) document.dispatchEvent(new CustomEvent("bnfcheck:try", { detail: { url: b.textContent } }));
	});
})();
