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
    expect(await flawsAt(page, { url, addresses: [...addresses, "/nowhere"] })).toEqual([]);
    const stranger = await operator.browser.open({ device });
    await stranger.goto(`${url}/in`);
    expect(await flawsOf(stranger)).toEqual([]);
  },
);
