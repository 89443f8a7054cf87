// A server that follows a script: one turn for each request, in order.
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after } from "node:test";

export interface Request {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}

export type Turn = (answer: ServerResponse, request: Request) => void;

export async function scripted(...turns: Turn[]): Promise<{ url: string; requests: Request[] }> {
  const requests: Request[] = [];
  const server = createServer(async (incoming, answer) => {
    let body = "";
    for await (const piece of incoming) body += String(piece);
    const request = { method: incoming.method ?? "", url: incoming.url ?? "", headers: incoming.headers, body };
    requests.push(request);
    (turns.shift() ?? ((_) => answer.writeHead(500).end("the script is over")))(answer, request);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Turn =>
  (answer) =>
    answer.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));

/** The connection breaks before an answer. */
export const broken: Turn = (answer) => answer.destroy();

/** Server-Sent Events; `open` keeps the stream open. */
export const events =
  (pieces: readonly string[], open = false): Turn =>
  (answer) => {
    answer.writeHead(200, { "Content-Type": "text/event-stream" });
    for (const piece of pieces) answer.write(piece);
    if (!open) answer.end();
  };

export const frame = (event: string, data: unknown, id?: string) =>
  `event: ${event}\n${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
