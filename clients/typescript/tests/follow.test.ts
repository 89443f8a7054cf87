// The stream: it resumes, falls back to polling, and ends.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Affray, type FollowOptions, type Message, Problem, type StreamState } from "@affray/client";
import { Frames } from "../dist/follow.js";
import { type Turn, broken, events, frame, json, scripted } from "./scripted.js";

const TIMES = { again: 20, longest: 40, first: 20_000, silence: 20_000, poll: 20, retry: 60_000 };
const BRISK = { times: { ...TIMES, first: 1_500, silence: 1_500 } };
const BOARD = { version: 10, combatants: [] };
const command = (version: number, board: unknown = null) => frame("command", { version, sentences: [`${version}`], board }, `${version}-aa`);
const END = frame("closed", { reason: "deleted" });

/** Follow a script to its end: messages, states, and the `Last-Event-ID` of each request. */
async function follow(turns: Turn[], options: FollowOptions = {}) {
  const { url, requests } = await scripted(...turns);
  const messages: Message[] = [];
  const states: StreamState[] = [];
  const onState = (state: StreamState) => states.push(state);
  for await (const message of new Affray(url).combat("c1", "t").follow({ times: TIMES, onState, ...options })) messages.push(message);
  return { messages, states, requests, after: requests.map((request) => request.headers["last-event-id"] ?? null) };
}

const ids = (messages: readonly Message[]) => messages.map((message) => message.id);

test("a broken connection resumes where it was", async () => {
  const { messages, states, after } = await follow([
    events(["retry: 2000\n\n", frame("board", BOARD, "10-aa"), command(11)]),
    broken,
    events(["retry: 2000\n\n", command(12, BOARD)]),
    events([END]),
  ]);
  assert.deepEqual(ids(messages), ["10-aa", "11-aa", "12-aa", null]);
  assert.deepEqual(after, [null, "11-aa", "11-aa", "12-aa"]);
  assert.deepEqual(states, ["live", "lost", "live"]);
  assert.deepEqual(messages.map((message) => message.board?.version ?? null), [10, null, 10, null]);
});

test("a service that stops is awaited; a revoked token is the end", async () => {
  const { messages, requests } = await follow([
    events([frame("closed", { reason: "stopping" })]),
    events([frame("closed", { reason: "revoked" })]),
  ]);
  assert.deepEqual(messages.map((message) => message.type === "closed" && message.data.reason), ["stopping", "revoked"]);
  assert.equal(requests.length, 2);
});

test("too many streams: it polls, with the same ids", async () => {
  const { messages, states, requests, after } = await follow([
    json(429, { type: "/problems/too-many-listeners" }),
    events([frame("board", BOARD, "10-aa")]),
    events([command(11)]),
    events([END]),
  ]);
  assert.deepEqual(ids(messages), ["10-aa", "11-aa", null]);
  assert.deepEqual(after, [null, null, "10-aa", "11-aa"]);
  assert.deepEqual(requests.map((request) => new URL(request.url, "http://x").searchParams.get("wait")), [null, "0", "0", "0"]);
  assert.deepEqual(states, ["lost", "polling"]);
});

test("something between that buffers: it polls", async () => {
  const { messages, requests } = await follow([() => {}, events([frame("board", BOARD, "10-aa"), END])], BRISK);
  assert.deepEqual(ids(messages), ["10-aa", null]);
  assert.match(requests[1]?.url ?? "", /wait=0/);
});

test("where polling fails too, streaming is tried again", async () => {
  const { requests } = await follow([() => {}, () => {}, events([END])], BRISK);
  assert.deepEqual(requests.map((request) => /wait=0/.test(request.url)), [false, true, false]);
});

test("a stream that falls silent is opened again", async () => {
  const { messages, after, requests } = await follow([events([frame("board", BOARD, "10-aa")], true), events([END])], BRISK);
  assert.deepEqual(ids(messages), ["10-aa", null]);
  assert.deepEqual(after, [null, "10-aa"]);
  assert.doesNotMatch(requests[1]?.url ?? "", /wait/);
});

test("an id that is refused is dropped: the board comes first", async () => {
  const { messages, after } = await follow(
    [json(400, { type: "/problems/malformed", pointer: "/header/Last-Event-ID" }), events([frame("board", BOARD, "3-bb"), END])],
    { after: "10-aa" },
  );
  assert.deepEqual(after, ["10-aa", null]);
  assert.deepEqual(ids(messages), ["3-bb", null]);
});

test("a token that is not good is a problem", async () => {
  await assert.rejects(follow([json(401, { type: "/problems/unauthorized" })]), (problem) => problem instanceof Problem && problem.status === 401);
});

test("an amendment brings the new board; offers come when asked for", async () => {
  const prompts = [{ id: "9-1", kind: "turn" }];
  const amended = { version: 12, back_to: 4, at: "", sentences: ["It was a miss."], board: { ...BOARD, version: 12, prompts } };
  const { messages, requests, after } = await follow(
    [
      events([
        frame("board", BOARD, "10-aa"),
        frame("progress", { done: 3, total: 8 }),
        frame("amended", amended, "12-aa"),
        frame("offers", { version: 12, options: [], schemas: {}, cited: {} }),
      ]),
      events([END]),
    ],
    { offers: true },
  );
  assert.deepEqual(messages.map((message) => message.type), ["board", "progress", "amended", "offers", "closed"]);
  assert.deepEqual(messages.map((message) => message.board?.version ?? null), [10, null, 12, 12, null]);
  assert.deepEqual(messages[2]?.board?.prompts.map((prompt) => prompt.id), ["9-1"]);
  assert.deepEqual(after, [null, "12-aa"]);
  assert.match(requests[0]?.url ?? "", /offers=prompted/);
});

test("messages of a newer service are left out", async () => {
  const { messages, after } = await follow([events([frame("weather", {}, "11-aa")]), events([END])]);
  assert.deepEqual(messages.map((message) => message.type), ["closed"]);
  assert.deepEqual(after, [null, "11-aa"]);
});

test("an abort ends it without an error; so does break", async () => {
  const control = new AbortController();
  setTimeout(() => control.abort(), 100);
  const { messages } = await follow([events([frame("board", BOARD, "10-aa")], true)], { signal: control.signal });
  assert.equal(messages.length, 1);
  const { url } = await scripted(events([frame("board", BOARD, "10-aa")], true));
  for await (const message of new Affray(url).combat("c1", "t").follow()) {
    assert.equal(message.type, "board");
    break;
  }
});

test("pieces of any size give the same frames", () => {
  const text = `: still here\n\n${frame("board", { name: "Größe" }, "1")}${command(2).replaceAll("\n", "\r\n")}data: a\ndata: b\n\n`;
  const whole = new Frames().feed(text);
  assert.deepEqual(whole.map(({ event, id }) => [event, id]), [["board", "1"], ["command", "2-aa"], ["message", null]]);
  assert.equal(whole[2]?.data, "a\nb");
  for (const size of [1, 2, 3, 7]) {
    const frames = new Frames();
    const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size));
    assert.deepEqual(pieces.flatMap((piece) => frames.feed(piece)), whole);
  }
});
