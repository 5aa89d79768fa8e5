import { expect, it } from "vitest";
import { benchIdleChats, describeReport } from "../../bench/idle-chats.ts";
import { shardCount } from "../../src/store/keys.ts";

it("the measure of idle chats works, and they have nothing that a sweeper must look at", async () => {
  const chats = 100;
  const said: string[] = [];
  const report = await benchIdleChats({
    chats,
    say: (line) => said.push(line),
  });
  expect(said).toHaveLength(10);
  // Every kind of key of the whole of Redis is accounted for, and nothing waits.
  expect([...report.counts.keys()].sort()).toEqual(report.kinds.map(({ kind }) => kind).sort());
  expect(report.kinds.map(({ kind }) => kind).sort()).toEqual(["log", "seen", "sent", "st", "use"]);
  for (const { keysPerChat, bytesPerChat, ttlMs } of report.kinds) {
    expect(keysPerChat).toBe(1);
    expect(bytesPerChat).toBeGreaterThan(0);
    expect(ttlMs).toBeGreaterThan(0);
  }
  expect(report.bytesPerChat).toBeGreaterThan(0);
  expect(report.pass.commands).toBe(report.emptyPass.commands);
  expect(report.pass.commands).toBeLessThan(5 * shardCount);
  expect(describeReport(report)).toMatch(/for 1000000 chats/);
});
