// Make the types and the table of operations from the contract. Each build makes both files again, and
// the repository does not contain them. So they are never older than the contract.
//
// The contract is AFFRAY_CONTRACT (a file, or the URL of a service's /schema/openapi.json), else a copy
// in this package's folder, else that of the clone.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import openapi, { astToString } from "openapi-typescript";

const target = new URL("../src/", import.meta.url);
const text = await contractText();

async function contractText() {
  const named = process.env.AFFRAY_CONTRACT;
  if (named && /^https?:/.test(named)) return (await fetch(named)).text();
  if (named) return readFileSync(named, "utf8");
  const places = ["../openapi.json", "../../../openapi/openapi.json"].map((path) => new URL(path, import.meta.url));
  const place = places.find(existsSync);
  if (place === undefined) throw new Error("no contract: copy openapi.json into this folder, or set AFFRAY_CONTRACT");
  return readFileSync(place, "utf8");
}

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
// Inputs without fields become `Record<string, unknown>`. With `never`, a field for any inputs would accept no other value.
const ast = await openapi(contract, { emptyObjectsUnknown: true });
writeFileSync(new URL("contract.d.ts", target), astToString(ast));
