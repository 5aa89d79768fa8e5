import { describe, expect, it } from "vitest";
import { createOneTurnStore } from "../../../src/loop/compaction/agent/one-turn-store.ts";
import { Workbench } from "../../../src/loop/compaction/agent/workbench.ts";
import { outlookOf } from "../../../src/loop/compaction/outlook.ts";
import { planCompaction } from "../../../src/loop/compaction/plan.ts";
import type { ModelRequest } from "../../emulators/model/model-request.ts";
import { ScriptedModel } from "../../emulators/model/scripted-model.ts";
import type { Step } from "../../emulators/model/step.ts";
import { chatter, quarter, requestOf, settings, shownIn, turnOf, words } from "./conversation.ts";
import { asksForSummary, longTalk, openWorkshop, requestFor } from "./workshop.ts";

const isAgents = ({ systemText }: ModelRequest): boolean =>
  systemText.includes("You compress the older part");

const call = (name: string, given: object = {}): Step => ({
  toolCalls: [{ name, arguments: given }],
});

/** What the agent has been told so far, newest last. */
const results = (request: ModelRequest | undefined): string[] =>
  (request?.messages ?? []).filter(({ role }) => role === "tool").map(({ text }) => text);

/** A model whose answers as an agent come from a list, and that ends when there are none left. */
const agentModel = (...steps: Step[]): ScriptedModel => {
  const left = [...steps];
  return new ScriptedModel()
    .when(asksForSummary, { text: "user: what the agent left" })
    .when(isAgents, () => left.shift() ?? { text: "Done." });
};

