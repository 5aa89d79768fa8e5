import { expect, it } from "vitest";
import { allViews } from "../../src/page/views/all-views.ts";
import { storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { openPage } from "./open-page.ts";

const store = storeOn(await testDatabase());

it("shows every view of the menu to an admin, and none to a stranger", async () => {
  const page = await openPage(store);
  const admin = await page.logIn();
  for (const { path, isInMenu } of allViews) {
    if (!isInMenu) continue;
    expect((await admin.get(path)).status, path).toBe(200);
    const refused = await page.stranger().get(path);
    expect([refused.status, refused.headers.get("location")]).toEqual([303, "/in"]);
  }
});
