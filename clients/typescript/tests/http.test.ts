// Requests: the client repeats safe requests with the same key, and reports a refusal as a `Problem`.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Affray, Problem, Unreachable, compare } from "@affray/client";
import { broken, json, scripted } from "./scripted.js";

const COMMITTED = { version: 3, events: [], prompts: [], result: { verdict: null, sentence: "", sum: null, changes: [] } };
const UNAVAILABLE = { type: "/problems/unavailable", title: "The database did not answer", status: 503 };

const seat = (url: string, patience_s = 60) => new Affray({ url: `${url}/`, patience_s }).combat("c1", "affray_token");

test("a POST without an answer is sent again with the same key", async () => {
  const { url, requests } = await scripted(broken, json(503, UNAVAILABLE), json(200, COMMITTED, { ETag: '"3"' }));
  const committed = await seat(url).roll("Lin:1", [4]);
  assert.equal(committed.version, 3);
  assert.equal(requests.length, 3);
  assert.deepEqual(new Set(requests.map((request) => request.body)), new Set(['{"inputs":{"faces":[4]}}']));
  const keys = new Set(requests.map((request) => request.headers["idempotency-key"]));
  assert.equal(keys.size, 1);
  assert.match([...keys][0] as string, /^[0-9a-f]{32}$/);
  assert.equal(requests[0]?.headers.authorization, "Bearer affray_token");
});

test("two commands have two keys", async () => {
  const { url, requests } = await scripted(json(200, COMMITTED), json(200, COMMITTED));
  await seat(url).begin();
  await seat(url).begin();
  assert.notEqual(requests[0]?.headers["idempotency-key"], requests[1]?.headers["idempotency-key"]);
});

test("Retry-After is waited for", async () => {
  const { url } = await scripted(json(429, { type: "/problems/too-many-requests" }, { "Retry-After": "1" }), json(200, COMMITTED));
  const before = Date.now();
  await seat(url).begin();
  assert.ok(Date.now() - before >= 1000);
});

test("an answer that would come after the patience is not waited for", async () => {
  const { url, requests } = await scripted(json(503, UNAVAILABLE, { "Retry-After": "30" }));
  await assert.rejects(seat(url, 2).begin(), (problem) => problem instanceof Problem && problem.kind === "unavailable");
  assert.equal(requests.length, 1);
});

test("a service that is not there is told at once, and given up after the patience", async () => {
  const waits: string[] = [];
  const affray = new Affray({ url: "http://127.0.0.1:49151", patience_s: 1, onWait: (why) => waits.push(why.message) });
  const told = /^POST http:.*combats: no answer \(.*ECONNREFUSED/;
  await assert.rejects(affray.open("free-hit", {}), (thrown) => thrown instanceof Unreachable && told.test(thrown.message));
  assert.match(waits[0] ?? "", told);
});

test("a DELETE without an answer is not repeated; one of which nothing was stored is", async () => {
  const lost = await scripted(broken);
  await assert.rejects(seat(lost.url).call("deleteCombat", {}), Unreachable);
  assert.equal(lost.requests.length, 1);
  const busy = await scripted(json(503, UNAVAILABLE), (answer) => answer.writeHead(204).end());
  assert.equal(await seat(busy.url).call("deleteCombat", {}), undefined);
  assert.equal(busy.requests.length, 2);
});

test("a refusal is a problem with rule, reason, pointer and what is allowed", async () => {
  const document = {
    type: "/problems/illegal-action",
    title: "The rules do not allow this",
    status: 409,
    detail: "it is not Troll's turn",
    rule: "FH-SEQ-05",
    reason: "not-your-turn",
    pointer: "/combatant",
    allowed: ["Lin"],
    closed: { how: "overtaken", successor: "Lin:2" },
  };
  const { url, requests } = await scripted(json(409, document));
  const problem = await seat(url).begin().catch((thrown: unknown) => thrown);
  assert.ok(problem instanceof Problem);
  const { status, kind, detail, rule, reason, pointer, allowed, successor } = problem;
  assert.deepEqual(
    { status, kind, detail, rule, reason, pointer, allowed, successor },
    {
      status: 409,
      kind: "illegal-action",
      detail: "it is not Troll's turn",
      rule: "FH-SEQ-05",
      reason: "not-your-turn",
      pointer: "/combatant",
      allowed: ["Lin"],
      successor: "Lin:2",
    },
  );
  assert.equal(requests.length, 1);
});

test("a page of a proxy is a problem too", async () => {
  const { url } = await scripted((answer) => answer.writeHead(403).end("<html>no</html>"));
  await assert.rejects(seat(url).begin(), { name: "Problem", status: 403, kind: "about:blank" });
});

test("an unchanged board is not transferred again, and its ETag goes with a command", async () => {
  const board = { version: 10, combatants: [] };
  const { url, requests } = await scripted(
    json(200, board, { ETag: '"10-aa"' }),
    (answer) => answer.writeHead(304).end(),
    json(412, { type: "/problems/stale", version: '"11-bb"' }),
  );
  const lina = seat(url);
  const first = await lina.board();
  assert.equal(await lina.board(), first);
  assert.equal(requests[1]?.headers["if-none-match"], '"10-aa"');
  await assert.rejects(lina.begin({ ifMatch: first }), (problem) => problem instanceof Problem && problem.isStale);
  assert.equal(requests[2]?.headers["if-match"], '"10-aa"');
});

test("what no request has read cannot be matched", async () => {
  const { url, requests } = await scripted();
  await assert.rejects(async () => seat(url).begin({ ifMatch: {} }), TypeError);
  assert.equal(requests.length, 0);
});

test("an abort ends the wait", async () => {
  const { url } = await scripted(json(503, UNAVAILABLE, { "Retry-After": "20" }));
  await assert.rejects(seat(url).begin({ signal: AbortSignal.timeout(100) }), { name: "TimeoutError" });
});

test("versions compare as docs/stability.md promises", () => {
  const relations = (client: string, ...services: (string | null)[]) => services.map((service) => compare(client, service).relation);
  assert.deepEqual(relations("0.1.1", "0.1.1", "0.1.2", "0.1.0", "0.2.0", "1.1.1", null), ["same", "newer", "older", "other", "other", "other"]);
  assert.deepEqual(relations("1.2.3", "1.2.3", "1.3.0", "1.2.2", "2.0.0", "0.2.3"), ["same", "newer", "older", "other", "other"]);
});
