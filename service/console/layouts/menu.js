// The menu with rare functions: links, proof of the dice, end of the fight.
import { html, useEffect, useState } from "../view.js";
import { closed, present, reading, role } from "../state.js";
import { Window } from "../window.js";
import { Links } from "../share/links.js";
import { Proof } from "../share/proof.js";
import { End } from "../rule/end.js";
import { Own } from "./own.js";
import { Keys } from "./keys.js";

export function Menu() {
  const [open, setOpen] = useState("");
  const [unfolded, setUnfolded] = useState(false); // on a phone
  useEffect(() => {
    if (!unfolded) return undefined;
    const fold = (/** @type {Event} */ event) => /** @type {Element} */ (event.target).closest(".menu, .unfold") === null && setUnfolded(false);
    document.addEventListener("pointerdown", fold);
    return () => document.removeEventListener("pointerdown", fold);
  }, [unfolded]);
  if (present.value === null || closed.value !== null) return null;
  const close = () => setOpen("");
  const gm = role.value === "gm";
  return html`
    <button type="button" class="quiet unfold" aria-expanded=${unfolded} onClick=${() => setUnfolded(!unfolded)}>Menu</button>
    <nav class=${unfolded ? "menu unfolded" : "menu"} aria-label="Fight" onClick=${() => setUnfolded(false)}>
      ${gm && !reading.value && html`<button type="button" class="quiet" onClick=${() => setOpen("share")}>Share</button>`}
      ${role.value === "player" && html`<button type="button" class="quiet" onClick=${() => setOpen("own")}>My sheet</button>`}
      <button type="button" class="quiet" onClick=${() => setOpen("dice")}>Dice proof</button>
      <button type="button" class="quiet keys" aria-keyshortcuts="?" onClick=${() => setOpen("keys")}>Keys</button>
      ${gm && !reading.value && present.value.status === "running" && html`<button type="button" class="quiet" onClick=${() => setOpen("end")}>End…</button>`}
    </nav>
    ${open === "own" && html`<${Window} title="My sheet" close=${close}><${Own} /></${Window}>`}
    ${open === "share" && html`<${Window} title="Who else is at the table" close=${close}><${Links} close=${close} /></${Window}>`}
    ${open === "dice" && html`<${Window} title="Were the dice fair?" close=${close}><${Proof} /></${Window}>`}
    ${open === "keys" && html`<${Window} title="Keys" close=${close}><${Keys} /></${Window}>`}
    ${open === "end" && html`<${Window} title="End the fight?" close=${close}><${End} done=${close} /></${Window}>`}
  `;
}
