/** What goes wrong in a deployment is seen in the trace of the turn that it happened to. */
import { expect, it } from "vitest";
import { openWorld } from "../support/parley/open-world.ts";
import { timeoutMs } from "../support/parley/stage.ts";
import { exportingTo } from "../support/tracing/crash-scene.ts";
import { OtlpReceiver } from "../support/tracing/otlp-receiver.ts";
import { treeOf } from "../support/tracing/tree.ts";

const world = await openWorld();
const { telegram, model } = world;

const slowMs = 1_500;

it(
  "a killed worker, a slow model, a failing tool and a throttling platform are one trace",
  async () => {
    await using receiver = await OtlpReceiver.start();
    const named = (name: string) =>
      receiver.spans
        .filter((span) => span.name.startsWith(name))
        .sort((one, other) => one.startMs - other.startMs);
    const start = (role: "bots" | "worker") =>
      world
        .start({
          environment: {
            ...(role === "bots" ? world.environment : world.services),
            ...exportingTo(receiver),
            PARLEY_ROLE: role,
          },
          // No preview of a tool: the answer is the first message.
          config: "turn: { tools: off }",
        })
        .ready();
    const [bots, first] = await Promise.all([start("bots"), start("worker")]);
    await telegram.connected();
    const ann = telegram.direct("Ann");

    const held = model.hold(({ lastRole }) => lastRole === "tool", { at: "headers" });
    // An address of this machine, which the tool refuses.
    ann.say('call fetch_url {"url":"http://127.0.0.1:9/"}');
    await held.waitUntilHeld({ timeoutMs });
    const { id: lostId } = await model.waitForRequest(({ heldAt }) => heldAt === held);
    await receiver.waitFor(() => named("execute_tool").length > 0, "the failed tool");
    const second = await start("worker");
    await first.kill();
    const { atMs } = await model.waitForRequest(
      ({ heldAt, id }) => heldAt === held && id !== lostId,
      { timeoutMs },
    );
    await expect.poll(() => Date.now() - atMs, { timeout: timeoutMs }).toBeGreaterThan(slowMs);
    const fault = telegram.server.inject({
      method: "sendMessage",
      kind: {
        type: "status",
        code: 429,
        description: "Too Many Requests: retry after 1",
        retryAfterSeconds: 1,
      },
    });
    held.release();
    await ann.wait("tool-error");
    await world.delivered();
    expect(fault.hits).toHaveLength(1);
    await Promise.all([bots.kill("SIGTERM"), second.kill("SIGTERM")]);

    expect(receiver.problems).toEqual([]);
    expect(treeOf(named(""))).toMatchInlineSnapshot(`
      "receive telegram [bots] ok
        invoke_agent parley [worker] worker_lost
          chat gpt-4o-mini [worker] ok
          execute_tool fetch_url [worker] tool-error
          chat [worker] worker_lost
        invoke_agent parley [worker] answered → worker_lost
          chat gpt-4o-mini [worker] ok
          send telegram [bots] message not-delivered-yet
          send telegram [bots] message"
    `);
    const slow = named("chat").at(-1);
    expect(slow?.attributes["gen_ai.response.time_to_first_chunk"]).toBeGreaterThan(slowMs / 1_000);
    const [tool] = named("execute_tool");
    expect(tool?.status.code).toBe(2);
    const [throttled, sent] = named("send");
    expect(throttled?.attributes["parley.delivery.outcome"]).toBe("retry");
    expect(throttled?.status).toEqual({
      code: 2,
      message: expect.stringContaining("Too Many Requests") as string,
    });
    expect(sent?.attributes["parley.delivery.outcome"]).toBe("sent");
    expect(sent?.status.code).toBe(0);
  },
  6 * timeoutMs,
);
