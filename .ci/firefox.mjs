// Play a ready fight in Firefox: the GM begins it, a player on a phone acts, both see each other's commands, and the GM ends it.
import { launch } from "puppeteer-core";

const url = process.env.AFFRAY_URL;
const [, , executablePath] = process.argv;
const browser = await launch({ browser: "firefox", executablePath, headless: true });
const faults = [];

/** Open an address in a page with separate storage. Errors of the page fail the run. */
async function sit(address, width, height) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage({ type: "window" }); // a background tab opens no stream
  page.setDefaultTimeout(20_000);
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  await page.setViewport({ width, height }).catch((error) => {
    if (!/setScreenOrientationOverride/.test(error)) throw error; // before Firefox 144, the size is set although the call fails
  });
  await page.goto(address);
  const wide = await page.evaluate(() => innerWidth);
  if (wide !== width) throw new Error(`the page is ${wide} px wide, not ${width}`);
  return page;
}

/** Call `look` on the page until its value is true, and return a handle of the value. `waitForFunction` makes code from text, which the page's policy blocks. */
async function until(page, look, ...more) {
  for (const end = Date.now() + 20_000; Date.now() < end; await new Promise((next) => setTimeout(next, 100))) {
    const found = await page.evaluateHandle(look, ...more);
    if (await found.evaluate((value) => Boolean(value))) return found;
  }
  throw new Error(`after 20 s still not: ${look} ${more}`);
}

/** Wait until the page is up to date, and until its new cards accept clicks. */
const settled = (page) => until(page, () => document.querySelector(".table[data-version][aria-busy=false]") !== null && document.querySelector(".cards.fresh") === null);

/** Click the first visible button whose name or text begins with `words`. */
async function click(page, words, within = "body") {
  const button = await until(
    page,
    (start, place) => [...document.querySelectorAll(`${place} button`)].find((one) => one.checkVisibility() && (one.ariaLabel ?? one.innerText.trim()).startsWith(start)),
    words,
    within,
  );
  await button.asElement().click();
}

/** Wait until a part of the page contains `words`. */
const says = (page, part, words) => until(page, (place, text) => [...document.querySelectorAll(place)].some((one) => one.innerText.includes(text)), part, words);

const version = (page) => page.$eval(".table", (table) => Number(table.dataset.version));

/** Wait until the page shows a newer version than `than`. */
const newer = (page, than) => until(page, (before) => Number(document.querySelector(".table").dataset.version) > before, than);

const gm = await sit(url, 1280, 800);
await click(gm, "Begin The troll on the bridge");
await settled(gm);
await click(gm, "Share", ".menu");
await click(gm, "Lin's player", "dialog .options");
const link = await until(gm, () => document.querySelector("dialog .fresh input"));
const player = await sit(await link.evaluate((field) => field.value), 390, 844);
await gm.keyboard.press("Escape");
await settled(player);
await says(player, ".card.ask", "It is Lin's turn");
const map = await player.$eval(".map svg", (drawn) => [drawn.clientWidth, drawn.clientHeight]);
if (map[0] < 390 || map[1] < 240) faults.push(`the map is ${map.join(" × ")} px on a phone`);

const before = await version(gm);
await click(player, "Strike Troll", ".card.ask");
await newer(gm, before);
await says(gm, ".log", "Lin attacks Troll");
await says(gm, ".result", "Troll");
await says(player, ".result", "Troll");
await settled(player);
await click(player, "End the turn", ".card.ask");
await says(gm, ".card.ask", "It is Troll's turn");
await settled(gm);
await gm.keyboard.press("1"); // the key 1 chooses the first option, an attack
await says(player, ".result", "Lin");
await settled(gm);
if (await gm.$(".card.ask")) {
  await click(gm, "End…", ".menu");
  await click(gm, "End the fight", "dialog form");
}
for (const page of [gm, player]) await says(page, ".cards", "The fight is over");
console.log(`Firefox ${await browser.version()}: a fight, seen by two`);
await browser.close();
if (faults.length > 0) {
  console.error(faults.join("\n"));
  process.exit(1);
}
