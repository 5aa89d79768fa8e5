import { describe, expect, it } from "vitest";
import { askForNote, askForNotes, isClosed, notesOf } from "../support/parley/notes.ts";
import { longText, stopInTheMiddle } from "../support/parley/previews.ts";
import { openWorld } from "../support/parley/open-world.ts";
import { keysLike, openClient } from "../support/redis/test-client.ts";
import { taken } from "../support/parley/stage.ts";

const world = await openWorld();
const { model } = world;

describe("after kill -9 of every process", () => {
  it("a tap on a card of hours before still decides, as does an answer to one", async () => {
    const first = world.start({ environment: world.environment });
    await first.ready();
    await Promise.all(world.stages.map((stage) => stage.connected()));
    const open = await Promise.all(
      world.stages.map(async (stage) => {
        const [ann, ben] = [stage.direct("Ann"), stage.direct("Ben")];
        const [card, cards] = await Promise.all([
          askForNote(ann, "tea after the storm"),
          askForNotes(ben, ["rain", "wind"]),
        ]);
        return { ann, ben, card, cards };
      }),
    );
    await world.delivered();
    await first.kill("SIGKILL");
    // What is kept for two days only, and what processes remember, is gone.
    const client = openClient(world.redis.url);
    const ledgers = await keysLike(client, "parley:*:sent:*");
    await Promise.all(ledgers.map((key) => client.del(key)));
    client.disconnect();
    const second = world.start({ environment: world.environment });
    await second.ready();
    await Promise.all(
      open.map(async ({ ann, ben, card, cards }) => {
        expect(await ann.tap(card, "Approve")).toMatch(taken);
        await ann.wait(isClosed(card, "approved by Ann"));
        await ann.wait("write_note said: Noted.");
        expect(await notesOf(ann)).toEqual(["tea after the storm"]);
        expect(await ben.tap(cards, "✗ 2")).toMatch(/^Denied\.$|^✗ 2 denied by Ben$/m);
        ben.say("yes 1", { replyTo: cards });
        await ben.wait(isClosed(cards, "✓ 1 approved by Ben"));
        await ben.wait("write_note said: Noted.");
        expect(await notesOf(ben)).toEqual(["rain"]);
      }),
    );
    await second.kill("SIGKILL");
  });

  it("with every worker down each tap is answered once, and carried out by the next worker", async () => {
    const first = world.start({ environment: world.environment });
    await first.ready();
    const open = await Promise.all(
      world.stages.map(async (stage) => {
        const ann = stage.direct("Ann");
        return { ann, card: await askForNotes(ann, ["sun", "snow"]) };
      }),
    );
    await world.delivered();
    await first.kill("SIGKILL");
    const bots = world.start({
      environment: { ...world.environment, PARLEY_ROLE: "bots" },
    });
    await bots.ready();
    const { server } = world.telegram;
    const before = server.callsOf("answerCallbackQuery").length;
    await Promise.all(
      open.map(async ({ ann, card }) => {
        const [approveAll = "", denyAll = ""] = card.data;
        expect(await ann.tap(card, "✓ 1")).toMatch(taken);
        // Discord shows the card as it is then, which has the button no more.
        expect(await ann.forge(card, denyAll)).toMatch(
          ann.platform === "telegram"
            ? /^Denied: 1 of 2\.\n1: This is already approved by Ann\.$/
            : /\n✓ 1 approved by Ann\n✗ 2 denied by Ann$/,
        );
        expect(await ann.forge(card, approveAll)).toContain("already");
        await ann.wait(isClosed(card, "✗ 2 denied by Ann"));
      }),
    );
    expect(server.callsOf("answerCallbackQuery").length - before).toBe(3);
    const worker = world.start({
      environment: { ...world.services, PARLEY_ROLE: "worker" },
    });
    await worker.ready();
    await Promise.all(
      open.map(async ({ ann }) => {
        await ann.wait("confirmation-denied");
        expect(await notesOf(ann)).toEqual(["sun"]);
      }),
    );
    await Promise.all([bots.kill("SIGKILL"), worker.kill("SIGKILL")]);
  });

  it("what people in Telegram wrote meanwhile is answered, and the answer that was broken off, once", async () => {
    const { telegram } = world;
    const ann = telegram.direct("Ann");
    const first = world.start({ environment: world.environment });
    await first.ready();
    const text = longText("crash");
    const { preview, release } = await stopInTheMiddle(model, ann, text);
    await world.delivered();
    await first.kill("SIGKILL");
    release();
    ann.say("say and this was written while nobody listened");
    const second = world.start({ environment: world.environment });
    await second.ready();
    await ann.wait("and this was written while nobody listened");
    expect(ann.shown().map((message) => message.text)).toEqual([
      text,
      "and this was written while nobody listened",
    ]);
    expect(ann.shown()[0]?.id).toBe(preview.id);
    await second.kill("SIGKILL");
  });
});
