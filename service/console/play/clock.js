// The time until a prompt's deadline, announced at 30 and at 10 seconds.
import { html, useEffect, useState } from "../view.js";

/** @param {{ until: string, text: string }} props */
export function Clock({ until, text }) {
  const left = () => Math.max(0, Math.round((Date.parse(until) - Date.now()) / 1000));
  const [seconds, setSeconds] = useState(left);
  useEffect(() => {
    const tick = setInterval(() => setSeconds(left()), 1000);
    return () => clearInterval(tick);
  }, [until]);
  const spoken = seconds === 30 || seconds === 10 ? `${seconds} seconds left: ${text}` : "";
  return html`
    <time class=${seconds <= 10 ? "clock soon" : "clock"} aria-hidden="true">${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}</time>
    <span class="unseen" aria-live="assertive">${spoken}</span>
  `;
}
