import pino from "pino";
import { expect, it, vi } from "vitest";
import type { AnswerDraft } from "../../../src/loop/session/answer-draft.ts";
import { Billing } from "../../../src/loop/model/billing.ts";
import { callModel } from "../../../src/loop/model/call-model.ts";
import type { LoopDeps } from "../../../src/loop/deps.ts";
import { openTurn } from "../../../src/loop/machine/open-turn.ts";
import type { PreparedRequest } from "../../../src/loop/model/model-request.ts";
import type { TurnSession } from "../../../src/loop/session/turn-session.ts";
import { ann, defaultPolicy } from "../scene.ts";

const state = openTurn(1, {
  kind: "message",
  v: 1,
  id: "m1",
  person: ann,
  text: "hi",
  atMs: 0,
});

/**
 * Asks with these messages; returns what was recorded, and whether any model was asked or paid for.
 */
async function ask(messages: PreparedRequest["request"]["messages"]) {
  const stream = vi.fn(() => {
    throw new Error("a model was asked");
  });
  const reserve = vi.fn();
  const chain = { card: {}, cards: [], stream };
  const deps = {
    clock: { monotonic: () => 0, wall: () => 0 },
    models: { chain: () => chain, aliases: new Map() },
    policy: defaultPolicy,
    tierPolicies: {},
    budget: { reserve, settle: vi.fn() },
    newErrorId: () => "error-id-1",
    redact: (text: string) => text,
    noteError: vi.fn(),
    modelWatch: { failed: () => Promise.resolve(false), answered: () => undefined },
    logFileOnce: () => undefined,
    log: pino({ level: "silent" }),
  };
  const record = vi.fn();
  const session = {
    state,
    settings: {},
    waiting: 0,
    arrived: 0,
    pendingApprovals: [],
    signal: new AbortController().signal,
    record,
  };
  const outcome = await callModel(
    {
      deps: deps as unknown as LoopDeps,
      session: session as unknown as TurnSession,
      billing: new Billing(),
    },
    {} as AnswerDraft,
    {
      prepared: { card: { id: "openai/gpt" }, request: { messages } } as unknown as PreparedRequest,
      lost: { breaks: new Map() },
      canShrink: () => Promise.resolve(false),
    },
  );
  expect(stream).not.toHaveBeenCalled();
  expect(reserve).not.toHaveBeenCalled();
  return { outcome, ended: record.mock.calls.flat() as unknown[] };
}

it.each([
  ["nothing", []],
  ["no person's message", [{ role: "system", text: "You are Parley." }]],
  [
    "a call without its result",
    [
      { role: "user", text: "hi" },
      {
        role: "assistant",
        text: "",
        calls: [{ id: "t1_1_0", name: "look", arguments: "{}" }],
      },
      { role: "user", text: "well?" },
    ],
  ],
] as const)(
  "a request of %s is never sent, and the turn ends with a sentence",
  async (_, messages) => {
    expect(await ask(messages)).toEqual({
      outcome: "recorded",
      ended: [
        expect.objectContaining({
          type: "ended",
          reason: "model-failed",
          text: expect.stringMatching(/^Sorry, .*rejected my request.*error-id-1/) as string,
        }),
      ],
    });
  },
);
