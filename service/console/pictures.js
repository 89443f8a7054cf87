// Pictures of the service, loaded with the token and cached in memory. The page loads nothing from
// other hosts.
import { signal } from "./view.js";
import { readFile, send } from "./http.js";
import { base, present } from "./state.js";

/** @import { Signal } from "./view.js" */

/** A cached picture: its address and its aspect ratio. @typedef {{ url: string, ratio: number }} Shown */
/** @typedef {{ shown: Signal<Shown | null>, failed: number | null }} Known */

const ID = /^[\w-]{22}$/;
const FORMAT = "image/webp";
const QUALITY = 0.85;
/** Maximum number of pixels on the longer side of a token or a map. */
export const TOKEN_PX = 256;
export const MAP_PX = 2048;

/** @type {Map<string, Known>} */
const known = new Map();

/** Return a picture, or null until it is loaded. @param {string | null | undefined} reference */
export function pictured(reference) {
  if (!reference || !ID.test(reference)) return null;
  const path = `${base()}/pictures/${reference}`;
  const entry = known.get(path) ?? { shown: signal(/** @type {Shown | null} */ (null)), failed: null };
  const version = present.peek()?.version ?? 0;
  if (!known.has(path) || (entry.failed !== null && entry.failed !== version)) {
    known.set(path, entry);
    entry.failed = null;
    void load(path, entry, version);
  }
  return entry.shown.value;
}

/** @param {string} path @param {Known} known @param {number} version after a refusal, the page asks again when the board has a later version */
async function load(path, known, version) {
  try {
    const url = URL.createObjectURL(await readFile(path));
    const image = new Image();
    image.src = url;
    await image.decode();
    known.shown.value = { url, ratio: image.naturalHeight / image.naturalWidth };
  } catch {
    known.failed = version;
  }
}

/** Return the picture as WebP, scaled down if necessary. @param {Blob} file @param {number} longest */
async function shrunk(file, longest) {
  const image = await createImageBitmap(file);
  const by = Math.min(1, longest / Math.max(image.width, image.height));
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.max(1, Math.round(image.width * by)), Math.max(1, Math.round(image.height * by))];
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** Return the picture as a data URL, for a draft. @param {Blob} file @param {number} longest */
export const held = async (file, longest) => (await shrunk(file, longest)).toDataURL(FORMAT, QUALITY);

/** Store a picture with the fight, and return its id. @param {Blob | string} source a file, or an address @param {number} longest @param {string} [fight] */
export async function store(source, longest, fight = base()) {
  if (typeof source === "string" && !source.startsWith("data:")) {
    return (await send("POST", `${fight}/pictures/copies`, { address: source, longest })).picture;
  }
  const content = typeof source === "string" ? unpacked(source) : await new Promise((done, no) => void shrunk(source, longest).then((canvas) => canvas.toBlob(done, FORMAT, QUALITY), no));
  return (await send("POST", `${fight}/pictures?longest=${longest}`, content, { type: "application/octet-stream" })).picture;
}

/** @param {string} address */
function unpacked(address) {
  const text = atob(address.slice(address.indexOf(",") + 1));
  return Uint8Array.from(text, (sign) => sign.charCodeAt(0));
}
