// A long list that draws only the items near the visible part. The others keep their height.
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../view.js";

/** Number of items in a chunk. */
const SIZE = 30;
/** Estimated height of an item. */
const GUESS_PX = 60;
/** Maximum distance of a drawn chunk from the visible part. */
const MARGIN_PX = 800;

/**
 * `items`: the newest first. The list draws an item again when the `sign` of the item changes.
 * @template One @param {{ items: readonly One[], sign: (item: One) => string, draw: (item: One, before: One | undefined) => unknown }} props
 */
export function Windowed({ items, sign, draw }) {
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const heights = useRef(/** @type {Map<number, number>} */ (new Map()));
  const [top, setTop] = useState(0);
  useEffect(() => {
    const look = () => {
      const above = Math.max(0, -(list.current?.getBoundingClientRect().top ?? 0));
      setTop(Math.floor(above / (MARGIN_PX / 4)) * (MARGIN_PX / 4));
    };
    document.addEventListener("scroll", look, { capture: true, passive: true });
    return () => document.removeEventListener("scroll", look, { capture: true });
  }, []);
  let y = 0;
  return html`
    <ol reversed ref=${list}>
      ${chunks(items).map(({ key, from, own }) => {
        const high = heights.current?.get(key) ?? own.length * GUESS_PX;
        const near = y + high > top - MARGIN_PX && y < top + innerHeight + MARGIN_PX;
        y += high;
        if (!near) return html`<li class="gap" key=${key} aria-hidden="true" style=${{ height: `${high}px` }}></li>`;
        return html`<${Chunk} key=${key} name=${key} heights=${heights} items=${own} before=${items[from - 1]} sign=${sign} draw=${draw} />`;
      })}
    </ol>
  `;
}

/** Return chunks, counted from the oldest item. A new item then changes only the first chunk. @template One @param {readonly One[]} items */
function chunks(items) {
  const list = [];
  for (let to = items.length; to > 0; to -= SIZE) {
    const from = Math.max(0, to - SIZE);
    list.unshift({ key: (items.length - to) / SIZE, from, own: items.slice(from, to) });
  }
  return list;
}

/** @param {{ name: number, heights: { current: Map<number, number> | null }, items: readonly any[], before: any, sign: (item: any) => string, draw: (item: any, before: any) => unknown }} props */
function Chunk({ name, heights, items, before, sign, draw }) {
  const first = useRef(/** @type {HTMLElement | null} */ (null));
  const last = useRef(/** @type {HTMLElement | null} */ (null));
  const signed = [before, ...items].map((item) => (item === undefined ? "" : sign(item))).join(" ");
  const drawn = useMemo(() => items.map((item, index) => draw(item, index === 0 ? before : items[index - 1])), [signed]);
  useLayoutEffect(() => {
    if (first.current && last.current) heights.current?.set(name, last.current.getBoundingClientRect().top - first.current.getBoundingClientRect().top);
  }, [signed]);
  return html`<li class="edgeof" aria-hidden="true" ref=${first}></li>${drawn}<li class="edgeof" aria-hidden="true" ref=${last}></li>`;
}
