import { expect, test } from "vitest";
import type { Recall, RecallQuery } from "../../../src/core/memory.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { memoryOn } from "../../memory/support.ts";
import { openScene, type Scene } from "../scene.ts";

const redis = await testDatabase();

const asked = (scene: Scene): string => JSON.stringify(scene.model.requests.at(-1)?.messages ?? []);

/** A conversation that is over and indexed. */
async function afterOne(more: { readonly group?: true } = {}): Promise<Scene> {
  const scene = await openScene({ redis });
  const { store, chat } = scene.parts;
  const memory = memoryOn(store);
  scene.with({ recall: memory.recall });
  await scene.say("My sister Clara keeps seven hens in Leipzig.", more);
  await scene.settle();
  await scene.reset();
  await memory.index(chat);
  return scene;
}

test("in a direct chat a model is shown what was said before and fits, in front of the message", async () => {
  await using scene = await afterOne();
  await scene.say("Where does Clara keep her hens?");
  await scene.settle();
  const [before, last] = scene.model.requests.at(-1)?.messages.slice(-2) ?? [];
  expect(before?.text).toMatch(/^\[From the platform: what follows was said in this chat earlier/);
  expect(before?.text).toContain("> Ann: My sister Clara keeps seven hens in Leipzig.");
  expect(last).toMatchObject({ role: "user", text: "Where does Clara keep her hens?" });
  await scene.say("Thanks, that was all I needed for now.");
  await scene.settle();
  // What was recalled for one turn is no part of the next one.
  const asWhole = scene.model.requests.at(-1)?.messages.filter(({ role }) => role !== "assistant");
  expect(JSON.stringify(asWhole)).not.toContain("> Ann: My sister");
});

test("in a group it isn't", async () => {
  await using scene = await afterOne({ group: true });
  await scene.say("Where does Clara keep her hens?", { group: true });
  await scene.settle();
  expect(asked(scene)).toContain("Where does Clara");
  expect(asked(scene)).not.toContain("Leipzig");
});

test("what the model sees anyway isn't recalled, and a turn goes on where recall fails", async () => {
  await using scene = await openScene({ redis });
  const queries: RecallQuery[] = [];
  const recall: Recall = {
    find: (_chat, query) => {
      queries.push(query);
      return Promise.reject(new Error("no memory"));
    },
  };
  scene.with({ recall });
  await scene.say("one");
  await scene.settle();
  // It sees all of it: nothing is asked.
  expect(queries).toEqual([]);
  await scene.reset();
  await scene.say("two");
  await scene.settle();
  const before = (await scene.log()).findIndex(({ kind }) => kind === "reset") + 1;
  expect(queries).toMatchObject([{ words: "two", before, by: { id: "telegram:1" } }]);
  expect(asked(scene)).toContain("two");
});
