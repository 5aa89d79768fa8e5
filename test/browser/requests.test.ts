import { expect, it } from "vitest";
import { openOperator } from "./open-operator.ts";

const operator = await openOperator({ access: "pairing" });
const { telegram } = operator.world;

it.each([
  { how: "with", runsScripts: true },
  { how: "without", runsScripts: false },
])("lets in one who asked, and turns another down, $how JavaScript", async ({ runsScripts }) => {
  const [zoe, mal] = [telegram.direct("Zoe"), telegram.direct("Mal")];
  for (const person of [zoe, mal]) {
    person.say("say good morning");
    await person.wait("Your code");
  }
  const page = await operator.logIn({ runsScripts, device: "phone" });
  await page.goto(`${operator.url}/people`);
  const requestOf = ({ personId }: typeof zoe) =>
    page.getByRole("listitem").filter({ hasText: personId });
  await requestOf(zoe).getByRole("button", { name: "Allow" }).tap();
  await page.getByRole("status").getByText("Allowed").waitFor();
  await zoe.wait("You're in!");
  await requestOf(mal).getByRole("button", { name: "Deny" }).tap();
  await page.getByRole("status").getByText("Turned down").waitFor();
  expect(await requestOf(mal).count()).toBe(0);
  zoe.say("say good afternoon");
  await zoe.wait("good afternoon");
});
