// Play a fight to its end with the client that typescript-fetch makes from the contract of one rulebook.
import {
  AnswerPromptFromJSON,
  CombatsApi,
  Configuration,
  DeclareActionFromJSON,
  PlayingApi,
  ResponseError,
  type FreeHitUnit,
  type OfferView,
  type OpenFreeHit,
} from "./fetch/index.js";

declare const process: { env: Record<string, string | undefined> };

const basePath = process.env["AFFRAY_URL"] ?? "http://127.0.0.1:8000";
const COMMANDS = 500;

/** Return an attack if one is ready, otherwise another ready offer. If no offer is ready, return undefined. */
function choice(options: OfferView[]): OfferView | undefined {
  const ready = options.filter((offer) => offer.prompt !== null && offer.examples.length > 0);
  const attack = ready.find((offer) => offer.category === "attack");
  return attack ?? ready.find((offer) => ["choose", "pass", "end"].includes(offer.category));
}

const sheet = (name: string, side: string, x: number): FreeHitUnit => ({
  name, side, agility: 4, accuracy: 6, max_hp: 12, at: [x, 0], weapons: [{ id: "sword", name: "sword", damage: "1d8" }],
});
const combatants = [{ sheet: sheet("Lin", "heroes", 0) }, { sheet: sheet("Troll", "monsters", 1) }];
const body: OpenFreeHit = { ruleset: "free-hit", combatants };
const { combat, token } = await new CombatsApi(new Configuration({ basePath })).openCombat({ body });
const gm = new Configuration({ basePath, accessToken: token });
const [combats, playing] = [new CombatsApi(gm), new PlayingApi(gm)];

async function play(): Promise<number> {
  await combats.beginCombat({ combat, requestBody: {} });
  for (let count = 0; count < COMMANDS; count += 1) {
    const offer = choice((await playing.readOptions({ combat })).options);
    if (offer === undefined) return count;
    const inputs = offer.examples[0];
    if (offer.kind === "turn") {
      const declareAction = DeclareActionFromJSON({ combatant: offer.who, action: offer.id, inputs });
      await playing.declareAction({ combat, declareAction });
    } else {
      const answerPrompt = AnswerPromptFromJSON({ option: offer.id, inputs });
      await playing.answerPrompt({ combat, prompt: offer.prompt ?? "", answerPrompt });
    }
  }
  return COMMANDS;
}

const count = await play().catch(async (error: unknown) => {
  throw error instanceof ResponseError ? new Error(await error.response.text()) : error;
});
const { status, combatants: end } = await combats.readCombat({ combat });
if (status !== "ended") throw new Error(`after ${count} commands the fight is ${status}`);
console.log(`typescript-fetch: a fight ended after ${count} commands; ${end.map(({ name, wound }) => `${name}: ${wound}`).join(", ")}`);