describe("compacting by an agent", () => {
  it("runs the loop with four tools, in a turn that no one else sees", async () => {
    const script = agentModel(
      call("get_compression_metadata"),
      call("compress_conversation_segment", {
        fromSeq: 0,
        toSeq: 17,
        summary: "user: asked nine questions\nassistant: answered them",
      }),
      call("verify_compression_target"),
    );
    await using workshop = await openWorkshop({ strategy: "agent", script });
    const entries = longTalk(14);
    const record = await workshop.record(entries);
    expect(record).toMatchObject({
      turn: 15,
      fromSeq: 0,
      toSeq: 17,
      summary: "user: asked nine questions\nassistant: answered them",
      strategy: "agent",
      model: "openai/gpt-4o-mini",
    });
    expect(record.tokensAfter).toBeLessThanOrEqual(1_600);
    expect(script.requests.map(({ toolNames }) => toolNames)).toEqual(
      Array.from({ length: 4 }, () => [
        "get_compression_metadata",
        "compress_tool_result",
        "compress_conversation_segment",
        "verify_compression_target",
      ]),
    );
    const [page, compressed, verified] = results(script.requests[3]).map(
      (text) => JSON.parse(text) as Record<string, unknown>,
    );
    expect(page).toMatchObject({
      compressible: { fromSeq: 0, toSeq: 17 },
      segmentsMayEndAtSeq: [1, 3, 5, 7, 9, 11, 13, 15, 17],
      nextPageFromSeq: null,
    });
    expect(page?.["entries"]).toHaveLength(18);
    expect(compressed).toMatchObject({ reached: true });
    expect(verified).toEqual({
      tokensNow: record.tokensAfter,
      goalTokens: page?.["goalTokens"],
      reached: true,
    });
    expect(workshop.touched).toEqual([]);
    expect(workshop.server.violations).toEqual([]);
    // Each of its four calls is paid for, and can be read in the trace.
    expect(workshop.used).toHaveLength(4);
    expect(workshop.asked).toHaveLength(4);
    expect(Object.keys(workshop.asked[0] ?? {}).sort()).toEqual([
      "attempts",
      "model",
      "request",
      "response",
      "timing",
    ]);
  });

  it("may compress one segment after the other, as often as there are any", async () => {
    const ends = [1, 3, 5, 7, 9, 11, 13, 15, 17];
    const script = agentModel(
      ...ends.map((end) =>
        call("compress_conversation_segment", {
          fromSeq: end - 1,
          toSeq: end,
          summary: `user: as short as can be ${end}`,
        }),
      ),
      ...ends.map(() => call("verify_compression_target")),
    );
    await using workshop = await openWorkshop({ strategy: "agent", script });
    const record = await workshop.record(longTalk(14));
    const told = results(script.requests.at(-1));
    // 15 rounds are all it has, and in none of them it hears that it goes in circles.
    expect(told).toHaveLength(14);
    const hints = told.filter((text) => text.includes("[From the platform"));
    expect(hints).toEqual([expect.stringContaining("limit of model calls (15)")]);
    expect(record.strategy).toBe("agent");
    expect(record.summary).toBe(ends.map((end) => `user: as short as can be ${end}`).join("\n"));
  });

  it("summarises what the agent leaves undone, around what it has done", async () => {
    const script = agentModel(
      call("compress_conversation_segment", {
        fromSeq: 4,
        toSeq: 7,
        summary: "user: the agent's own words",
      }),
    );
    await using workshop = await openWorkshop({ strategy: "agent", script });
    const record = await workshop.record(longTalk(14));
    expect(record.strategy).toBe("agent");
    expect(record.toSeq).toBeGreaterThan(7);
    expect(record.summary).toBe(
      "user: what the agent left\nuser: the agent's own words\nuser: what the agent left",
    );
  });

  it("ends after 15 rounds when the model never does", async () => {
    let round = 0;
    const script = new ScriptedModel()
      .when(asksForSummary, { text: "user: by the usual way" })
      .when(isAgents, ({ mayCallTools }) => {
        round += 1;
        return mayCallTools
          ? call("get_compression_metadata", { fromSeq: round })
          : { text: "I have to stop." };
      });
    await using workshop = await openWorkshop({ strategy: "agent", script });
    const record = await workshop.record(longTalk(14));
    expect(round).toBe(15);
    expect(record).toMatchObject({
      summary: "user: by the usual way",
      strategy: "summarise",
    });
    expect(workshop.touched).toEqual([]);
  });

  it("refuses what is protected, and says why", async () => {
    const script = agentModel(
      call("compress_conversation_segment", {
        fromSeq: 20,
        toSeq: 27,
        summary: "user: nothing",
      }),
      call("compress_tool_result", { seq: 26 }),
      call("compress_tool_result", { seq: "twelve" }),
      call("forget_everything"),
    );
    await using workshop = await openWorkshop({ strategy: "agent", script });
    const entries = longTalk(14);
    const record = await workshop.record(entries);
    expect(results(script.requests[4])).toEqual([
      "tool-error: 20 to 27 is protected: only 0 to 17 can be compressed",
      "tool-error: 26 is protected: only 0 to 17 can be compressed",
      expect.stringMatching(/^invalid-arguments: seq: /) as string,
      expect.stringMatching(/^unknown-tool: /) as string,
    ]);
    // It has done nothing: the usual way remains.
    expect(record).toMatchObject({
      summary: "user: what the agent left",
      strategy: "summarise",
    });
    expect(shownIn(requestFor(entries), record)).toContain("answer 14");
  });

  it.each<[string, Step]>([
    ["is down", { failure: { status: 500 } }],
    ["says nothing", { text: "" }],
    ["only talks", { text: "I would rather not." }],
  ])("goes the usual way when the agent's model %s", async (_, step) => {
    await using workshop = await openWorkshop({
      strategy: "agent",
      script: new ScriptedModel()
        .when(asksForSummary, { text: "user: by the usual way" })
        .when(isAgents, step),
    });
    const record = await workshop.record(longTalk(14));
    expect(record).toMatchObject({
      summary: "user: by the usual way",
      strategy: "summarise",
    });
  });

  it("goes the usual way with a model that cannot call tools", async () => {
    const script = agentModel();
    await using workshop = await openWorkshop({
      strategy: "agent",
      script,
      card: { tools: false },
    });
    const record = await workshop.record(longTalk(14));
    expect(record.strategy).toBe("summarise");
    expect(script.requests.some(isAgents)).toBe(false);
  });

  it("ends at once with the turn", async () => {
    const script = agentModel();
    using gate = script.hold(isAgents);
    await using workshop = await openWorkshop({ strategy: "agent", script });
    const stop = new AbortController();
    const outcome = workshop.compact(longTalk(14), {}, stop.signal);
    await gate.waitUntilHeld();
    stop.abort("stopped");
    expect(await outcome).toEqual({ type: "aborted" });
    expect(script.requests.some(asksForSummary)).toBe(false);
  });

  it("estimates the cost where the model does not say", async () => {
    await using workshop = await openWorkshop({
      strategy: "agent",
      script: agentModel({
        ...call("compress_conversation_segment", segment(0, 17)),
        quirks: ["usage-never"],
      }),
    });
    await workshop.record(longTalk(14));
    expect(workshop.used.map(({ estimated }) => estimated)).toEqual([true, false]);
  });

  it("has a store for one turn", async () => {
    const [message] = longTalk(1);
    if (message?.kind !== "message") throw new Error("expected a message");
    const store = createOneTurnStore(message);
    const { chat } = requestFor([]);
    expect(await store.begin(chat)).toMatchObject({
      type: "begun",
      inbox: [{ entry: message }],
    });
    expect(await store.begin(chat)).toEqual({ type: "nothing" });
  });
});

