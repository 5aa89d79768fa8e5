import { describe, expect, it } from "vitest";
import type { ApprovalView } from "../../src/core/approval.ts";
import { readTarget, waitingCards } from "../../src/approvals/waiting-cards.ts";

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
    expect(waitingCards([view(alone), view(second, group), view(third, group)])).toEqual([
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
    ["the beginning that a card shows", "AbCdEf", both, { approvalId: alone, which: "all" }],
    ["that in any case", "abcdef", both, { approvalId: alone, which: "all" }],
    ["a part of it", "qrs", both, { approvalId: first, which: "all" }],
    ["with the shard", "s1-qrs", both, { approvalId: first, which: "all" }],
    ["with a call's number", "Qrstuv.2", both, { approvalId: second, which: "one" }],
    ["a number where one card waits", "3", one, { approvalId: third, which: "one" }],
    ["all where one card waits", "ALL", one, { approvalId: first, which: "all" }],
  ] as const)("are named by %s", (_what, word, cards, target) => {
    expect(readTarget([word, "why"], cards)).toEqual({
      type: "target",
      target,
      rest: "why",
    });
  });

  it.each([
    ["nothing", "", both],
    ["too little", "ab", both],
    ["what begins several", "s1-", both],
    ["a number where several wait", "1", both],
    ["all where several wait", "all", both],
    ["another id", "zzzzzz", both],
    ["a path", "../Qrstuv", both],
  ] as const)("are not named by %s", (_what, word, cards) => {
    expect(readTarget([word], cards)).toEqual({ type: "unknown" });
  });

  it.each([
    ["behind an id", ["Qrstuv", "2"], both, second],
    ["with a sign", ["Qrstuv", "#2:"], both, second],
    ["behind the id of another call", [third, "2"], both, second],
    ["of a card with one call", ["AbCdEf", "1"], both, alone],
    ["behind all", ["all", "3"], one, third],
  ] as const)("have a call's number %s", (_what, words, cards, approvalId) => {
    expect(readTarget([...words, "too", "dear"], cards)).toEqual({
      type: "target",
      target: { approvalId, which: "one" },
      rest: "too dear",
    });
  });

  it.each([
    ["is not there", ["Qrstuv", "4"], both, "4"],
    ["is not there, with a dot", ["Qrstuv.4"], both, "4"],
    ["is not there, by itself", ["4"], one, "4"],
    ["is nothing's", ["0"], one, "0"],
    ["a card with one call does not have", ["AbCdEf", "2"], both, "2"],
    ["is in a list", ["Qrstuv", "1", "and", "4"], both, "1 and 4"],
    ["is in a list, by itself", ["1,9"], one, "1,9"],
  ] as const)("have no call whose number %s", (_what, words, cards, typed) => {
    expect(readTarget(words, cards)).toEqual({ type: "no-call", typed });
  });

  it.each([
    ["a list", ["Qrstuv", "1,2"], [first, second]],
    ["a list in words", ["Qrstuv", "1", "and", "3"], [first, third]],
    ["a list with blanks", ["Qrstuv", "3", "2"], [third, second]],
    ["a longer list", ["Qrstuv", "#1,", "2", "und", "3."], group],
    ["a dot and more", ["Qrstuv.1", "&", "2"], [first, second]],
  ] as const)("have several calls, named by %s", (_what, words, ids) => {
    expect(readTarget(words, both)).toEqual({
      type: "target",
      target: { approvalId: ids[0], which: ids },
      rest: "",
    });
  });

  it("have one call that a list names twice", () => {
    expect(readTarget(["2", "and", "2"], one)).toEqual({
      type: "target",
      target: { approvalId: second, which: "one" },
      rest: "",
    });
  });

  it.each([
    [["Qrstuv", "1", "and", "2", "more"], first, "one", "and 2 more"],
    [["Qrstuv", "1,", "2", "are", "enough"], first, "one", "2 are enough"],
    [["Qrstuv", "2.5", "is", "enough"], first, "all", "2.5 is enough"],
    [["Qrstuv", "1,2", "too", "dear"], first, "all", "1,2 too dear"],
  ] as const)("have no list where more follows: %j", (words, approvalId, which, rest) => {
    const target = { approvalId, which };
    expect(readTarget(words, both)).toEqual({ type: "target", target, rest });
  });
});
