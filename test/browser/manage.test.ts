import { describe, expect, it } from "vitest";
import { openOperator } from "./open-operator.ts";
import { addressesFrom } from "./visit.ts";

const operator = await openOperator();
const { telegram } = operator.world;

describe.each([
  { how: "with", runsScripts: true },
  { how: "without", runsScripts: false },
])("$how JavaScript", ({ runsScripts }) => {
  it("runs a schedule now, and pauses it", async () => {
    const ann = telegram.direct("Ann");
    await ann.command("remind", "in 20h water the plants");
    const page = await operator.logIn({ runsScripts });
    await page.goto(`${operator.url}/schedules`);
    const row = page.getByRole("row").filter({ hasText: ann.personId });
    expect(await row.textContent()).not.toContain("water the plants");
    await row.getByRole("button", { name: "Run now" }).click();
    await ann.wait(({ text }) => text === "⏰ water the plants");
    // It has changed by running, so what the page showed before is refused.
    await page.goto(`${operator.url}/schedules`);
    await row.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("status").getByText("Paused").waitFor();
    expect(await ann.command("schedule")).toContain("paused");
  });

  it("deletes a schedule by a second step", async () => {
    const ann = telegram.direct("Ann");
    await ann.command("remind", "in 20h water the plants");
    const page = await operator.logIn({ runsScripts });
    await page.goto(`${operator.url}/schedules`);
    const row = page.getByRole("row").filter({ hasText: ann.personId });
    await row.getByText("Delete…").click();
    await row.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("status").getByText("Deleted").waitFor();
    expect(await row.count()).toBe(0);
    expect(await ann.command("schedule")).not.toContain("water the plants");
  });

  it("logs a stolen session out, and all others", async () => {
    const [stolen, third] = [await operator.logIn(), await operator.logIn({ runsScripts })];
    const page = await operator.logIn({ runsScripts, device: "phone" });
    await page.getByRole("link", { name: /Your browsers/ }).click();
    const others = page.getByRole("row").filter({ hasNotText: "This browser" });
    // The newest come first.
    await others.filter({ hasText: "Chrome" }).nth(1).getByRole("button").click();
    await page.getByRole("status").getByText("Logged out").waitFor();
    // Its view is live, and leaves by itself.
    await stolen.waitForURL("**/in");
    await stolen.goto(`${operator.url}/audit`);
    expect(new URL(stolen.url()).pathname).toBe("/in");
    await third.goto(`${operator.url}/audit`);
    expect(new URL(third.url()).pathname).toBe("/audit");
    await page.getByRole("button", { name: "Log out all others" }).click();
    await page.getByRole("status").getByText("Logged out").waitFor();
    await third.goto(`${operator.url}/people`);
    expect(new URL(third.url()).pathname).toBe("/in");
    expect(await page.getByText("This browser").count()).toBe(1);
  });

  it("changes a person's role", async () => {
    const ann = telegram.direct("Ann");
    ann.say("say good morning");
    await ann.wait("good morning");
    const page = await operator.logIn({ runsScripts });
    await page.goto(`${operator.url}/people?q=${encodeURIComponent(ann.personId)}`);
    const row = page.getByRole("row").filter({ hasText: ann.personId });
    await row.getByRole("combobox").selectOption("admin");
    await row.getByRole("button", { name: "Change the role" }).click();
    await page.getByRole("status").getByText("role is changed").waitFor();
    expect(await ann.command("whoami")).toMatch(/admin/i);
  });

  it("shows every view under one heading", async () => {
    const page = await operator.logIn({ runsScripts, device: "phone" });
    for (const address of await addressesFrom(page, operator.url)) {
      const response = await page.goto(operator.url + address);
      expect(response?.status(), address).toBe(200);
      expect(await page.getByRole("heading", { level: 1 }).count(), address).toBe(1);
    }
  });
});
