import { beforeEach, describe, expect, it } from "vitest";
import { chatKey } from "../../src/core/chat.ts";
import type { Budget, Consumption, Limit, Spender } from "../../src/core/limits.ts";

/** A budget to try, with nothing used yet. */
export interface BudgetSubject {
  readonly budget: Budget;
  /** Sets a limit for for everyone together; it holds at once. */
  limit(limit: Limit): Promise<void>;
  /** What counts as used of everybody's, with what is reserved. */
  used(): Promise<{ readonly tokens: number; readonly costUsd: number }>;
}

let made = 0;

function newSpender(): Spender {
  made += 1;
  const chat = `${process.pid}-${made}`;
  return {
    person: { id: `telegram:${chat}`, name: "Ann" },
    chat: chatKey({ platform: "telegram", bot: "bot", chat }),
  };
}

const tokens = (max: number): Limit => ({ metric: "tokens", per: "day", max });
const cost = (max: number): Limit => ({ metric: "cost", per: "day", max });
const turns = (max: number): Limit => ({
  metric: "turns",
  per: "at-once",
  max,
});
const took = (inputTokens: number, outputTokens: number, costUsd = 0): Consumption => ({
  inputTokens,
  outputTokens,
  costUsd,
});
const ttlMs = 60_000;

/** What the loop relies on, wherever its budgets are kept. */
export function budgetContract(
  name: string,
  setup: () => BudgetSubject | Promise<BudgetSubject>,
): void {
  describe(`budget contract: ${name}`, () => {
    let subject: BudgetSubject;
    let budget: Budget;
    let spender: Spender;
    let id: (call: number) => string;
    beforeEach(async () => {
      subject = await setup();
      ({ budget } = subject);
      spender = newSpender();
      id = (call) => `${spender.chat}/1.${call}`;
    });
    const reserve = async (call: number, atMost: Consumption) => {
      const { type } = await budget.reserve(spender, id(call), atMost);
      return type;
    };

    it("is not limited until a limit on tokens or cost is set", async () => {
      await budget.refresh();
      expect(await budget.isLimited(spender)).toBe(false);
      await subject.limit(turns(5));
      expect(await budget.isLimited(spender)).toBe(false);
      await subject.limit(cost(5));
      expect(await budget.isLimited(spender)).toBe(true);
    });

    it("reserves up to the limit and says what forbids more", async () => {
      await subject.limit(tokens(100));
      expect(await reserve(1, took(30, 30))).toBe("reserved");
      expect(await reserve(2, took(20, 20))).toBe("reserved");
      const refused = await budget.reserve(spender, id(3), took(1, 0));
      expect(refused).toMatchObject({
        type: "refused",
        hit: { scope: { kind: "global" }, limit: tokens(100), used: 100 },
      });
      expect((await subject.used()).tokens).toBe(100);
    });

    it("reserves for all limits, or for none", async () => {
      await subject.limit(tokens(1_000));
      await subject.limit(cost(1));
      expect(await reserve(1, took(10, 10, 1.5))).toBe("refused");
      expect(await subject.used()).toMatchObject({ tokens: 0, costUsd: 0 });
    });

    it("lets what is free pass a limit on cost that is reached", async () => {
      await subject.limit(cost(1));
      expect(await reserve(1, took(10, 10, 1))).toBe("reserved");
      expect(await reserve(2, took(10, 10, 0.01))).toBe("refused");
      expect(await reserve(3, took(10, 10, 0))).toBe("reserved");
    });

    it("counts what a call took in place of what was reserved, once", async () => {
      await subject.limit(cost(1));
      await reserve(1, took(100, 900, 0.9));
      await budget.settle(spender, id(1), took(90, 10, 0.1));
      await budget.settle(spender, id(1), took(500, 500, 0.5));
      const used = await subject.used();
      expect(used.tokens).toBe(100);
      expect(used.costUsd).toBeCloseTo(0.1, 9);
      expect(await reserve(2, took(100, 700, 0.9))).toBe("reserved");
    });

    it("counts more than was reserved, too", async () => {
      await subject.limit(tokens(100));
      await reserve(1, took(10, 10));
      await budget.settle(spender, id(1), took(60, 60));
      expect((await subject.used()).tokens).toBe(120);
      expect(await reserve(2, took(1, 0))).toBe("refused");
    });

    it("counts what no one reserved, once", async () => {
      await budget.settle(spender, id(1), took(70, 30, 0.2));
      await budget.settle(spender, id(1), took(70, 30, 0.2));
      const used = await subject.used();
      expect(used.tokens).toBe(100);
      expect(used.costUsd).toBeCloseTo(0.2, 9);
    });

    it("charges a reservation that is made again only once, and one that is settled not again", async () => {
      await subject.limit(tokens(100));
      expect(await reserve(1, took(30, 30))).toBe("reserved");
      expect(await reserve(1, took(30, 30))).toBe("reserved");
      expect((await subject.used()).tokens).toBe(60);
      await budget.settle(spender, id(1), took(5, 5));
      expect(await reserve(1, took(30, 30))).toBe("reserved");
      expect((await subject.used()).tokens).toBe(10);
    });

    it("keeps what no one settled", async () => {
      await subject.limit(tokens(100));
      await reserve(1, took(50, 40));
      expect(await reserve(2, took(10, 10))).toBe("refused");
      expect((await subject.used()).tokens).toBe(90);
    });

    it("never reserves more than the limit, however many ask at once", async () => {
      await subject.limit(cost(1));
      const outcomes = await Promise.all(
        Array.from({ length: 50 }, (_, call) => reserve(call, took(10, 10, 0.1))),
      );
      expect(outcomes.filter((type) => type === "reserved")).toHaveLength(10);
      expect((await subject.used()).costUsd).toBeCloseTo(1, 9);
    });

    it("has as many places as the limit says, each for one turn, until it is left", async () => {
      await subject.limit(turns(2));
      const enter = async (turn: string) => (await budget.enter(spender, turn, ttlMs)).type;
      expect(await enter("a")).toBe("reserved");
      expect(await enter("b")).toBe("reserved");
      expect(await budget.enter(spender, "c", ttlMs)).toMatchObject({
        type: "refused",
        hit: { limit: turns(2), used: 2 },
      });
      expect(await enter("a")).toBe("reserved");
      await budget.leave(spender, "a");
      await budget.leave(spender, "a");
      expect(await enter("c")).toBe("reserved");
      expect(await enter("a")).toBe("refused");
    });
  });
}
