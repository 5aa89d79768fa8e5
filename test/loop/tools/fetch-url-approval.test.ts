import { describe, expect, it } from "vitest";
import { toolPolicy } from "../../../src/approvals/tool-policy.ts";
import { fetchUrlTool } from "../../../src/tools/fetch-url/fetch-url.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { openScene } from "../scene.ts";

const redis = await testDatabase();
const address = "https://example.com/page?q=1";

const asksFor = (url: string) => ({
  toolCalls: [{ name: "fetch_url", arguments: { url } }],
});

describe("fetch_url", () => {
  const fetched: string[] = [];
  const tool = {
    ...fetchUrlTool({ processes: undefined as never }),
    run: (given: unknown) => {
      fetched.push((given as { readonly url: string }).url);
      return Promise.resolve({ text: `Content of ${JSON.stringify(given)}` });
    },
  };
  it("reads what a person named, and asks about an address that the model made", async () => {
    fetched.length = 0;
    await using scene = await openScene({ redis, tools: [tool] });
    const made = `${address}&secret=42`;
    scene.model.reply(asksFor(address), asksFor(made), { text: "Done." });
    await scene.say(`Read ${address}`);
    await scene.settle();
    expect(fetched).toEqual([address]);
    const [waiting] = await scene.asked();
    expect(waiting?.approval).toMatchObject({
      tool: "fetch_url",
      arguments: JSON.stringify({ url: made }),
    });
  });

  it("asks no one where a rule says so", async () => {
    fetched.length = 0;
    await using scene = await openScene({
      redis,
      tools: [tool],
      deps: {
        toolPolicy: toolPolicy(
          [
            {
              match: "fetch_url",
              verdict: "allow",
              confirm: "never",
              approvers: undefined,
            },
          ],
          { approvers: "requester-or-admins" },
        ),
      },
    });
    scene.model.reply(asksFor(address), { text: "Done." });
    await scene.say("Read something");
    await scene.settle();
    expect(fetched).toEqual([address]);
    expect(await scene.asked()).toEqual([]);
  });
});
