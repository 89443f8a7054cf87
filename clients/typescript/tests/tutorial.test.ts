// docs/tutorials/vtt-in-typescript.md: its programs compile and play against a running service.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Project, SERVICE, program, skip } from "./project.js";

const PAGE = "../../docs/tutorials/vtt-in-typescript.md";

test("the tutorial plays a fight to its end, and a second screen tells it again", { skip }, () => {
  const project = new Project();
  const screen = program(PAGE, "ts screen");
  // The page prints the command of the second screen for people; here the program says it too.
  project.write("vtt.ts", `${program(PAGE, "ts")}\nconsole.log(gm.id, issued.token);\n`);
  project.write("screen.ts", screen);
  project.compile("vtt.ts", "screen.ts");
  const told = project.run("node", "--import", "./dice.mjs", "vtt.js");
  assert.match(told, /\[ Strike Troll with the sword \]/);
  assert.match(told, /Path: \(-1, -1, 0\) \| \(-1, -1, 0\) → /);
  assert.match(told, /Lin attacks Troll with the sword/);
  assert.match(told, /The fight ends; the (heroes|monsters) won/);
  const [id = "", token = ""] = told.trim().split("\n").at(-1)?.split(" ") ?? [];
  const again = project.run("node", "screen.js", SERVICE ?? "", id, token);
  assert.match(again, /^Lin joins the heroes\.$/m);
  assert.match(again, /The fight ends; the (heroes|monsters) won/);
});
