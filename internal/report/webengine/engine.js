// What the pages share: how they ask the engine, make elements, and say what they are doing. A page has it as Bnfcheck.
const Bnfcheck = (() => {
	"use strict";

	// el makes an element. Its children are nodes and strings; null is none.
	function el(name, attributes, ...children) {
		const e = document.createElement(name);
		for (const [key, value] of Object.entries(attributes ?? {})) {
			if (key.startsWith("on")) e.addEventListener(key.slice(2), value);
			else if (value !== undefined && value !== null && value !== false) e.setAttribute(key, value === true ? "" : value);
		}
		e.append(...children.flat().filter(child => child !== null && child !== undefined));
		return e;
	}

	// progress shows in an element what is being done, with a bar; say shows a text there, or nothing.
	function progress(status, text) {
		if (status.dataset.text === text) return; // say it aloud once
		status.dataset.text = text;
		status.replaceChildren(text, el("progress", { "aria-label": text }));
	}
	function say(status, text, ...more) {
		status.dataset.text = "";
		status.replaceChildren(...(text ? [text, ...more] : []));
	}

	// missing returns a sentence about what this browser does not have and the engine needs; "" if it has all.
	function missing() {
		const needed = { WebAssembly: "WebAssembly", Worker: "workers", DecompressionStream: "DecompressionStream" };
		for (const [name, called] of Object.entries(needed)) {
			if (!globalThis[name]) return `This browser has no ${called}, which the page needs.`;
		}
		return "";
	}

	// ---- the engine

	const byID = id => document.getElementById(id);
	const stopped = new Error("It was stopped.");
	let module = null; // the compiled program, once the first worker has it

	// A Lane asks the engine in a worker of its own, which starts with the first question, and answers one question at a time.
	// Unpacking is called while the engine is unpacked.
	class Lane {
		worker = null;  // the one that answers
		ready = null;   // a promise that is kept when it has started
		pending = null; // what is being asked

		constructor(unpacking) { this.unpacking = unpacking; }

		// begun starts a worker where there is none, and waits until it answers questions.
		begun() { return this.ready ?? this.start(); }
		start() {
			if (missing()) return Promise.reject(new Error(missing()));
			if (!module) this.unpacking();
			const source = URL.createObjectURL(new Blob([byID("engine-worker").textContent], { type: "text/javascript" }));
			const worker = this.worker = new Worker(source);
			this.ready = new Promise((resolve, reject) => {
				worker.onmessage = ({ data }) => {
					if (worker !== this.worker) return; // it was ended, and this was on its way
					if (data.module) {
						module = data.module;
						URL.revokeObjectURL(source);
						resolve();
					} else if (data.error) this.fail(new Error(data.error), reject);
					else if (data.steps !== undefined) this.pending?.told(data);
					else {
						const { resolve } = this.pending;
						this.pending = null;
						resolve(JSON.parse(data.answer));
					}
				};
				worker.onerror = event => {
					event.preventDefault();
					if (worker === this.worker) this.fail(new Error(event.message || "The engine did not start."), reject);
				};
			});
			worker.postMessage(module ? { module } : { packed: byID("engine-program").textContent });
			return this.ready;
		}
		fail(error, reject) {
			reject(error);
			this.stop(error);
		}
		// stop ends what is being asked, and the worker with it. The next question starts another.
		stop(error = stopped) {
			const pending = this.pending;
			if (!pending && error === stopped) return;
			this.worker?.terminate();
			this.worker = this.ready = this.pending = null;
			pending?.reject(error);
		}
		// free waits until nothing is asked, and stops what is after so many milliseconds.
		async free(patience) {
			if (this.pending) await Promise.race([this.pending.done, new Promise(resolve => setTimeout(resolve, patience))]);
			this.stop();
		}
		async ask(question, told = () => {}) {
			for (;;) { // one question at a time
				await this.begun();
				if (!this.pending) break;
				await this.pending.done;
			}
			let pending;
			const answered = new Promise((resolve, reject) => { pending = { resolve, reject, told }; });
			pending.done = answered.then(() => {}, () => {});
			this.pending = pending;
			this.worker.postMessage({ question: JSON.stringify(question) });
			const answer = await answered;
			if (answer.problem !== undefined) throw new Error(answer.problem);
			return answer;
		}
	}

	return { Lane, stopped, missing, el, progress, say };
})();
