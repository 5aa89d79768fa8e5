import { expect, it, vi } from "vitest";
import { newPerson } from "../ingress/open-ingress.ts";
import { storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { openPage } from "./open-page.ts";
import { rowsOf } from "./table-rows.ts";

const store = storeOn(await testDatabase());

const endings = async (page: Awaited<ReturnType<typeof openPage>>, personId: string) =>
  (await page.ingress.deps.audit.newest({ personId }, 10)).records.map(
    ({ action, target }) => `${action} ${target}`,
  );

it("lists the viewer's own browsers, and logs one or all others out", async () => {
  const page = await openPage(store);
  const person = newPerson({ name: "Ada" });
  const here = await page.logIn("admin", person);
  const stolen = await page.logIn("admin", person);
  const third = await page.logIn("admin", person);
  const someone = await page.logIn();
  const shown = await here.text("/browsers");
  const rows = rowsOf(shown, "Your browsers");
  expect(rows).toHaveLength(3);
  expect(rows.filter(([name]) => name?.includes("This browser"))).toHaveLength(1);
  for (const [, since, used] of rows)
    for (const moment of [since, used]) expect(moment).toMatch(/^20\d\d-.* UTC$/);
  expect(shown).not.toContain(someone.sessionId);

  const ended = await here.post("/browsers/end", { id: stolen.sessionId });
  expect(ended.headers.get("location")).toBe("/browsers?done=loggedOut");
  expect((await stolen.get("/")).headers.get("location")).toBe("/in");
  expect((await third.get("/")).status).toBe(200);
  for (const id of [stolen.sessionId, someone.sessionId, ""])
    expect((await here.post("/browsers/end", { id })).status).toBe(409);

  const end = vi.spyOn(page.ingress.deps.page.sessions, "end");
  end.mockRejectedValueOnce(new Error("killed"));
  expect((await here.post("/browsers/others", {})).status).toBe(500);
  expect(await endings(page, person.id)).toHaveLength(2);
  await here.post("/browsers/others", {});
  expect((await third.get("/")).headers.get("location")).toBe("/in");
  for (const browser of [here, someone]) expect((await browser.get("/")).status).toBe(200);
  const lines = await endings(page, person.id);
  expect(lines.filter((line) => line.startsWith("page-session-ended"))).toHaveLength(2);
  expect(await endings(page, someone.person.id)).not.toContainEqual(
    expect.stringContaining("page-session-ended"),
  );
  expect(rowsOf(await here.text("/browsers"), "Your browsers")).toHaveLength(1);
});
