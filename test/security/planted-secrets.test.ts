import { expect, it } from "vitest";
import { listTracedChats, listTraces, readTrace } from "../../src/store/traces/traces.ts";
import { openStore } from "../../src/store/redis/redis.ts";
import { openWorld } from "../support/parley/open-world.ts";
import { keysLike } from "../support/redis/test-client.ts";

/** What belongs to the operator: no one may read it anywhere. */
const operators = {
  OPENAI_API_KEY: "sk-planted-operator-0123456789abcdef",
  PLANTED_MCP_KEY: "planted-mcp-Key-98765-zyxwv",
  PLANTED_SEARCH_KEY: "planted-search-Key-31337-qrs",
  PLANTED_HEADER: "planted-header-Value-55555-abc",
};
const redisPassword = "planted-redis-Password-31415";
/** What a person was careless enough to write: it is theirs to read, and no one else's. */
const persons = [
  "ghp_0123456789abcdefghijABCDEFGHIJ",
  "AKIAIOSFODNN7EXAMPLE",
  "password=planted-Person-77777",
];

const world = await openWorld({ redis: { password: redisPassword } });

it("secrets stand in no log, error, trace or audit, whatever goes wrong", async () => {
  // The model's server takes one key only; ours is another, so that every answer is a failure that
  // may repeat it.
  const parley = world.start({
    environment: { ...world.environment, ...operators, LOG_LEVEL: "trace" },
    config: `
providers:
  openai: { type: openai, baseUrl: "\${OPENAI_BASE_URL}", apiKey: "\${OPENAI_API_KEY}" }
webSearch: { provider: brave, url: "http://127.0.0.1:9", apiKey: "\${PLANTED_SEARCH_KEY}" }
mcp:
  servers:
    broken: { command: "/nowhere/to/be/found", env: { KEY: "\${PLANTED_MCP_KEY}" } }
    away: { url: "http://user:planted-url-Password-1@127.0.0.1:9/mcp", headers: { authorization: "Bearer \${PLANTED_HEADER}" } }
`,
    tolerates: [/the model (failed|gave an empty answer)/],
  });
  await parley.ready();
  await world.telegram.connected();
  const ann = world.telegram.direct("Ann");
  for (const [index, secret] of persons.entries()) {
    ann.say(`say it is ${secret} (${index})`);
    await ann.wait(({ text }) => /sorry/i.test(text) && ann.shown().length > index);
  }
  // Someone tries what only admins may, with a secret in its argument.
  expect(await ann.command("ban", persons[2])).toMatch(/admin/i);
  ann.say("/export json");
  await world.delivered();

  const store = openStore(world.redis.url, () => undefined);
  try {
    // Written behind the answers.
    const traced = async () => (await listTracedChats(store)).chats;
    await expect.poll(async () => (await traced()).length).toBeGreaterThan(0);
    const chats = await traced();
    const traces = [];
    for (const chat of chats)
      for (const { turn } of await listTraces(store, chat))
        traces.push(...(await readTrace(store, chat, turn)));
    expect(traces.length).toBeGreaterThan(0);
    const audit: unknown[] = [];
    for (const key of await keysLike(store.redis, "parley:{cfg}:audit*"))
      audit.push(
        (await store.redis.type(key)) === "stream" ? await store.redis.xrange(key, "-", "+") : key,
      );
    const outputs = {
      log: `${parley.stdout}\n${parley.stderr}`,
      traces: JSON.stringify(traces),
      audit: JSON.stringify(audit),
    };
    const told = ann
      .shown()
      .flatMap(({ history }) => history)
      .join("\n");
    const ours = [
      ...Object.values(operators),
      redisPassword,
      "planted-url-Password-1",
      world.telegram.environment.TELEGRAM_BOT_TOKEN,
    ];
    for (const secret of ours)
      for (const [where, text] of Object.entries({ ...outputs, told }))
        expect(text.includes(secret), `${where}: ${secret}`).toBe(false);
    for (const secret of persons)
      for (const [where, text] of Object.entries(outputs))
        expect(text.includes(secret.replace("password=", "")), `${where}: ${secret}`).toBe(false);
    // What was looked through is not empty.
    expect(outputs.log.length).toBeGreaterThan(1_000);
    expect(outputs.traces).toContain("[redacted]");
    expect(told).toMatch(/sorry/i);
  } finally {
    store.redis.disconnect();
  }
});
