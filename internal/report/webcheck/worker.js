
// What runs in the worker of the live checker, behind Go's own script: a text that takes long holds up nobody else. The first
// message brings the program, packed in base64 or as it was compiled before; each later one a text for the live checker or a question
// of the playground, which is answered with JSON.
"use strict";

onmessage = async ({ data }) => {
	try {
		if ("text" in data) {
			postMessage({ answer: globalThis.bnfcheck(data.text, data.chosen) });
			return;
		}
		if ("question" in data) {
			let last = performance.now();
			const tell = (steps, production) => {
				if (performance.now() - last > 100) postMessage({ steps, production, last: last = performance.now() });
			};
			postMessage({ answer: globalThis.bnfplay(data.question, tell) });
			return;
		}
		const module = data.module ?? await WebAssembly.compile(unlzma(fromBase64(data.packed), share => postMessage({ share })));
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

// unlzma returns what a file holds that xz --format=lzma has compressed, with its size in the header. The names are those of the
// LZMA specification. told is called now and then with the share of it that is done.
function unlzma(src, told = () => {}) {
	const size = new DataView(src.buffer, src.byteOffset).getUint32(5, true), out = new Uint8Array(size);
	let d = src[0];
	const lc = d % 9, lp = (d = (d / 9) | 0) % 5, pb = (d / 5) | 0;
	const literalMask = (1 << lp) - 1, positionMask = (1 << pb) - 1;
	const probabilities = n => new Uint16Array(n).fill(1024);
	const isMatch = probabilities(12 << 4), isRep = probabilities(12), isRep0 = probabilities(12), isRep1 = probabilities(12), isRep2 = probabilities(12);
	const isRep0Long = probabilities(12 << 4), slots = probabilities(4 << 6), special = probabilities(128), aligned = probabilities(16);
	const literals = probabilities(0x300 << (lc + lp));
	const newLengths = () => probabilities(2 + (2 << 7) + 256); // [0], [1]: the choices; then 16 trees of 8, 16 of 8, one of 256
	const matchLengths = newLengths(), repLengths = newLengths();

	let at = 18, range = -1 >>> 0, code = ((src[14] << 24) | (src[15] << 16) | (src[16] << 8) | src[17]) >>> 0;
	function bit(p, i) {
		const v = p[i], bound = (range >>> 11) * v;
		let b;
		if (code < bound) {
			range = bound;
			p[i] = v + ((2048 - v) >>> 5);
			b = 0;
		} else {
			range -= bound;
			code -= bound;
			p[i] = v - (v >>> 5);
			b = 1;
		}
		if (range < 0x1000000) {
			range = (range << 8) >>> 0;
			code = ((code << 8) | src[at++]) >>> 0;
		}
		return b;
	}
	function tree(p, base, bits) {
		let m = 1;
		for (let i = bits; i > 0; i--) m = (m << 1) | bit(p, base + m);
		return m - (1 << bits);
	}
	function reversed(p, base, bits) {
		let m = 1, v = 0;
		for (let i = 0; i < bits; i++) {
			const b = bit(p, base + m);
			m = (m << 1) | b;
			v |= b << i;
		}
		return v;
	}
	function direct(bits) {
		let v = 0;
		for (; bits > 0; bits--) {
			range >>>= 1;
			let b = 0;
			if (code >= range) {
				code -= range;
				b = 1;
			}
			v = (v << 1) | b;
			if (range < 0x1000000) {
				range = (range << 8) >>> 0;
				code = ((code << 8) | src[at++]) >>> 0;
			}
		}
		return v >>> 0;
	}
	function length(p, place) {
		if (bit(p, 0) === 0) return 2 + tree(p, 2 + (place << 3), 3);
		if (bit(p, 1) === 0) return 10 + tree(p, 2 + 128 + (place << 3), 3);
		return 18 + tree(p, 2 + 256, 8);
	}

	let state = 0, rep0 = 0, rep1 = 0, rep2 = 0, rep3 = 0, pos = 0, next = 0;
	while (pos < size) {
		if (pos >= next) {
			told(pos / size);
			next = pos + (size >> 5);
		}
		const place = pos & positionMask;
		if (bit(isMatch, (state << 4) + place) === 0) {
			const before = pos > 0 ? out[pos - 1] : 0;
			const base = 0x300 * (((pos & literalMask) << lc) + (before >>> (8 - lc)));
			let m = 1;
			if (state >= 7) {
				let match = out[pos - rep0 - 1];
				do {
					const want = (match >>> 7) & 1;
					match <<= 1;
					const b = bit(literals, base + ((1 + want) << 8) + m);
					m = (m << 1) | b;
					if (want !== b) break;
				} while (m < 0x100);
			}
			while (m < 0x100) m = (m << 1) | bit(literals, base + m);
			out[pos++] = m;
			state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
			continue;
		}
		let n;
		if (bit(isRep, state) !== 0) {
			if (bit(isRep0, state) === 0) {
				if (bit(isRep0Long, (state << 4) + place) === 0) {
					state = state < 7 ? 9 : 11;
					out[pos] = out[pos - rep0 - 1];
					pos++;
					continue;
				}
			} else {
				let distance;
				if (bit(isRep1, state) === 0) distance = rep1;
				else {
					if (bit(isRep2, state) === 0) distance = rep2;
					else [distance, rep3] = [rep3, rep2];
					rep2 = rep1;
				}
				rep1 = rep0;
				rep0 = distance;
			}
			n = length(repLengths, place);
			state = state < 7 ? 8 : 11;
		} else {
			[rep3, rep2, rep1] = [rep2, rep1, rep0];
			n = length(matchLengths, place);
			state = state < 7 ? 7 : 10;
			const slot = tree(slots, Math.min(n - 2, 3) << 6, 6);
			rep0 = slot;
			if (slot >= 4) {
				const bits = (slot >> 1) - 1;
				rep0 = ((2 | (slot & 1)) << bits) >>> 0;
				if (slot < 14) rep0 += reversed(special, rep0 - slot, bits);
				else rep0 = (rep0 + direct(bits - 4) * 16 + reversed(aligned, 0, 4)) >>> 0;
			}
			if (rep0 === 0xffffffff) break;
		}
		if (rep0 >= pos || pos + n > size) throw new Error("The compressed program is damaged.");
		if (rep0 + 1 >= n) {
			out.copyWithin(pos, pos - rep0 - 1, pos - rep0 - 1 + n);
			pos += n;
		} else {
			for (; n > 0; n--, pos++) out[pos] = out[pos - rep0 - 1];
		}
	}
	if (pos !== size) throw new Error("The compressed program is cut off.");
	return out;
}
