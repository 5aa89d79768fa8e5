import { createHash } from "node:crypto";
import { performance } from "node:perf_hooks";
import { notifyAdminsAnywhere } from "../access/notify-admins.ts";
import type { ReportedSkill } from "../core/skill.ts";
import { localeFor } from "../locales/locale-for.ts";
import type { Services } from "../services.ts";
import { SkillLibrary } from "../skills/skill-library.ts";
import { createSkillReviews } from "../store/operations/skill-reviews.ts";

type Deps = Pick<
  Services,
  "settings" | "store" | "access" | "people" | "connectedBots" | "post" | "log"
>;

/**
 * The skills of this worker. Each admin is notified once of every version that waits for a review.
 * @param say shows a line to the person who started Parley.
 */
export async function startSkills(deps: Deps, say: (line: string) => void): Promise<SkillLibrary> {
  const { settings, store, log } = deps;
  const reviews = createSkillReviews(store);
  const library = new SkillLibrary({
    settings: settings.skills,
    reviews,
    async onReport(waiting) {
      const unknown = new Set(await reviews.unknownToAdmins(waiting.map(({ version }) => version)));
      const news = waiting.filter(({ version }) => unknown.has(version));
      if (news.length === 0) return;
      say(localeFor().skills.news(namesOf(news)));
      // While no admin can be reached, it is tried again with every report.
      if ((await notify(deps, news)) > 0) await reviews.noteKnown([...unknown]);
    },
    monotonic: () => performance.now(),
    log,
  });
  await library.start();
  return library;
}

async function notify(deps: Deps, news: readonly ReportedSkill[]): Promise<number> {
  const versions = news.map(({ version }) => version).join();
  // The same for all workers, so that each admin gets it once.
  const id = `skills-${createHash("sha256").update(versions).digest("base64url")}`;
  return await notifyAdminsAnywhere(deps, ({ skills }) => ({
    kind: "notice",
    v: 1,
    id,
    text: skills.news(namesOf(news)),
  }));
}

const maxNamed = 20;
const namesOf = (skills: readonly ReportedSkill[]): string => {
  const names = skills.slice(0, maxNamed).map(({ name }) => name);
  return [...names, ...(skills.length > maxNamed ? ["…"] : [])].join(", ");
};
