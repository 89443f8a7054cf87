// Make the types and the table of operations from the published contract. They are made before each
// build and are not kept in the repository, so they cannot be older than the contract.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import openapi, { astToString } from "openapi-typescript";

const source = new URL("../../../openapi/openapi.json", import.meta.url);
const target = new URL("../src/", import.meta.url);
const text = readFileSync(source, "utf8");
const contract = JSON.parse(text);
const sha256 = createHash("sha256").update(text).digest("hex");

const METHODS = ["get", "post", "put", "patch", "delete"];
const lines = Object.entries(contract.paths)
  .flatMap(([path, ways]) => METHODS.filter((method) => ways[method]).map((method) => [path, method, ways[method]]))
  .map(([path, method, { operationId, parameters = [], requestBody }]) => {
    const headers = parameters.filter((parameter) => parameter.in === "header").map((parameter) => parameter.name);
    const facts = {
      method: method.toUpperCase(),
      path,
      keyed: headers.includes("Idempotency-Key"),
      serviceKey: headers.includes("Affray-Service-Key"),
      body: Object.keys(requestBody?.content ?? {}).at(-1) ?? null,
    };
    return `  ${operationId}: ${JSON.stringify(facts)},`;
  });

writeFileSync(
  new URL("made.ts", target),
  `// Made from openapi/openapi.json by \`npm run contract\`.

/** The contract from which this client was made. */
export const CONTRACT = ${JSON.stringify({ version: contract.info.version, sha256 })} as const;

/** Every operation: how it is sent. */
export const OPERATIONS = {
${lines.join("\n")}
} as const;
`,
);
const ast = await openapi(source);
writeFileSync(new URL("contract.d.ts", target), astToString(ast));
