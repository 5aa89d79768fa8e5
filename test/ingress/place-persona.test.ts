import { describe, expect, it } from "vitest";
import type { MessageEntry } from "../../src/core/history.ts";
import { personaSchema } from "../../src/core/persona.ts";
import { personaFor } from "../../src/loop/persona.ts";
import { chatKey } from "../../src/core/chat.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { PersonaCache } from "../../src/store/personas/persona-cache.ts";
import { storeOn, turnStoreOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import {
  directPlace,
  groupPlace,
  newPerson,
  openIngress,
  textOf,
  type Place,
} from "./open-ingress.ts";

const store = storeOn(await testDatabase());
const ingress = openIngress(store);
const { personas } = ingress.deps;
const turns = turnStoreOn(store);
for (const name of ["host", "coder", "chef"])
  await personas.store.save("file", personaSchema.parse({ name, prompt: `You are the ${name}.` }));

const inTopic = (at: Place, thread: string, person = newPerson()): Place => {
  const address = { ...at.address, thread };
  return { ...at, person, address, chat: chatKey(address) };
};

/** What a worker makes of the newest message that this person has sent: who answers, and why. */
async function answers(at: Place): Promise<string> {
  await ingress.say(at, "hello");
  const begun = await turns.begin(at.chat);
  if (begun.type !== "begun" || begun.state === undefined) throw new Error("nothing began");
  const message = begun.transcript.findLast((each) => each.kind === "message") as MessageEntry;
  const cache = new PersonaCache(personas.store, {
    usual: undefined,
    now: () => 0,
    report: () => undefined,
  });
  const persona = await personaFor(cache, begun, message);
  await turns.commit(begun.session, begun.revision, {
    state: undefined,
    turn: begun.state.turn,
    release: {},
  });
  return persona === undefined ? "none" : `${persona.name} by ${persona.by}`;
}

const read = async (at: Place, argument: string): Promise<string> =>
  textOf(await ingress.command(at, "persona", { argument, answersItself: true }));

describe("a persona that is chosen for a place", () => {
  it("answers in all its chats, until a chat or a person has another", async () => {
    const group = groupPlace();
    const [one, other] = [inTopic(group, "1"), inTopic(group, "2")];
    const admin = inTopic(group, "3");
    await ingress.access.setRole(admin.person, "admin");
    // Its places are known by now, with none.
    expect(await answers(one)).toBe("none");
    expect(await read(admin, "host place")).toContain("host answers in this whole group");
    // From the next message on, as it says.
    for (const each of [one, other, admin]) expect(await answers(each)).toBe("host by place");
    for (const elsewhere of [groupPlace(one.person), directPlace(one.person)])
      expect(await answers(elsewhere)).toBe("none");

    await read(inTopic(group, "2", admin.person), "coder chat");
    expect(await answers(other)).toBe("coder by chat");
    expect(await answers(one)).toBe("host by place");
    await read(other, "chef");
    expect(await answers(other)).toBe("chef by person");
    expect(await answers(inTopic(group, "2"))).toBe("coder by chat");

    await read(admin, "default place");
    expect(await answers(one)).toBe("none");
  });

  it("is that of the moment at which the message came", async () => {
    const at = groupPlace();
    const admin = groupPlace(newPerson(), at);
    await ingress.access.setRole(admin.person, "admin");
    await read(admin, "host place");
    await ingress.say(at, "hello");
    await read(admin, "coder place");
    await ingress.say(at, "hello");
    const stored = await store.redis.lrange(chatKeys(at.chat).inbox, 0, -1);
    expect(stored.map((json) => (JSON.parse(json) as MessageEntry).persona)).toEqual([
      "file/host",
      "file/coder",
    ]);
  });
});
