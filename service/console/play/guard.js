// The guard against clicks on a card that has just changed.
import { useEffect, useRef, useState } from "../view.js";

const GUARD_MS = 400;

/** Return whether the cards have just changed, and a handler that drops early clicks. @param {string} identity */
export function useGuard(identity) {
  const known = useRef(/** @type {{ identity: string, since: number } | null} */ (null));
  if (known.current?.identity !== identity) known.current = { identity, since: performance.now() };
  const { since } = /** @type {{ since: number }} */ (known.current);
  const [, wake] = useState(0);
  useEffect(() => {
    const over = setTimeout(() => wake(since), GUARD_MS);
    return () => clearTimeout(over);
  }, [since]);
  const early = () => performance.now() - since < GUARD_MS;
  /** @param {Event} event */
  function click(event) {
    if (!early() || !(/** @type {Element} */ (event.target).closest("button"))) return;
    event.preventDefault();
    event.stopPropagation();
  }
  return { fresh: early(), click };
}
