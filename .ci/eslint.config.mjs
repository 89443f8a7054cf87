// Lint the page's modules: hooks run in a fixed order, and each element of a list has a key.
import hooks from "eslint-plugin-react-hooks";

/** Return the template that a callback of `map` returns, or null. */
function template(callback) {
  const body = callback?.body;
  if (body === undefined) return null;
  const value = body.type === "BlockStatement" ? body.body.findLast((statement) => statement.type === "ReturnStatement")?.argument : body;
  return value?.type === "TaggedTemplateExpression" && value.tag.name === "html" ? value : null;
}

const keys = {
  meta: { type: "problem", schema: [], messages: { missing: "An element of a list has no key." } },
  create: (context) => ({
    CallExpression(node) {
      if (!["map", "flatMap"].includes(node.callee.property?.name)) return;
      const drawn = template(node.arguments[0]);
      if (drawn === null) return;
      const tags = drawn.quasi.quasis.map((part) => part.value.raw).join("•").trim();
      if (tags.startsWith("<") && !/^<[^>]*\bkey=/.test(tags)) context.report({ node: drawn, messageId: "missing" });
    },
  }),
};

/** Names that do not describe the value of a variable. */
const nameless = "/^(one|each|found|mine)$/";
const binding = [
  `VariableDeclarator > Identifier.id[name=${nameless}]`,
  `:function > Identifier.params[name=${nameless}]`,
  `:function > AssignmentPattern.params > Identifier.left[name=${nameless}]`,
  `ObjectPattern > Property > Identifier.value[name=${nameless}]`,
  `ArrayPattern > Identifier[name=${nameless}]`,
].join(", ");

export default [
  {
    files: ["**/*.js"],
    ignores: ["**/vendor/**"],
    plugins: { hooks, page: { rules: { keys } } },
    rules: {
      "hooks/rules-of-hooks": "error",
      "page/keys": "error",
      "no-restricted-syntax": ["error", { selector: binding, message: "Name the variable for what it holds." }],
      "prefer-const": "error",
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-unused-vars": ["error", { ignoreRestSiblings: true }],
    },
  },
];
