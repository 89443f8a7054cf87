// A link as a QR code, drawn in the page. No other service sees the link.
import { encode, html } from "../view.js";

/** @param {{ text: string, label: string }} props */
export function Code({ text, label }) {
  const { size, data } = encode(text, { border: 2 });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return html`<svg class="qr" role="img" aria-label=${label} viewBox=${`0 0 ${size} ${size}`} shape-rendering="crispEdges"><rect class="light" width=${size} height=${size} /><path class="dark" d=${path} /></svg>`;
}
