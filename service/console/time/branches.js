// Undone branches: how each began, who began it, and how it ended.
import { html, useEffect, useState } from "../view.js";
import { ask, lookAt } from "../commands.js";
import { entries, past, role } from "../state.js";
import { author } from "../board.js";
import { BesideThePresent } from "./sides.js";

/** @import { Branch, Tree } from "../shapes.d.ts" */

/** Event types that begin a branch. */
const TURNS = ["reverted", "amended"];
const CLOCK = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });

export function Branches() {
  const [tree, setTree] = useState(/** @type {Tree | null} */ (null));
  const lost = role.value === "gm" ? entries.value.filter((entry) => entry.undone).length : 0;
  const some = lost > 0;
  const turned = entries.value.find((entry) => entry.lines.some((line) => TURNS.includes(line.type)))?.first;
  useEffect(() => {
    if (some) void ask("/tree").then(setTree, () => setTree(null));
  }, [turned, lost]);
  const undone = some ? (tree?.branches.filter((branch) => !branch.present) ?? []) : [];
  if (undone.length === 0) return null;
  return html`
    <div class="branches" role="group" aria-label="Taken back">
      ${[...undone].reverse().map(
        (branch) => html`<button type="button" class="branch" key=${branch.first} aria-pressed=${past.value !== null && past.value.version >= branch.first && past.value.version <= branch.last} title=${`Look at the end of it: moment ${branch.last}`} onClick=${() => lookAt(branch.last)}>
          <b>${branch.round > 0 ? `R${branch.round} ` : ""}${named(branch)}</b> <small>${given(branch)}</small>
        </button><${BesideThePresent} key=${`beside ${branch.first}`} version=${branch.last} name=${named(branch)} />`,
      )}
    </div>
  `;
}

/** Return the title of a branch: "Lin: Boost a hit, by Lin's player, and 2 more". The others may have other authors. @param {Branch} branch */
function named(branch) {
  const inside = entries.value.filter((entry) => entry.undone && entry.first >= branch.first && entry.last <= branch.last).length;
  const more = inside > 1 ? `, and ${inside - 1} more` : "";
  return `${branch.command}, by ${author(branch.by, branch.label)}${more}`;
}

/** Return how a branch ended: "taken back 14:02 by Second GM: wrong button". @param {Branch} branch */
function given({ left }) {
  if (!left) return "taken back";
  const when = CLOCK.format(new Date(left.at));
  return `taken back ${when} by ${author(left.by, left.label)}${left.reason ? `: ${left.reason}` : ""}`;
}
