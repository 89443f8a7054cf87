// Asks for the service key that some services require to open a combat.
import { html, useState } from "../view.js";
import { line, read, Refused } from "../http.js";
import { useEffect } from "../view.js";

export function ServiceKey() {
  const [needed, setNeeded] = useState(false);
  useEffect(() => {
    line.token = null;
    void read("/v1/combats?limit=1").catch((failed) => setNeeded(failed instanceof Refused && failed.status === 401));
  }, []);
  if (!needed) return null;
  return html`
    <label class="field"><span class="label">Service key</span>
      <input type="password" autocomplete="off" onInput=${(/** @type {any} */ event) => (line.token = event.target.value || null)} />
      <span class="hint">This service opens combats only for those who know its key.</span>
    </label>
  `;
}
