import { pino } from "pino";
import { SkillLibrary } from "../../src/skills/skill-library.ts";
import type { ReportedSkill } from "../../src/core/skill.ts";
import { createSkillReviews } from "../../src/store/operations/skill-reviews.ts";
import type { Store } from "../../src/store/redis/redis.ts";
import type { Deployment } from "./folder.ts";

/** A worker's skills on a real store, with what it wrote to the log and said that waits. */
export function libraryOf(
  store: Pick<Store, "clock" | "redis">,
  { folders, lockFile }: Deployment,
) {
  const waits: (readonly ReportedSkill[])[] = [];
  const lines: string[] = [];
  const reviews = createSkillReviews(store);
  const library = new SkillLibrary({
    settings: { folders, lockFile },
    reviews,
    onReport: (waiting) => {
      waits.push(waiting);
      return Promise.resolve();
    },
    monotonic: () => performance.now(),
    log: pino({}, { write: (line: string) => void lines.push(line) }),
  });
  const names = (): readonly string[] => library.offered.map(({ name }) => name);
  /** An admin approves all that waits, and the worker finds out. */
  const approveAll = async (): Promise<void> => {
    await library.look();
    for (const { version, state } of await reviews.list())
      if (state === "waiting")
        await reviews.decide(version, { kind: "approved", by: "telegram:1" });
    await library.look();
  };
  return { library, reviews, waits, lines, names, approveAll };
}
