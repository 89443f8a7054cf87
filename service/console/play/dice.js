// Manual dice: a person types or clicks the faces, one die after the other.
import { html, useRef, useState } from "../view.js";
import { useDraft } from "../draft.js";
import { attempt, sending } from "./act.js";
import { signed } from "../audit/sums.js";

/** @import { Prompt } from "../shapes.d.ts" */
/** @import { Fault } from "./act.js" */

const BUTTONS = 20;

/** @param {{ prompt: Prompt }} props */
export function Dice({ prompt }) {
  const dice = /** @type {number[]} */ (prompt.data.dice ?? []);
  const terms = /** @type {[string, number][]} */ (prompt.data.terms ?? []);
  const [faces, setFaces, drop] = useDraft(`dice ${prompt.id} ${prompt.data.formula}`, () => /** @type {(number | null)[]} */ (dice.map(() => null)));
  const [fault, setFault] = useState(/** @type {Fault | null} */ (null));
  const form = useRef(/** @type {HTMLFormElement | null} */ (null));
  const next = faces.indexOf(null);
  const ready = dice.every((sides, index) => fits(faces[index], sides));

  /** @param {number} index @param {number | null} face */
  function set(index, face) {
    const all = faces.map((before, at) => (at === index ? face : before));
    setFaces(all);
    setFault(null);
    return all;
  }

  const field = (/** @type {number} */ index) => /** @type {HTMLElement | undefined} */ (form.current?.querySelectorAll(".faces input")[index]);

  /** Accept a typed face. If no further digit can follow, focus the next die. @param {number} index @param {string} text */
  function type(index, text) {
    const face = text === "" ? null : Number(text);
    const sides = dice[index] ?? 0;
    const left = set(index, face).indexOf(null);
    if (left >= 0 && face !== null && fits(face, sides) && face * 10 > sides) field(left)?.focus();
  }

  /** Handle Enter: focus the next empty die, or send. @param {KeyboardEvent} event */
  function go(event) {
    if (event.key !== "Enter" || next < 0) return;
    event.preventDefault();
    field(next)?.focus();
  }

  /** Put a clicked face into the next die. After the last one, focus the send button. @param {number} face */
  function click(face) {
    set(Math.max(0, next), face);
    if (next === dice.length - 1) /** @type {HTMLElement | null} */ (form.current?.querySelector("[type=submit]"))?.focus();
  }

  async function send(/** @type {Event} */ event) {
    event.preventDefault();
    if (ready) await answer(faces);
  }

  /** Send the faces. `null` lets the service roll. @param {readonly (number | null)[] | null} faces */
  async function answer(faces) {
    const wrong = await attempt(`/prompts/${prompt.id}`, { inputs: { faces } });
    setFault(wrong);
    if (wrong === null) drop();
  }

  const sides = dice[Math.max(0, next)] ?? 0;
  return html`
    <form class="dice" ref=${form} onSubmit=${send}>
      <p class="formula"><b>${String(prompt.data.formula ?? "")}</b>${terms.map(([name, value], index) => html`<span key=${index}> ${signed(value)} ${name}</span>`)}</p>
      <div class="faces">
        ${dice.map(
          (most, index) => html`<label key=${index}>d${most}
            <input type="number" inputmode="numeric" min="1" max=${most} required value=${faces[index] ?? ""} aria-label=${`Die ${index + 1} of ${dice.length}, d${most}`}
              onKeyDown=${go} onInput=${(/** @type {any} */ event) => type(index, event.target.value)} />
          </label>`,
        )}
        <button type="submit" class="primary" aria-disabled=${!ready || sending.value !== null}>${ready ? `Send ${faces.join(", ")}` : "Send"}</button>
        <button type="button" aria-disabled=${sending.value !== null} onClick=${() => answer(null)}>Roll for me</button>
      </div>
      ${sides > 0 && sides <= BUTTONS &&
      html`<div class="die" role="group" aria-label=${`Faces of die ${Math.max(0, next) + 1}`}>
        ${Array.from({ length: sides }, (_, index) => html`<button type="button" key=${index} onClick=${() => click(index + 1)}>${index + 1}</button>`)}
      </div>`}
      ${fault && html`<p class="fault" role="alert">${fault.text}</p>`}
    </form>
  `;
}

/** @param {number | null | undefined} face @param {number} sides */
const fits = (face, sides) => typeof face === "number" && Number.isInteger(face) && face >= 1 && face <= sides;
