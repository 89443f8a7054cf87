// Isolation of right-to-left words, so that they do not reorder the sentence around them. Pure.

const LETTER = "[\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}]";
/** A word or a name in a right-to-left script. */
const RUN = new RegExp(`(${LETTER}+(?:[ '’-]${LETTER}+)*)`, "u");
const SOME = new RegExp(LETTER, "u");

/** Elements whose text cannot hold elements, or is already isolated. */
const ALONE = ["bdi", "option", "title", "textarea", "text"];
/** Attributes with text for people. */
const READ = /** @type {const} */ (["title", "placeholder"]);

/** Return a text with isolating characters around right-to-left words, where no element fits. @param {string} text */
export const isolated = (text) => (SOME.test(text) ? text.split(RUN).map((part, index) => (index % 2 === 1 ? `\u2068${part}\u2069` : part)).join("") : text);

/**
 * Return the children of an element, with each right-to-left word in a `<bdi>`.
 * @param {unknown} child @param {unknown} type of the element @param {(text: string) => unknown} bdi
 * @returns {unknown}
 */
export function apart(child, type, bdi) {
  if (typeof child === "string") {
    if (!SOME.test(child) || type === "bdi" || type === "textarea") return child;
    if (ALONE.includes(String(type))) return isolated(child);
    return child.split(RUN).map((part, index) => (index % 2 === 1 ? bdi(part) : part));
  }
  return Array.isArray(child) ? child.map((part) => apart(part, type, bdi)) : child;
}

/** @param {Record<string, unknown> | null} props */
export function readable(props) {
  for (const name of READ) {
    const text = props?.[name];
    if (typeof text === "string" && SOME.test(text)) props = { ...props, [name]: isolated(text) };
  }
  return props;
}
