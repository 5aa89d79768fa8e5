import { expect, it } from "vitest";
import { benchWaitingApprovals } from "../../bench/waiting-approvals.ts";
import { bytesPerApproval, describeReport } from "../../bench/waiting-approvals/report.ts";
import { shardCount } from "../../src/store/keys.ts";

it("the measure of waiting approvals works: they hold no job, and nothing of them is due", async () => {
  const said: string[] = [];
  const report = await benchWaitingApprovals({
    chats: 20,
    perChat: 2,
    taps: 2,
    say: (line) => said.push(line),
  });
  // Ten of each side.
  expect(said).toHaveLength(20);
  const { waiting, idle } = report;
  const kinds = (side: typeof waiting) => side.kinds.map(({ kind }) => kind).sort();
  expect(kinds(idle)).toEqual(["log", "seen", "sent", "st", "use"]);
  expect(kinds(waiting)).toEqual(["appr", "log", "seen", "sent", "st", "wake"]);
  const approvals = waiting.kinds.find(({ kind }) => kind === "appr");
  expect(approvals?.keysPerChat).toBe(2);
  for (const { jobs, tapsMs, workerMegabytes, pass } of [waiting, idle]) {
    expect(jobs).toEqual({ active: 0, waiting: 0, delayed: 0 });
    expect(tapsMs).toHaveLength(2);
    expect(workerMegabytes).toBeGreaterThan(0);
    expect(pass.commands).toBe(idle.pass.commands);
    expect(pass.commands).toBeLessThan(5 * shardCount);
  }
  expect(bytesPerApproval(report)).toBeGreaterThan(0);
  expect(describeReport(report)).toMatch(/^40 approvals wait, 2 in a chat/);
}, 180_000);
