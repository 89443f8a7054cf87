// The scene of Owlbear Rodeo, through its SDK.
import OBR, { type Item } from "@owlbear-rodeo/sdk";
import type { Link, Scene, Square, Token } from "./port.js";

const KEY = "affray/link";

export const scene: Scene = {
  async selection() {
    const ids = (await OBR.player.getSelection()) ?? [];
    const items = await OBR.scene.items.getItems(ids);
    return tokensOf(items.filter((item) => item.layer === "CHARACTER" || item.layer === "MOUNT"));
  },

  async tokens(ids) {
    return tokensOf(await OBR.scene.items.getItems([...ids]));
  },

  async move(squares) {
    const dpi = await OBR.scene.grid.getDpi();
    const before = new Map((await scene.tokens([...squares.keys()])).map((token) => [token.id, token.square]));
    // Move by the distance, so that a token of any size keeps its place within the square.
    await OBR.scene.items.updateItems([...before.keys()], (items) => {
      for (const item of items) {
        const [from, to] = [before.get(item.id), squares.get(item.id)];
        if (!from || !to) continue;
        item.position.x += (to[0] - from[0]) * dpi;
        item.position.y += (to[1] - from[1]) * dpi;
      }
    });
  },

  async link() {
    return ((await OBR.scene.getMetadata())[KEY] as Link | undefined) ?? null;
  },

  async setLink(link) {
    await OBR.scene.setMetadata({ [KEY]: link ?? undefined });
  },

  async announce(text) {
    await OBR.notification.show(text);
  },
};

async function tokensOf(items: readonly Item[]): Promise<Token[]> {
  const dpi = await OBR.scene.grid.getDpi();
  return Promise.all(
    items.map(async ({ id, name }) => {
      const { min } = await OBR.scene.items.getItemBounds([id]);
      const square: Square = [Math.round(min.x / dpi), Math.round(min.y / dpi)];
      return { id, name, square };
    }),
  );
}
