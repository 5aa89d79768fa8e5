import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Model, ModelEvent, ModelFailureKind, RequestMessage } from "../../src/core/model.ts";
import type { Schedule } from "../../src/models/limits.ts";
import { answerOf, ask, request, streamOf, timer, tools, user } from "../models/helpers.ts";
import type { Failure, Step } from "../emulators/model/step.ts";

/** A model to try, and what to say so that it does a thing. */
export interface ModelSubject extends AsyncDisposable {
  readonly model: Model;
  readonly questions: {
    /** Answered by several words. */
    readonly text: string;
    /** Answered by `current_time` for Tokyo. */
    readonly call: string;
    /** Answered by `current_time` for Tokyo and for Paris, in one answer. */
    readonly parallel: string;
    /** Answered by at least a hundred deltas, not all at once. */
    readonly long: string;
  };
  /** Where the model is behind a server. */
  readonly server?: {
    /** The next answer. */
    next(step: Step): void;
    readonly unreachable: Model;
    /** The model with time limits whose timers run when the test says so. */
    readonly limited: (schedule: Schedule) => Model;
    /** Fulfils when the server has got a request. */
    received(): Promise<unknown>;
    /** Fulfils when the server sees that the client has gone. */
    aborted(): Promise<unknown>;
    /** What the vendor would not have accepted. */
    violations(): readonly unknown[];
  };
}

/** What the loop relies on, whatever the vendor. */
export function modelContract(
  name: string,
  options: {
    readonly hasServer: boolean;
    setup(): Promise<ModelSubject>;
  },
): void {
  describe(`model contract: ${name}`, () => {
    let subject: ModelSubject;
    beforeEach(async () => {
      subject = await options.setup();
    });
    afterEach(async () => {
      expect(subject.server?.violations() ?? []).toEqual([]);
      await subject[Symbol.asyncDispose]();
    });

    answers(() => subject);
    calls(() => subject);
    aborts(() => subject);
    if (options.hasServer) failures(() => subject);
  });
}

function answers(subject: () => ModelSubject): void {
  it("streams a text in order, reports usage and finishes once", async () => {
    const { model, questions } = subject();
    const answer = await ask(model, request(questions.text));
    // Words that arrive together are one event.
    expect(answer.events.length).toBeGreaterThanOrEqual(3);
    expect(answer.text.trim()).not.toBe("");
    expect(answer.calls).toEqual([]);
    expect(answer.finish).toBe("stop");
    expect(answer.usage?.inputTokens).toBeGreaterThan(0);
    expect(answer.usage?.outputTokens).toBeGreaterThan(0);
    expectOneEnd(answer.events);
  });

  it("takes and gives well-formed text only", async () => {
    const { model, questions } = subject();
    const answer = await ask(model, request(`${questions.text} \ud83d`));
    expect(answer.failure).toBeUndefined();
    expect(answer.text.isWellFormed()).toBe(true);
  });

  it("answers the same request twice, and two at once", async () => {
    const { model, questions } = subject();
    const [first, second] = await Promise.all([
      ask(model, request(questions.text)),
      ask(model, request(questions.text)),
    ]);
    expect(first.text).toBe(second.text);
    expectOneEnd(first.events);
  });
}

function calls(subject: () => ModelSubject): void {
  it("asks for a call, takes its result and answers", async () => {
    const { model, questions } = subject();
    const first = await ask(model, request(questions.call, { tools }));
    expect(first.finish).toBe("tool-calls");
    expect(first.calls.map(nameAndArguments)).toEqual([
      ["current_time", { timeZone: "Asia/Tokyo" }],
    ]);
    expectOneEnd(first.events);
    const second = await ask(
      model,
      request(answered(questions.call, first.calls, ["12:00 in Tokyo"]), {
        tools,
      }),
    );
    expect(second.text).toContain("12:00 in Tokyo");
    expect(second.finish).toBe("stop");
  });

  it("asks for several calls in one answer, in order", async () => {
    const { model, questions } = subject();
    const first = await ask(model, request(questions.parallel, { tools }));
    expect(first.calls.map(nameAndArguments)).toEqual([
      ["current_time", { timeZone: "Asia/Tokyo" }],
      ["current_time", { timeZone: "Europe/Paris" }],
    ]);
    const second = await ask(
      model,
      request(answered(questions.parallel, first.calls, ["12:00 in Tokyo", "04:00 in Paris"]), {
        tools,
      }),
    );
    expect(second.text).toMatch(/12:00 in Tokyo[^]*04:00 in Paris/);
  });

  it("never calls when tools must not be called", async () => {
    const { model, questions } = subject();
    const answer = await ask(model, request(questions.call, { tools, toolChoice: "none" }));
    expect(answer.calls).toEqual([]);
    expect(answer.finish).toBe("stop");
    expect(answer.text).not.toBe("");
  });
}

