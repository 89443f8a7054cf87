// Rules of the page's modules: hooks are called in one order, and each element of a list has a key.
import hooks from "eslint-plugin-react-hooks";

/** The template that a callback of `map` returns. */
function template(callback) {
  const body = callback?.body;
  if (body === undefined) return null;
  const value = body.type === "BlockStatement" ? body.body.findLast((one) => one.type === "ReturnStatement")?.argument : body;
  return value?.type === "TaggedTemplateExpression" && value.tag.name === "html" ? value : null;
}

const keys = {
  meta: { type: "problem", schema: [], messages: { missing: "An element of a list has no key." } },
  create: (context) => ({
    CallExpression(node) {
      if (!["map", "flatMap"].includes(node.callee.property?.name)) return;
      const found = template(node.arguments[0]);
      if (found === null) return;
      const tags = found.quasi.quasis.map((part) => part.value.raw).join("•").trim();
      if (tags.startsWith("<") && !/^<[^>]*\bkey=/.test(tags)) context.report({ node: found, messageId: "missing" });
    },
  }),
};

export default [
  {
    files: ["**/*.js"],
    ignores: ["**/vendor/**"],
    plugins: { hooks, page: { rules: { keys } } },
    rules: {
      "hooks/rules-of-hooks": "error",
      "page/keys": "error",
      "prefer-const": "error",
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-unused-vars": ["error", { ignoreRestSiblings: true }],
    },
  },
];
