import { expect, it } from "vitest";
import type { TraceRecord } from "../../src/core/trace.ts";
import { ParleyProcess } from "../support/parley/parley-process.ts";
import { testDatabase } from "../support/redis/test-redis.ts";

const password = "planted-redis-password";
const redis = await testDatabase({ password });
const chat = "console:local:main";

/** Has the demo model answer a question, and ends. */
async function converse(REDIS_URL: string, config = ""): Promise<void> {
  await using parley = new ParleyProcess({
    environment: { REDIS_URL },
    config,
    input: "pipe",
  });
  parley.type(`What time is it in Tokyo? My password is ${password}.`);
  await parley.waitForText("Asia/Tokyo");
  parley.type("/quit");
  expect(await parley.exited).toMatchObject({ code: 0 });
}

async function trace(REDIS_URL: string, ...given: string[]) {
  await using parley = new ParleyProcess({
    environment: { REDIS_URL },
    arguments: ["trace", ...given],
    mayFail: true,
  });
  const { code } = await parley.exited;
  return { code, out: parley.stdout, said: parley.stderr };
}

it("a turn leaves what its models were asked and answered, without secrets", async () => {
  const url = `${redis.url}/1`;
  await converse(url);
  const { code, out } = await trace(url, chat, "1", "--json");
  expect(code).toBe(0);
  expect(out).not.toContain(password);
  const records = JSON.parse(out) as TraceRecord[];
  expect(records).toMatchObject([
    {
      call: 1,
      purpose: "answer",
      model: "demo/demo",
      attempts: [{ model: "demo/demo" }],
      response: { calls: [{ name: "current_time" }], finish: "tool-calls" },
    },
    { call: 2, response: { calls: [], finish: "stop" } },
  ]);
  expect(records[0]?.request.messages.at(-1)).toMatchObject({
    role: "user",
    text: expect.stringContaining("My password is [redacted].") as string,
  });
  expect(records[1]?.request.messages.at(-1)).toMatchObject({ role: "tool" });
});

it("a turn leaves nothing where traces are off", async () => {
  const url = `${redis.url}/2`;
  await converse(url, "retention: { traces: off }\n");
  const { code, said } = await trace(url);
  expect(code).toBe(1);
  expect(said).toContain("No chat has traces.");
});