function aborts(subject: () => ModelSubject): void {
  it("yields nothing when the signal is aborted already", async () => {
    const { model, questions } = subject();
    const answer = await ask(model, request(questions.text), AbortSignal.abort());
    expect(answer.events).toEqual([]);
  });

  it("ends without a finish or a failure when it is aborted", async () => {
    const { model, questions, server } = subject();
    const stopping = new AbortController();
    const events: ModelEvent[] = [];
    for await (const event of streamOf(model, request(questions.long), stopping)) {
      events.push(event);
      if (events.length === 2) stopping.abort();
    }
    const { finish, failure, text } = answerOf(events);
    expect({ finish, failure }).toEqual({
      finish: undefined,
      failure: undefined,
    });
    expect(text).not.toBe("");
    await server?.aborted();
  });

  it("ends its request when the caller stops listening", async () => {
    const { model, questions, server } = subject();
    for await (const event of streamOf(model, request(questions.long))) {
      if (event.type === "text-delta") break;
    }
    await server?.aborted();
  });
}

function failures(subject: () => ModelSubject): void {
  const server = (): NonNullable<ModelSubject["server"]> => {
    const found = subject().server;
    if (!found) throw new Error("this subject has no server");
    return found;
  };

  it("says that a host cannot be reached", async () => {
    const answer = await ask(server().unreachable, request("hello"));
    expect(answer.failure?.kind).toBe("network");
    expectOneEnd(answer.events);
  });

  it("aborts a request that has no headers yet", async () => {
    server().next({ failure: "hang-before-headers" });
    const stopping = new AbortController();
    const asking = ask(subject().model, request("hello"), stopping.signal);
    await server().received();
    stopping.abort();
    expect((await asking).events).toEqual([]);
  });

  const cases: readonly [Failure, ModelFailureKind][] = [
    [{ status: 400 }, "invalid-request"],
    [{ status: 400, code: "context_length_exceeded" }, "context-overflow"],
    [{ status: 401 }, "auth"],
    [{ status: 403 }, "auth"],
    [{ status: 404 }, "unknown-model"],
    [{ status: 408 }, "timeout"],
    [{ status: 429 }, "rate-limited"],
    [{ status: 500 }, "overloaded"],
    [{ status: 502, body: "<html>Bad gateway</html>" }, "overloaded"],
    [{ status: 503 }, "overloaded"],
    [{ status: 529 }, "overloaded"],
    ["cut-before-headers", "network"],
    ["cut", "network"],
    ["late-error", "overloaded"],
    ["empty", "network"],
    ["not-json", "network"],
  ];
  it.each(cases)("turns %j into %s", async (failure, kind) => {
    server().next({ text: "one two three four", failure });
    const answer = await ask(subject().model, request("hello"));
    expect(answer.failure).toMatchObject({ kind });
    expect(answer.failure?.message).not.toBe("");
    expectOneEnd(answer.events);
  });

  it("keeps what came before the failure", async () => {
    server().next({
      text: "one two three four",
      failure: "cut",
      failAfterChunks: 2,
    });
    const answer = await ask(subject().model, request("hello"));
    expect(answer.text.trimEnd()).toBe("one two");
  });

  it.each([{ retryAfterSeconds: 7 }, { retryAfterMs: 7000 }])(
    "hands on the time to wait: %j",
    async (waiting) => {
      server().next({ failure: { status: 429, ...waiting } });
      const answer = await ask(subject().model, request("hello"));
      expect(answer.failure?.retryAfterMs).toBe(7000);
    },
  );

  it.each(["hang-before-headers", "hang-after-headers", "hang-mid-stream"] as const)(
    "ends %s by its time limit",
    async (failure) => {
      server().next({ text: "one two three", failure });
      const waiting = new Set<() => void>();
      const model = server().limited((run) => {
        waiting.add(run);
        return timer(() => void waiting.delete(run));
      });
      const asking = ask(model, request("hello"));
      await server().received();
      for (const expire of waiting) expire();
      const answer = await asking;
      expect(answer.failure?.kind).toBe("timeout");
      expectOneEnd(answer.events);
      expect(waiting.size).toBe(0);
      await server().aborted();
    },
  );
}

const isEnd = ({ type }: ModelEvent): boolean => type === "finish" || type === "failure";

function expectOneEnd(events: readonly ModelEvent[]): void {
  expect(events.filter(isEnd)).toHaveLength(1);
  expect(events.slice(-1).filter(isEnd)).toHaveLength(1);
}

function nameAndArguments(call: { name: string; arguments: string }): [string, unknown] {
  return [call.name, JSON.parse(call.arguments)];
}

/** The conversation after a round of calls, with ids of our own. */
function answered(
  question: string,
  calls: readonly { name: string; arguments: string }[],
  results: readonly string[],
): RequestMessage[] {
  return [
    user(question),
    {
      role: "assistant",
      text: "",
      calls: calls.map((call, index) => ({
        id: `t1_0_${index}`,
        name: call.name,
        arguments: call.arguments,
      })),
    },
    ...calls.map(({ name }, index): RequestMessage => ({
      role: "tool",
      callId: `t1_0_${index}`,
      name,
      text: results[index] ?? "",
    })),
  ];
}