const segment = (fromSeq: number, toSeq: number, summary = "user: all that") => ({
  fromSeq,
  toSeq,
  summary,
});

const secret = words("key", 150);
const signIn = turnOf(1, {
  question: "log in and look",
  rounds: [
    {
      results: [
        ["login", secret],
        ["read", words("book", 900)],
        ["read", "short"],
      ],
    },
  ],
  answer: "Done.",
});

/** On a sign-in and some turns after it. */
async function openBench(turns: number, tokens: number) {
  const request = requestOf(
    [...signIn, ...chatter(turns, tokens), ...turnOf(40, { question: "And now?" })],
    { turn: 40 },
  );
  const outlook = outlookOf({ request, settings, count: quarter });
  const plan = await planCompaction(outlook);
  if (plan === undefined) throw new Error("nothing was planned");
  return { request, bench: new Workbench(plan), plan };
}

describe("an agent's workbench", () => {
  it("takes segments that end where turns end, each once, and shorter than what they stand for", async () => {
    const { bench } = await openBench(9, 760);
    const refused: [ReturnType<typeof segment>, RegExp][] = [
      [segment(0, 2), /cannot end at 2, .* it may end at: 5, 7,/],
      [segment(7, 5), /7 to 5 is no segment/],
      [segment(0, 900), /0 to 900 is protected: only 0 to \d+ can be/],
      [segment(6, 7, words("long", 800)), /expected less than \d+ tokens/],
      [segment(0, 13, words("long", 2_100)), /room for \d+ tokens/],
    ];
    for (const [given, why] of refused) expect(() => bench.compressSegment(given)).toThrow(why);
    expect(bench.isUntouched).toBe(true);
    bench.compressSegment(segment(6, 9));
    expect(() => bench.compressSegment(segment(8, 11))).toThrow(
      /from 6 to 9 has been compressed already/,
    );
    bench.compressSegment(segment(0, 5));
    expect(bench.page(0)["entries"]).toContainEqual(
      expect.objectContaining({ seq: 9, done: true }),
    );
  });

  it("cuts results, but none that is kept, short, or not there", async () => {
    const { request, bench, plan } = await openBench(9, 760);
    const refused: [number, RegExp][] = [
      [2, /the result at 2 is protected: results of login are kept/],
      [4, /short already: 5 characters/],
      [5, /there is no tool result at 5/],
      [20, /20 is protected/],
    ];
    for (const [seq, why] of refused)
      expect(() => bench.compressResult({ seq, text: undefined })).toThrow(why);
    bench.compressResult({ seq: 3, text: "a book about whales" });
    const record = await bench.record({ cut: 0, results: [] });
    expect(record).toMatchObject({
      toSeq: -1,
      summary: "",
      results: [{ seq: 3, text: "a book about whales" }],
    });
    expect(record.tokensAfter).toBeLessThan(plan.outlook.beforeTokens - 800);
    expect(shownIn(request, record)).toContain("a book about whales");
  });

  it("shows the conversation page by page", async () => {
    const { bench, plan } = await openBench(25, 300);
    const first = bench.page(0);
    const seqs: number[] = [];
    let pages = 0;
    for (let from: number | null = 0; from !== null; pages += 1) {
      const page = bench.page(from);
      expect(JSON.stringify(page).length).toBeLessThan(14_000);
      seqs.push(...(page["entries"] as { seq: number }[]).map(({ seq }) => seq));
      from = page["nextPageFromSeq"] as number | null;
    }
    expect(pages).toBe(3);
    expect(seqs).toEqual(Array.from({ length: plan.limit }, (_, seq) => seq));
    expect(first["entries"]).toContainEqual(expect.objectContaining({ seq: 2, kept: true }));
    expect(bench.page(9_999)).toMatchObject({
      entries: [],
      nextPageFromSeq: null,
    });
  });

  it("keeps what is kept, and cuts what no segment stands for", async () => {
    const { bench, plan } = await openBench(15, 450);
    bench.compressSegment(segment(8, 11, "user: from 8 to 11"));
    const record = await bench.record(plan.extent);
    expect(record.toSeq).toBe(plan.record.toSeq);
    expect(record.kept[0]).toContain(secret);
    expect(record.summary).toMatch(
      /^user: log in and look\n[^]*\nuser: from 8 to 11\nuser: q4-1000/,
    );
    expect(record.tokensAfter).toBeLessThanOrEqual(plan.goalTokens);
  });
});
