
// What runs in a worker, after Go's own script: work that takes long holds up nobody else. The first message brings the
// program, packed in base64 or as it was compiled before; each later one a question, which is answered with JSON. While the
// answer is computed, messages with the steps taken so far are sent.
"use strict";

onmessage = async ({ data }) => {
	try {
		if ("question" in data) {
			let last = performance.now();
			const tell = (steps, production) => {
				if (performance.now() - last > 100) postMessage({ steps, production, last: last = performance.now() });
			};
			postMessage({ answer: globalThis.bnfcheck(data.question, tell) });
			return;
		}
		const module = data.module ?? await compiled(fromBase64(data.packed));
		const go = new Go();
		go.run(await WebAssembly.instantiate(module, go.importObject)).then(() => postMessage({ error: "The engine has ended." }));
		if (typeof globalThis.bnfcheck !== "function") throw new Error("The engine did not start.");
		postMessage({ module });
	} catch (err) {
		postMessage({ error: String(err?.message ?? err) });
	}
};

function fromBase64(text) {
	const packed = atob(text), bytes = new Uint8Array(packed.length);
	for (let i = 0; i < packed.length; i++) bytes[i] = packed.charCodeAt(i);
	return bytes;
}

// compiled returns the module of a program that gzip has compressed. It compiles what is unpacked while the rest is unpacked.
function compiled(packed) {
	const program = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
	return WebAssembly.compileStreaming(new Response(program, { headers: { "Content-Type": "application/wasm" } }));
}
