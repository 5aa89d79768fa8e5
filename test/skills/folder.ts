import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { readSkills, type FoundSkill, type Reading } from "../../src/skills/read-skills.ts";
import { walkFolders } from "../../src/skills/walk-folders.ts";

/** A folder next to a `parley.yaml`, with `skills` in it; gone when it is disposed of. */
export class Deployment implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), "parley-skills-"));
  readonly folders = [join(this.root, "skills"), join(this.root, ".agents/skills")];
  readonly lockFile = join(this.root, "parley-skills.lock");

  at(path: string): string {
    return join(this.root, path);
  }

  write(path: string, content: string | Uint8Array): void {
    mkdirSync(dirname(this.at(path)), { recursive: true });
    writeFileSync(this.at(path), content);
  }

  /** A plain skill. */
  skill(name: string, body = "Do it well.", description = `About ${name}.`): void {
    this.write(
      `skills/${name}/SKILL.md`,
      `---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`,
    );
  }

  async read(): Promise<Reading> {
    return await readSkills(await walkFolders(this.folders));
  }

  async readOne(): Promise<FoundSkill> {
    const { skills, problems } = await this.read();
    const [skill] = skills;
    if (skill === undefined) throw new Error(`no skill: ${problems.join(" ")}`);
    return skill;
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
