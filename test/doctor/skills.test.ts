import { describe, expect, it } from "vitest";
import { skillsCheck } from "../../src/doctor/skills.ts";
import { Deployment } from "../skills/folder.ts";
import { libraryOf } from "../skills/library.ts";
import { storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";

const store = storeOn(await testDatabase());

describe("what doctor says of skills", () => {
  it("is nothing without any, what waits and is wrong, and else how many there are", async () => {
    using deployment = new Deployment();
    const check = skillsCheck({ skills: deployment }, { store });
    const run = async () =>
      (await check.run(new AbortController().signal)).map(({ id, status }) => `${id} ${status}`);
    expect(await run()).toEqual([]);

    deployment.skill("pdf");
    deployment.write("skills/broken/SKILL.md", "no front matter");
    const { library, approveAll } = libraryOf(store, deployment);
    await library.look();
    expect(await run()).toEqual(["skills.files warning", "skills.waiting warning"]);

    deployment.write("skills/broken/SKILL.md", "---\ndescription: x\nname: broken\n---\n");
    await approveAll();
    expect(await run()).toEqual(["skills.files ok"]);
  });
});
