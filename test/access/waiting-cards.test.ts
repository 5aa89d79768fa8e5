import { describe, expect, it } from "vitest";
import type { ApprovalView } from "../../src/core/approval.ts";
import { targetOf, waitingCards } from "../../src/access/waiting-cards.ts";

const view = (id: string, together?: readonly string[]): ApprovalView => ({
  approval: {
    v: 1,
    id,
    chat: "telegram:1:1",
    turn: 1,
    round: 1,
    index: 0,
    tool: "buy",
    arguments: "{}",
    digest: "d",
    requester: { id: "telegram:1", name: "Ann" },
    approvers: "requester",
    expiresAtMs: 1,
    ...(together ? { together: [...together] } : {}),
  },
  status: "pending",
  cardMessageId: `message of ${id}`,
});
const idOf = (beginning: string) => `s1-${beginning.padEnd(22, "x")}`;
const [alone, first, second, third] = [
  idOf("AbCdEf"),
  idOf("Qrstuv"),
  idOf("Wxyz"),
  idOf("12"),
] as const;
const group = [first, second, third];

describe("the cards that wait", () => {
  it("are told from what waits on them, each once, with what is decided already", () => {
    expect(
      waitingCards([view(alone), view(second, group), view(third, group)]),
    ).toEqual([
      { ids: [alone], messageId: `message of ${alone}` },
      { ids: group, messageId: `message of ${second}` },
    ]);
  });

  const both = waitingCards([view(alone), view(first, group)]);
  const one = waitingCards([view(second, group)]);

  it.each([
    ["a whole id", third, both, { approvalId: third, which: "one" }],
    [
      "an id of another chat, which is refused later",
      idOf("zz"),
      both,
      { approvalId: idOf("zz"), which: "one" },
    ],
    [
      "the beginning that a card shows",
      "AbCdEf",
      both,
      { approvalId: alone, which: "all" },
    ],
    ["that in any case", "abcdef", both, { approvalId: alone, which: "all" }],
    ["a part of it", "qrs", both, { approvalId: first, which: "all" }],
    ["with the shard", "s1-qrs", both, { approvalId: first, which: "all" }],
    [
      "with a call's number",
      "Qrstuv.2",
      both,
      { approvalId: second, which: "one" },
    ],
    [
      "a number where one card waits",
      "3",
      one,
      { approvalId: third, which: "one" },
    ],
    [
      "all where one card waits",
      "ALL",
      one,
      { approvalId: first, which: "all" },
    ],
  ] as const)("are named by %s", (_what, word, cards, target) => {
    expect(targetOf(word, cards)).toEqual(target);
  });

  it.each([
    ["nothing", "", both],
    ["too little", "ab", both],
    ["what begins several", "s1-", both],
    ["a number where several wait", "1", both],
    ["all where several wait", "all", both],
    ["a call that is not there", "Qrstuv.4", both],
    ["a number that is not there", "4", one],
    ["nothing's number", "0", one],
    ["another id", "zzzzzz", both],
    ["a path", "../Qrstuv", both],
  ] as const)("are not named by %s", (_what, word, cards) => {
    expect(targetOf(word, cards)).toBeUndefined();
  });
});
