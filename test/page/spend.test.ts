import { beforeEach, describe, expect, it } from "vitest";
import { storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { directPlace, groupPlace, newPerson, type Place } from "../ingress/open-ingress.ts";
import { chatLink } from "../../src/page/chat-link.ts";
import { openPage } from "./open-page.ts";
import { spentAt, tookOf } from "./spending.ts";
import { linesOf, rowsOf } from "./table-rows.ts";

const store = storeOn(await testDatabase());
const dayMs = 86_400_000;

beforeEach(async () => {
  await store.redis.flushdb();
  await store.clock.read();
});

type Page = Awaited<ReturnType<typeof openPage>>;
let calls = 0;
async function settle({ services }: Page, place: Place, usd: number, model = "a/dear") {
  calls += 1;
  const { person, chat } = place;
  const took = tookOf({ model, usd, tokens: 1_000 });
  await services.budget.settle({ person, chat, role: "member" }, `call-${calls}`, took);
  await services.limits.flush();
}

async function placeOf({ services }: Page, name: string): Promise<Place> {
  const place = directPlace(newPerson({ name }));
  await services.people.notePerson(place.person);
  return place;
}

describe("the view Spend", () => {
  it("says that nothing was spent", async () => {
    const page = await openPage(store);
    const text = await (await page.logIn()).text("/spend");
    expect(text).toContain("Nothing was spent in this period.");
    expect(text).not.toContain("<svg");
  });

  it("lists what budgets have settled today, the dearest first, with shares and limits", async () => {
    const page = await openPage(store);
    const [ann, ben] = [await placeOf(page, "Ann"), await placeOf(page, "Ben")];
    const { limitService } = page.services.limits;
    await limitService.set("e1", { kind: "person" }, [{ metric: "cost", per: "day", max: 4 }]);
    await limitService.set("e2", { kind: "chat", chat: ann.chat }, [
      { metric: "tokens", per: "day", max: 10_000 },
      { metric: "tokens", per: "month", max: 99_000 },
    ]);
    await limitService.set("e3", { kind: "global" }, [{ metric: "cost", per: "day", max: 40 }]);
    await settle(page, ann, 1);
    await settle(page, ben, 3, "b/cheap");
    const text = await (await page.logIn()).text("/spend");
    expect(rowsOf(text, "By chat")).toEqual([
      [`Ben ${ben.chat}`, "$3.00", "75%", "1,000", "1", "none"],
      [`Ann ${ann.chat}`, "$1.00", "25%", "1,000", "1", "1,000 of 10,000 tokens (10%)"],
    ]);
    expect(rowsOf(text, "By person")).toEqual([
      [`Ben ${ben.person.id}`, "$3.00", "75%", "1,000", "1", "$3.00 of $4.00 (75%)"],
      [`Ann ${ann.person.id}`, "$1.00", "25%", "1,000", "1", "$1.00 of $4.00 (25%)"],
    ]);
    expect(rowsOf(text, "By model")).toEqual([
      ["b/cheap", "$3.00", "75%", "1,000", "1"],
      ["a/dear", "$1.00", "25%", "1,000", "1"],
    ]);
    expect(linesOf(text)).toContain("Everyone together: $4.00 of $40.00 (10%)");
    expect(text).toContain(chatLink(ann.chat, "Ann").toString());
  });

  it("finds yesterday's most expensive chat, a group with all of its topics", async () => {
    const page = await openPage(store);
    const group = groupPlace(newPerson({ name: "Ann" }));
    const { chat } = group.address;
    await page.services.people.notePerson({ id: `telegram:chat:${chat}`, name: "Sales" });
    const topic = { ...group, chat: `${group.chat}:5` as Place["chat"] };
    const yesterdayMs = store.clock.now() - dayMs;
    const spent = { model: "a/dear", tokens: 10 };
    await spentAt(store, yesterdayMs, { place: group, usd: 2, ...spent });
    await spentAt(store, yesterdayMs, { place: topic, usd: 2.5, ...spent });
    await spentAt(store, yesterdayMs, { place: await placeOf(page, "Ben"), usd: 4, ...spent });
    await settle(page, await placeOf(page, "Eve"), 100);
    const admin = await page.logIn();
    const text = await admin.text("/spend?period=yesterday");
    expect(rowsOf(text, "By chat")[0]?.slice(0, 3)).toEqual([
      `Sales ${group.chat}`,
      "$4.50",
      "53%",
    ]);
    expect(text).toMatch(/aria-current="true"\s*>Yesterday/);
    const day = new Date(yesterdayMs).toISOString().slice(0, 10);
    expect(rowsOf(await admin.text(`/spend?period=${day}`), "By chat")).toEqual(
      rowsOf(text, "By chat"),
    );
  });

  it("draws the last 30 days, with their figures", async () => {
    const page = await openPage(store);
    const ann = await placeOf(page, "Ann");
    await spentAt(store, store.clock.now() - 20 * dayMs, {
      place: ann,
      usd: 6,
      model: "a/dear",
      tokens: 5,
    });
    await settle(page, ann, 1.5);
    const text = await (await page.logIn()).text("/spend");
    expect(text.match(/<rect\s+x=/g)).toHaveLength(30);
    expect(text).toContain("$7.50 in total, $6.00 on the most expensive day");
    const days = rowsOf(text, "By day");
    expect(days).toHaveLength(30);
    expect(days[0]?.slice(1)).toEqual(["$1.50", "1,000", "1"]);
    expect(days[20]?.slice(1)).toEqual(["$6.00", "5", "1"]);
  });

  it("pages a long list by 50, sorted as asked for", async () => {
    const page = await openPage(store);
    const nowMs = store.clock.now();
    for (let each = 1; each <= 60; each += 1)
      await spentAt(store, nowMs, {
        place: directPlace(),
        usd: each,
        model: "a/dear",
        tokens: 1_000 - each,
      });
    const admin = await page.logIn();
    const overview = await admin.text("/spend");
    expect(rowsOf(overview, "By chat")).toHaveLength(10);
    expect(overview).toContain("Show all 60");
    const first = await admin.text("/spend?by=chat");
    expect(rowsOf(first, "By chat").map(([, cost]) => cost)).toEqual(
      Array.from({ length: 50 }, (_, index) => `$${60 - index}.00`),
    );
    expect(first).toContain("1 to 50 of 60");
    const [, next = ""] = /<a href="([^"]*)" rel="next"/.exec(first) ?? [];
    const second = await admin.text(next.replaceAll("&amp;", "&"));
    expect(rowsOf(second, "By chat").map(([, cost]) => cost)).toEqual(
      Array.from({ length: 10 }, (_, index) => `$${10 - index}.00`),
    );
    const byTokens = await admin.text("/spend?by=chat&sort=tokens");
    expect(rowsOf(byTokens, "By chat")[0]?.[3]).toBe("999");
  });

  it("sorts by tokens where no model has a price", async () => {
    const page = await openPage(store);
    await settle(page, await placeOf(page, "Ann"), 0);
    const ben = await placeOf(page, "Ben");
    for (let each = 0; each < 2; each += 1) await settle(page, ben, 0);
    const text = await (await page.logIn()).text("/spend");
    expect(rowsOf(text, "By person").map((row) => row[2])).toEqual(["67%", "33%"]);
    expect(text).toContain("3,000 tokens in total");
  });

  it("leaves hostile names and addresses text", async () => {
    const page = await openPage(store);
    const name = `<script>alert(1)</script>\u202e"'`;
    await settle(page, await placeOf(page, name), 1, `x/<img src=x onerror=alert(1)>`);
    const admin = await page.logIn();
    const text = await admin.text(`/spend?period="><script>&sort=<b>&page=-1&by=chat`);
    for (const each of [text, await admin.text("/spend")]) {
      expect(each).not.toMatch(/<script>|<img src=x|<b>|\u202e/);
      expect(each).toContain("&lt;script&gt;alert(1)");
    }
    expect((await admin.get(`/spend?by=chat&page=99999`)).status).toBe(200);
  });
});
