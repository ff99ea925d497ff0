// What the page does beside standing there. Without this script it only lacks these conveniences.
(function () {
	"use strict";
	var root = document.documentElement;

	for (var hidden of document.querySelectorAll(".tools, .filter")) hidden.hidden = false;

	// The colours: as the system has them, until somebody asks for others. A page from disk may not be allowed to remember.
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

	function reveal() {
		var id = decodeURIComponent(location.hash.slice(1));
		var target = id && document.getElementById(id);
		if (!target) return;
		for (var d = target; d; d = d.parentElement) if (d.tagName === "DETAILS") d.open = true;
		if (target.hidden) target.hidden = false;
		target.scrollIntoView();
		var summary = target.querySelector("summary");
		if (summary && target.tagName === "DETAILS") summary.focus({ preventScroll: true });
	}
	addEventListener("hashchange", reveal);
	document.addEventListener("click", function (e) { // the link to where one is already changes no hash
		var a = e.target.closest("a");
		if (a && a.getAttribute("href") && a.getAttribute("href") === location.hash) reveal();
	});
	reveal();
	var printed = [];
	addEventListener("beforeprint", function () {
		printed = Array.from(document.querySelectorAll("main details:not([open])"));
		for (var d of printed) d.open = true;
	});
	addEventListener("afterprint", function () {
		for (var d of printed) d.open = false;
		printed = [];
	});

	// Finding a production by its name or its text.
	var filter = document.getElementById("filter"), found = document.getElementById("found");
	var rows = Array.from(document.querySelectorAll(".production"));
	var texts = new Map();
	filter.addEventListener("focus", function () {
		for (var row of rows) {
			texts.set(row, (row.querySelector(".id").textContent + " " + row.querySelector(".bnf").textContent).toLowerCase());
		}
	}, { once: true });
	filter.addEventListener("input", function () {
		var want = filter.value.trim().toLowerCase(), n = 0;
		for (var row of rows) {
			row.hidden = want !== "" && !texts.get(row).includes(want);
			if (!row.hidden) n++;
		}
		found.textContent = want === "" ? "" : n + " of " + rows.length;
	});

	// A string that is clicked goes to whoever can say something about it.
	document.addEventListener("click", function (e) {
		var b = e.target.closest("[data-url]");
		if (b) document.dispatchEvent(new CustomEvent("bnfcheck:try", { detail: { url: b.dataset.url } }));
	});
})();
