// Names of any script: words that are written from right to left stand apart, so that no sentence is turned around. Pure.

const LETTER = "[\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}]";
/** One word, or the words of one name. */
const RUN = new RegExp(`(${LETTER}+(?:[ '’-]${LETTER}+)*)`, "u");
const SOME = new RegExp(LETTER, "u");

/** Their texts take no elements, or are isolated already. */
const ALONE = ["bdi", "option", "title", "textarea", "text"];
/** Attributes that people read as text. */
const READ = /** @type {const} */ (["title", "placeholder"]);

/** The text with invisible marks around such words, for where no element fits. @param {string} text */
export const isolated = (text) => (SOME.test(text) ? text.split(RUN).map((part, index) => (index % 2 === 1 ? `\u2068${part}\u2069` : part)).join("") : text);

/**
 * The children of an element, with each such word in a `<bdi>`.
 * @param {unknown} child @param {unknown} type of the element @param {(text: string) => unknown} bdi
 * @returns {unknown}
 */
export function apart(child, type, bdi) {
  if (typeof child === "string") {
    if (!SOME.test(child) || type === "bdi" || type === "textarea") return child;
    if (ALONE.includes(String(type))) return isolated(child);
    return child.split(RUN).map((part, index) => (index % 2 === 1 ? bdi(part) : part));
  }
  return Array.isArray(child) ? child.map((one) => apart(one, type, bdi)) : child;
}

/** @param {Record<string, unknown> | null} props */
export function readable(props) {
  for (const name of READ) {
    const text = props?.[name];
    if (typeof text === "string" && SOME.test(text)) props = { ...props, [name]: isolated(text) };
  }
  return props;
}
