// SHA-256 and HMAC, because the browser has none on plain HTTP. Pure.

const K = constants();

/** Return the constants of the standard: the fractional parts of the cube roots of the first 64 primes. */
function constants() {
  const fractions = [];
  for (let n = 2; fractions.length < 64; n += 1) {
    let prime = true;
    for (let d = 2; d * d <= n; d += 1) if (n % d === 0) prime = false;
    if (prime) fractions.push(fraction(n));
  }
  return fractions;
}

/** Return 32 exact bits of the fraction of a cube root. @param {number} n */
function fraction(n) {
  const wanted = BigInt(n) << 96n;
  let low = 0n;
  let high = 1n << 40n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle * middle * middle <= wanted) low = middle;
    else high = middle;
  }
  return Number(low & 0xffffffffn);
}

const FIRST = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];

/** @param {number} word @param {number} by */
const turn = (word, by) => (word >>> by) | (word << (32 - by));

/** @param {Uint8Array} message @returns {Uint8Array} */
export function sha256(message) {
  const length = ((message.length + 8) >> 6) * 64 + 64;
  const bytes = new Uint8Array(length);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setBigUint64(length - 8, BigInt(message.length) * 8n);
  const state = new Uint32Array(FIRST);
  for (let at = 0; at < length; at += 64) block(state, view, at);
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((word, index) => out.setUint32(index * 4, word));
  return new Uint8Array(out.buffer);
}

/** @param {Uint32Array} state @param {DataView} view @param {number} at */
function block(state, view, at) {
  const w = new Uint32Array(64);
  const word = (/** @type {number} */ index) => w[index] ?? 0;
  for (let t = 0; t < 16; t += 1) w[t] = view.getUint32(at + t * 4);
  for (let t = 16; t < 64; t += 1) {
    const a = word(t - 15);
    const b = word(t - 2);
    w[t] = word(t - 16) + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + word(t - 7) + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10));
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let t = 0; t < 64; t += 1) {
    const number = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + (K[t] ?? 0) + word(t)) | 0;
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + number) | 0, c, b, a, (number + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((value, index) => (state[index] = (state[index] ?? 0) + value));
}

/** @param {Uint8Array} key at most 64 bytes @param {Uint8Array} message */
export function hmac(key, message) {
  const padded = new Uint8Array(64);
  padded.set(key);
  const inner = sha256(joined(padded.map((byte) => byte ^ 0x36), message));
  return sha256(joined(padded.map((byte) => byte ^ 0x5c), inner));
}

/** @param {Uint8Array} first @param {Uint8Array} second */
function joined(first, second) {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

/** @param {Uint8Array} bytes */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {string} text */
export const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

const encoder = new TextEncoder();

/** @param {string} text */
export const utf8 = (text) => encoder.encode(text);
