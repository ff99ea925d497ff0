
// What runs in the worker of the live checker, behind Go's own script: a text that takes long holds up nobody else. The first
// message brings the program, packed in base64 or as it was compiled before; each later one a text, which is answered with JSON.
"use strict";

onmessage = async ({ data }) => {
	try {
		if ("text" in data) {
			postMessage({ answer: globalThis.bnfcheck(data.text, data.chosen) });
			return;
		}
		const module = data.module ?? await WebAssembly.compile(await unpack(fromBase64(data.packed)));
		const go = new Go();
		go.run(await WebAssembly.instantiate(module, go.importObject)).then(() => postMessage({ error: "The checker has ended." }));
		if (typeof globalThis.bnfcheck !== "function") throw new Error("The checker did not start.");
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

// unpack reads a gzip file, whose last four bytes say how long its content is.
async function unpack(packed) {
	const size = new DataView(packed.buffer).getUint32(packed.length - 4, true), code = new Uint8Array(size);
	const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
	let at = 0, told = 0;
	for (;;) {
		const { done, value } = await reader.read();
		if (done) return code;
		code.set(value, at);
		at += value.length;
		if (at - told > size / 50) postMessage({ share: (told = at) / size });
	}
}
