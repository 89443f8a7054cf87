// A square or a path: chosen from the legal ones, typed, or clicked on the map.
import { html, useEffect, useId, useState } from "../view.js";
import { ask } from "../commands.js";
import { present, shown, wanted } from "../state.js";
import { length, place, sameSquare, walk, written } from "../map/wanted.js";
import { nameOf } from "./chips.js";

/** @import { Offer, Square } from "../shapes.d.ts" */

/** @typedef {NonNullable<Offer["reach"]>["squares"][number]} Reached */
/** @import { WidgetProps } from "./controls.js" */

/** @param {WidgetProps & { path: boolean, several: boolean }} props */
export function Places({ value, set, candidates, who, option, path, several }) {
  const owner = useId();
  const squares = /** @type {Square[]} */ (several ? (value ?? []) : Array.isArray(value) && value.length > 0 ? [value] : []);
  const from = shown.value?.combatants.find((combatant) => combatant.id === who)?.position ?? null;
  const reached = useReach(path ? who : null, option);
  const listed = /** @type {Square[][]} */ (candidates.filter(Array.isArray).map((candidate) => (several ? candidate : [candidate])));
  const legal = reached.length > 0 ? reached.map((goal) => goal.path) : listed;
  const choose = (/** @type {Square[]} */ next) => set(several ? next : (next.at(-1) ?? null));

  /** Return the service's path to a goal, or else a straight one. A further goal extends the path. @param {Square} goal */
  function reach(goal) {
    if (!several) return choose([goal]);
    if (!path) return choose(squares.some((square) => sameSquare(square, goal)) ? squares.filter((square) => !sameSquare(square, goal)) : [...squares, goal]);
    const known = squares.length === 0 ? legal.find((squares) => sameSquare(squares.at(-1) ?? [], goal)) : undefined;
    choose(known ?? [...squares, ...walk(squares.at(-1) ?? from ?? goal, goal)]);
  }

  /** Take clicked squares for one field at a time: the focused one, or else the first. */
  function take() {
    const goals = legal.map((squares) => squares.at(-1) ?? []);
    wanted.value = { owner, who, path, from, squares, goals, choose: reach, back: () => choose(squares.slice(0, -1)) };
  }
  const taking = wanted.value?.owner === owner;
  useEffect(() => {
    if (shown.peek() !== null && (wanted.peek() === null || wanted.peek()?.owner === owner)) take();
  }, [JSON.stringify(value), JSON.stringify(from), reached]);
  useEffect(() => () => void (wanted.peek()?.owner === owner && (wanted.value = null)), []);

  const text = squares.map(place).join("; ");
  return html`
    <div class="places">
      <input
        type="text"
        aria-label=${path ? "Squares entered, as (x, y); (x, y)" : several ? "Squares, as (x, y); (x, y)" : "Square, as (x, y)"}
        placeholder=${shown.value === null ? (several ? "(1, 0); (2, 0)" : "(2, 0)") : "tap the map"}
        value=${text}
        onFocus=${() => shown.peek() !== null && take()}
        class=${taking ? "taking" : ""}
        onChange=${(/** @type {any} */ event) => choose(written(event.target.value) ?? squares)}
      />
      ${path && squares.length > 0 && html`<button type="button" class="quiet" onClick=${() => choose(squares.slice(0, -1))}>Step back</button>`}
      ${legal.length > 0 &&
      html`<select aria-label="Legal goals" value="" onChange=${(/** @type {any} */ event) => choose(legal[event.target.value] ?? squares)}>
        <option value="">to …</option>
        ${legal.map((squares, index) => html`<option value=${index} key=${index}>${place(squares.at(-1) ?? [])}${reached[index] ? told(reached[index]) : ""}</option>`)}
      </select>`}
    </div>
  `;
}

/** Load the reachable squares with their paths, costs and reactions. @param {string | null} who @param {string | null} option */
function useReach(who, option) {
  const [squares, setSquares] = useState(/** @type {readonly Reached[]} */ ([]));
  const version = present.value?.version;
  useEffect(() => {
    if (who === null || option === null) return;
    void ask(`/options?combatant=${encodeURIComponent(who)}&reach=yes`).then(
      (answer) => setSquares(answer.options.find((/** @type {Offer} */ offer) => offer.id === option)?.reach?.squares ?? []),
      () => setSquares([]),
    );
  }, [who, option, version]);
  return squares;
}

/** @param {Reached} one */
function told({ cost, provokes = [] }) {
  return `: ${length(cost)}${provokes.length > 0 ? `, past ${provokes.map((provoke) => nameOf("combatant", provoke.who, null)).join(", ")}` : ""}`;
}
