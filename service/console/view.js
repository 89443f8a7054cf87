// The only module that imports the vendored libraries.
import { createElement } from "./vendor/preact.js";
import htm from "./vendor/htm.js";
import { apart, readable } from "./isolate.js";

export { render } from "./vendor/preact.js";
export { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "./vendor/hooks.js";
export { encode } from "./vendor/uqr.js";
export { batch, computed, effect, signal } from "./vendor/signals.js";

/** @param {string} text */
const bdi = (text) => createElement("bdi", null, text);

/** Create an element with isolated names. A component gets its properties unchanged. */
const element = (/** @type {any} */ type, /** @type {any} */ props, /** @type {unknown[]} */ ...children) =>
  typeof type === "string" ? createElement(type, readable(props), ...children.map((child) => apart(child, type, bdi))) : createElement(type, props, ...children);

export const html = htm.bind(element);
