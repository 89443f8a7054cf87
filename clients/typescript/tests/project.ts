// An empty project with the packed client, and programs of the documentation.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The URL of the service. If it is undefined, tests that need a service are skipped. */
export const SERVICE = process.env["AFFRAY_URL"];
export const skip = SERVICE === undefined && "AFFRAY_URL names no service";

/** Dice that fall the same each time. */
const DICE = "let seed = 7; Math.random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;\n";

export class Project {
  readonly folder = mkdtempSync(join(tmpdir(), "affray-client-"));

  constructor() {
    process.on("exit", () => rmSync(this.folder, { recursive: true }));
    const packed = execFileSync("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", this.folder], { encoding: "utf8" });
    this.write("package.json", '{"name": "table", "private": true, "type": "module"}\n');
    this.run("npm", "install", "--silent", "--offline", "--no-audit", "--no-fund", `./${packed.trim().split("\n").at(-1)}`);
    this.write("dice.mjs", DICE);
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  run(command: string, ...rest: string[]): string {
    return execFileSync(command, rest, { cwd: this.folder, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"], timeout: 120_000 });
  }

  /** Compile programs with the strictest checks, or check JavaScript. */
  compile(...files: string[]): void {
    const here = process.cwd();
    const compiler = join(here, "node_modules/typescript/bin/tsc");
    const javascript = files.every((file) => file.endsWith(".ts")) ? [] : ["--allowJs", "--checkJs", "--noEmit"];
    const types = ["--typeRoots", join(here, "node_modules/@types"), "--types", "node"];
    this.run("node", compiler, ...javascript, "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2022", ...types, ...files);
  }
}

/** Return the pieces of a page in one language, as one program. */
export function program(page: string, language: string): string {
  const pieces = readFileSync(page, "utf8").matchAll(new RegExp(`(?<=^ *\`\`\`${language}\n).*?(?=^ *\`\`\`$)`, "gms"));
  return Array.from(pieces, ([text]) => text).join("\n");
}
