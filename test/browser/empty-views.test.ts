import { expect, it } from "vitest";
import { flawsOf } from "../support/browser/flaws.ts";
import { openOperator } from "./open-operator.ts";
import { addressesFrom, flawsAt } from "./visit.ts";

const operator = await openOperator();

it.each(["phone", "desktop"] as const)(
  "is readable for everyone on a %s with nothing to show",
  async (device) => {
    const page = await operator.logIn({ device });
    const { url } = operator;
    const addresses = await addressesFrom(page, url);
    expect(addresses.length).toBeGreaterThanOrEqual(9);
    expect(
      await flawsAt(page, { url, addresses: [...addresses, "/browsers", "/nowhere"] }),
    ).toEqual([]);
    const stranger = await operator.browser.open({ device });
    await stranger.goto(`${url}/in`);
    expect(await flawsOf(stranger)).toEqual([]);
  },
);

it("finds what can't be read by everyone, and what is too wide", async () => {
  const page = await operator.logIn({ device: "phone" });
  await page.evaluate(`document.querySelector("main").insertAdjacentHTML(
    "beforeend", '<input id="planted"><img src="/assets/icon.svg" width="900">')`);
  const flaws = (await flawsOf(page)).join("\n");
  expect(flaws).toMatch(/label: .*planted/);
  expect(flaws).toMatch(/image-alt: /);
  expect(flaws).toMatch(/too wide: .*img/);
});
