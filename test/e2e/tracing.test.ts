import { describe, expect, it } from "vitest";
import { keysLike, openClient } from "../support/redis/test-client.ts";
import { openWorld } from "../support/parley/open-world.ts";
import { exportingTo, playCrash } from "../support/tracing/crash-scene.ts";
import { OtlpReceiver } from "../support/tracing/otlp-receiver.ts";
import { treeOf } from "../support/tracing/tree.ts";

const world = await openWorld();
const { telegram } = world;

describe("one trace of a turn that waits for a person and loses its worker", () => {
  it("goes from the message to the answer over three processes", async () => {
    await using receiver = await OtlpReceiver.start();
    const spans = await playCrash({
      start: (options) => world.start(options),
      environment: world.environment,
      receiver,
      connected: () => telegram.connected(),
      chat: telegram.direct("Ann"),
      question: 'call router_set_guest_wifi {"password":"maple-otter"}',
      answer: "router_set_guest_wifi said: Changed.",
    });
    expect(receiver.problems).toEqual([]);
    expect(treeOf(spans)).toMatchInlineSnapshot(`
      "receive telegram [bots] ok
        invoke_agent parley [worker] waiting
          chat gpt-4o-mini [worker] ok
          send telegram [bots] card
          decide router.set_guest_wifi [bots] approved
          send telegram [bots] resolution
        invoke_agent parley [worker] worker_lost → waiting
          execute_tool router_set_guest_wifi [worker] worker_lost
        invoke_agent parley [worker] answered → worker_lost
          execute_tool router_set_guest_wifi [worker] ok
          chat gpt-4o-mini [worker] ok
          send telegram [bots] message"
    `);
  });
});

/** Writes the names of OpenTelemetry's modules to stderr when the process ends. */
const listing = `import { createRequire } from "node:module";
const { cache } = createRequire("file:///");
process.on("exit", () => process.stderr.write("loaded: " + Object.keys(cache).filter((each) => each.includes("@opentelemetry")).length + "\\n"));`;
const imports = (module: string): string =>
  `--import data:text/javascript,${encodeURIComponent(module)}`;
const listed = { NODE_OPTIONS: imports(listing) };

/** Node finds the optional packages as little as where they are not installed. */
const withoutPackages = `import { registerHooks } from "node:module";
registerHooks({ resolve: (name, context, next) =>
  next(/^@opentelemetry\\/(?!api$)/.test(name) ? name + "-absent" : name, context) });`;

/** How many messages of all histories have a context. */
async function contexts(): Promise<number> {
  const client = openClient(world.redis.url);
  try {
    const logs = await keysLike(client, "parley:*:log:*");
    const entries = await Promise.all(logs.map((key) => client.lrange(key, 0, -1)));
    return entries.flat().filter((each) => each.includes("traceparent")).length;
  } finally {
    client.disconnect();
  }
}

const talk = async (environment: Record<string, string>) => {
  const parley = world.start({ environment: { ...world.environment, ...environment } });
  await parley.ready();
  await telegram.connected();
  const chat = telegram.direct("Ben");
  chat.say("say good morning");
  await chat.wait("good morning");
  await world.delivered();
  return { parley, exit: await parley.kill("SIGTERM") };
};

describe("a process", () => {
  it("without an endpoint loads no package and stores nothing more", async () => {
    const before = await contexts();
    const { parley } = await talk(listed);
    expect(parley.stderr).toContain("loaded: 0\n");
    expect(await contexts()).toBe(before);
  });

  it("with one sends its last spans when it ends, with the operator's headers and name", async () => {
    await using receiver = await OtlpReceiver.start();
    const { parley } = await talk({
      ...listed,
      ...exportingTo(receiver),
      OTEL_BSP_SCHEDULE_DELAY: "600000",
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Basic%20dGVzdDp0ZXN0dGVzdA==",
      OTEL_SERVICE_NAME: "our-bot",
    });
    expect(parley.stderr).toMatch(/loaded: [1-9]/);
    expect(receiver.problems).toEqual([]);
    expect(receiver.spans.map(({ name }) => name).sort()).toEqual([
      "chat gpt-4o-mini",
      "invoke_agent parley",
      "receive telegram",
      "send telegram",
    ]);
    expect(receiver.headers[0]).toBe("Basic dGVzdDp0ZXN0dGVzdA==");
    expect(receiver.spans[0]?.resource["service.name"]).toBe("our-bot");
    expect(receiver.bodies.join()).not.toContain("good morning");
  });

  it.each(["refuses", "hangs", "is absent"])(
    "whose receiver %s answers all the same, ends in time, and warns once",
    async (how) => {
      await using receiver = await OtlpReceiver.start();
      receiver.refusesWith = how === "hangs" ? "hang" : 400;
      if (how === "is absent") await receiver.close();
      const { parley, exit } = await talk(exportingTo(receiver));
      expect(exit).toEqual({ code: 0, signal: null });
      expect(receiver.refused > 0).toBe(how !== "is absent");
      const warnings = parley.log.filter(({ msg = "" }) => msg.startsWith("spans are lost"));
      expect(warnings).toHaveLength(1);
    },
  );

  it("without the optional packages ends at its start with the command that installs them", async () => {
    await using parley = world.start({
      environment: {
        ...world.environment,
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318",
        NODE_OPTIONS: imports(withoutPackages),
      },
      mayFail: true,
    });
    expect(await parley.exited).toEqual({ code: 2, signal: null });
    expect(parley.stderr).toMatch(
      // A Redis that is slow to answer is named first.
      /^OTEL_EXPORTER_OTLP_ENDPOINT is set, but .* not installed .*Install them: npm install @opentelemetry\/sdk-trace-node @opentelemetry\/exporter-trace-otlp-http @opentelemetry\/resources$/m,
    );
  });

  it("without them and without an endpoint works as always", async () => {
    const { exit } = await talk({ NODE_OPTIONS: imports(withoutPackages) });
    expect(exit).toEqual({ code: 0, signal: null });
  });
});
