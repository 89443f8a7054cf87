// The map editor. Clicks draw, and one button saves.
import { html, useEffect, useState } from "../view.js";
import { useInView } from "../focus.js";
import { Form, wrongIn } from "../schema/form.js";
import { changed } from "../schema/values.js";
import { fields } from "../schema/read.js";
import { attempt, say, sending } from "../play/act.js";
import { ruleset, shown, sketch } from "../state.js";
import { takeBack } from "../time/verbs.js";
import { bodies, edges, frame, ground } from "../map/shapes.js";

/** @import { Inputs, Schema } from "../shapes.d.ts" */
/** @import { Fault } from "../play/act.js" */

/** @param {{ done: () => void }} props */
export function Ground({ done }) {
  const schema = /** @type {Schema} */ (ruleset.value?.map ?? {});
  const [map, setMap] = useState(/** @type {Inputs} */ (shown.peek()?.map ?? {}));
  const [fault, setFault] = useState(/** @type {Fault | null} */ (null));
  useEffect(() => void (sketch.value = map), [map]);
  useEffect(() => () => void (sketch.value = null), []);
  const drawn = fields(schema).some((field) => field.refers === "square" || field.schema.items);

  async function set(/** @type {Event} */ event) {
    event.preventDefault();
    const wrong = await attempt("/map", { map: Object.keys(map).length === 0 ? null : map }, {}, "PUT");
    setFault(wrong);
    if (wrong !== null) return;
    say("The map is set.", takeBack);
    done();
  }

  /** @param {string} name @param {unknown} value */
  function change(name, value) {
    setFault(null);
    setMap(spread(changed(map, name, value), map));
  }

  const form = useInView();
  return html`
    <form class="filling" ref=${form} aria-label="The map" onSubmit=${set}>
      <p class="hint">${drawn ? "Go to a field, then click squares on the map; a second click takes a square away." : "This rulebook asks for no walls: a name and the extent are all."}</p>
      <${Form} schema=${whole(schema)} value=${map} set=${change} wrong=${wrongIn(fault, schema)} explain />
      ${fault && wrongIn(fault, schema) === null && html`<p class="fault" role="alert">${fault.text}</p>`}
      <div class="send">
        <button type="submit" class="primary" aria-disabled=${sending.value !== null}>Set the map</button>
        <button type="button" class="quiet" onClick=${done}>Not now</button>
      </div>
    </form>
  `;
}

/** Return a schema with all fields required, so that the form shows each of them. @param {Schema} schema @returns {Schema} */
const whole = (schema) => ({ ...schema, required: Object.keys(schema.properties ?? {}) });

/** Let the picture cover the whole map until somebody gives it another position. @param {Inputs} map @param {Inputs} before @returns {Inputs} */
function spread(map, before) {
  const background = /** @type {Inputs | null | undefined} */ (map.background);
  if (!background?.picture) return map;
  const isPlaced = Object.entries(extent(before)).some(([name, value]) => (background[name] ?? value) !== value);
  return isPlaced ? map : { ...map, background: { ...background, ...extent(map) } };
}

/** Return the position of a picture that covers the map, or all that is visible of a map without limits. @param {Inputs} map */
function extent(map) {
  const edge = edges(map);
  if (edge !== null) return { left: edge.x, top: edge.y, columns: edge.width };
  const board = shown.peek();
  const { left, top, width } = frame(board ? bodies(board) : [], ground(board?.map ?? {}), []);
  return { left, top, columns: width };
}
