// The one importer of the vendored libraries.
import { createElement } from "./vendor/preact.js";
import htm from "./vendor/htm.js";

export { render } from "./vendor/preact.js";
export { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "./vendor/hooks.js";
export { encode } from "./vendor/uqr.js";
export { batch, computed, effect, signal } from "./vendor/signals.js";

export const html = htm.bind(createElement);
