import * as fc from "fast-check";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { SettingsError } from "../../src/config/problems.ts";
import { readFileContent } from "../../src/config/read-file.ts";
import { load, type Given } from "./support.ts";

function survives(given: Given): void {
  try {
    expect(load(given).role).toBeDefined();
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
  }
}

/** Keys and values that get past the first checks far more often than noise does. */
const word = fc.constantFrom(
  ..."providers models tiers persona turn context memory approvals tools rules mcp servers limits access telegram discord http retention".split(
    " ",
  ),
  ..."openai demo demo/demo type models balanced fast match deny confirm command url headers env args elicitation defaults host port mode webhook secret".split(
    " ",
  ),
  ..."sameCall sameTool hints history state keep thinking whileBusy steer names full agent truncate".split(
    " ",
  ),
  ..."maxModelCalls deadline maxTokens stopOn loop compactAt compactTo person messages cost admins telegram:1 shards auto".split(
    " ",
  ),
  ..."off 15m 20/min 5usd/day never always polling ${NAME} ${UNSET} ${ __proto__ constructor toString hasOwnProperty".split(
    " ",
  ),
);
const leaf = fc.oneof(
  word,
  fc.string(),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { depthSize: "medium", withCrossShrink: true },
    leaf,
    fc.array(tie("tree"), { maxLength: 4 }),
    fc.dictionary(
      fc.oneof({ arbitrary: word, weight: 5 }, { arbitrary: fc.string(), weight: 1 }),
      tie("tree"),
      { maxKeys: 6, noNullPrototype: true },
    ),
  ),
}));

test("whatever text the file holds, it is accepted or refused, and nothing else", () => {
  const line = fc
    .tuple(fc.nat(3), word, fc.oneof(word, fc.string()))
    .map(([indent, key, value]) => `${"  ".repeat(indent)}${key}: ${value}`);
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(line).map((lines) => lines.join("\n")),
  );
  fc.assert(
    fc.property(text, (yaml) => survives({ yaml })),
    { numRuns: 300 },
  );
});

test("whatever the file's content is, it is accepted or refused, and nothing else", () => {
  fc.assert(
    fc.property(tree, (content) => {
      const reading = readFileContent(content, { NAME: "value" }, "parley.yaml");
      if ("problems" in reading) expect(reading.problems.length).toBeGreaterThan(0);
      else
        survives({
          yaml: stringify(content ?? null),
          environment: { NAME: "value" },
        });
    }),
    { numRuns: 2_000 },
  );
});

test("whatever the environment holds, it is accepted or refused, and nothing else", () => {
  const names =
    "REDIS_URL TELEGRAM_BOT_TOKEN TELEGRAM_API_ROOT DISCORD_TOKEN OPENAI_API_KEY OPENAI_BASE_URL OPENAI_MODEL OLLAMA_HOST PARLEY_ADMINS PARLEY_ACCESS PARLEY_ROLE PARLEY_HTTP_PORT PARLEY_DATA LOG_LEVEL";
  const name = fc.oneof(fc.constantFrom(...names.split(" ")), fc.string());
  const value = fc.oneof(
    fc.string(),
    fc.webUrl(),
    fc.constantFrom("redis://h", "8080", "bots", "info", "telegram:1"),
  );
  fc.assert(
    fc.property(fc.dictionary(name, value, { noNullPrototype: true }), (environment) =>
      survives({ environment }),
    ),
    { numRuns: 500 },
  );
});
