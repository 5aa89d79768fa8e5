import type { Settings } from "../config/settings.ts";
import type { Services } from "../services.ts";
import { readSkills } from "../skills/read-skills.ts";
import { walkFolders } from "../skills/walk-folders.ts";
import { createSkillReviews } from "../store/operations/skill-reviews.ts";
import { ok, type Check, type Examined } from "./check.ts";

/** The skills on this machine's disk, and what waits for a review; nothing where there are none. */
export const skillsCheck = (
  { skills: { folders } }: Pick<Settings, "skills">,
  services: Pick<Services, "store"> | undefined,
): Check => ({
  id: "skills",
  what: "The list of skills",
  async run() {
    const { skills, problems } = await readSkills(await walkFolders(folders));
    const reported = services && (await createSkillReviews(services.store).list());
    const waiting = (reported ?? []).filter(({ state }) => state === "waiting");
    const findings: Examined[] = [];
    if (problems.length > 0)
      findings.push({
        id: "skills.files",
        status: "warning",
        what: problems.join(" "),
        why: "Files that are left out aren't used, and the rest may not be what the skill's author meant.",
        fix: "Correct these files, or remove them.",
      });
    if (waiting.length > 0)
      findings.push({
        id: "skills.waiting",
        status: "warning",
        what: `These skills wait for a review: ${waiting.map(({ name }) => name).join(", ")}.`,
        why: "No model sees them before.",
        fix: "Send /skills review to the bot.",
      });
    return findings.length > 0 || skills.length === 0
      ? findings
      : [ok("skills.files", `${skills.length} skills can be used.`)];
  },
});
