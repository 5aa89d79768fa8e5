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
  what: (checks) => checks.skills,
  async run() {
    const { skills, problems } = await readSkills(await walkFolders(folders));
    const reported = services && (await createSkillReviews(services.store).list());
    const waiting = (reported ?? []).filter(({ state }) => state === "waiting");
    const findings: Examined[] = [];
    if (problems.length > 0)
      findings.push({
        id: "skills.files",
        status: "warning",
        say: ({ findings: { skills: said } }) => ({
          ...said.files,
          what: said.files.what(problems.join(" ")),
        }),
      });
    if (waiting.length > 0)
      findings.push({
        id: "skills.waiting",
        status: "warning",
        say: ({ findings: { skills: said } }) => ({
          ...said.waiting,
          what: said.waiting.what(waiting.map(({ name }) => name).join(", ")),
        }),
      });
    return findings.length > 0 || skills.length === 0
      ? findings
      : [ok("skills.files", ({ skills: said }) => said.usable(skills.length))];
  },
});
