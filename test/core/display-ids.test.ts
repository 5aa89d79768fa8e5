import { randomBytes } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isDisplayId, shortApprovalId, type ApprovalView } from "../../src/core/approval.ts";
import { isId, readTarget, waitingCards } from "../../src/approvals/waiting-cards.ts";

const newId = (): string => `s7-${randomBytes(16).toString("base64url")}`;

const view = (id: string): ApprovalView => ({
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
  },
  status: "pending",
  cardMessageId: "9",
});

describe("a display id", () => {
  it("has five capitals without look-alikes or vowels, and is always the same for an approval", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(shortApprovalId(text)).toMatch(/^[BCDFGHJKMNPRSTVWXYZ]{5}$/);
        expect(shortApprovalId(text)).toBe(shortApprovalId(text));
        expect(isDisplayId(shortApprovalId(text))).toBe(true);
      }),
    );
    expect(isDisplayId("PLEASE")).toBe(false);
  });

  it("names its card in any case, and so does what earlier versions showed", () => {
    for (let run = 0; run < 50; run += 1) {
      const ids = Array.from({ length: 8 }, newId);
      const cards = waitingCards(ids.map(view));
      for (const id of ids) {
        const displayed = shortApprovalId(id);
        const target = { approvalId: id, which: "all" };
        for (const word of [displayed, displayed.toLowerCase(), id.slice(3, 9)])
          expect(readTarget([word], cards), word).toEqual({ type: "target", target, rest: "" });
        expect(readTarget([id], cards)).toMatchObject({ target: { approvalId: id } });
      }
    }
  });

  it("of another card is no reason, and a part of one names nothing", () => {
    const id = newId();
    const displayed = shortApprovalId(newId());
    expect(isId(displayed)).toBe(true);
    expect(isId("never")).toBe(false);
    expect(readTarget([displayed], waitingCards([view(id)]))).toEqual({ type: "unknown" });
    expect(readTarget([shortApprovalId(id).slice(0, 4)], waitingCards([view(id)]))).toEqual({
      type: "unknown",
    });
  });

  it("that two cards share decides neither", () => {
    const byDisplayed = new Map<string, string>();
    let pair: readonly [string, string] | undefined;
    for (let n = 0; pair === undefined; n += 1) {
      const id = `s7-${String(n).padStart(22, "A")}`;
      const other = byDisplayed.get(shortApprovalId(id));
      if (other !== undefined) pair = [other, id];
      byDisplayed.set(shortApprovalId(id), id);
    }
    const [one, other] = pair;
    const word = shortApprovalId(one);
    expect(readTarget([word], waitingCards([view(one), view(other)]))).toEqual({ type: "unknown" });
    expect(readTarget([word], waitingCards([view(one)]))).toMatchObject({
      target: { approvalId: one },
    });
  });
});
