import { vi, describe, expect, it } from "vitest";
import type { Acceptance } from "../../../src/core/inbound.ts";
import { Scene } from "./support.ts";

/** A private chat with a message that has two buttons. */
async function cardScene() {
  const scene = await Scene.open();
  const bot = await scene.start();
  const anna = scene.telegram.person({ firstName: "Anna" });
  const chat = scene.telegram.privateChat(anna);
  const address = {
    platform: "telegram",
    bot: String(scene.telegram.bot.id),
    chat: String(chat.id),
  } as const;
  const outcome = await bot.sender.send(
    address,
    { text: "Delete it?" },
    {
      nonce: "1",
      final: true,
      buttons: [
        { label: "Approve", data: "a:1" },
        { label: "Deny", data: "d:1" },
      ],
    },
  );
  if (outcome.type !== "sent") throw new Error(outcome.cause);
  return {
    scene,
    anna,
    chat,
    messageId: Number(outcome.messageId),
    [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
  };
}

async function answerTo(
  acceptance: Acceptance | (() => Promise<Acceptance>),
  inject?: (scene: Scene) => void,
) {
  await using parts = await cardScene();
  const { scene, anna, messageId } = parts;
  scene.script.behave = typeof acceptance === "function" ? acceptance : () => acceptance;
  inject?.(scene);
  const tap = anna.tap(messageId, "Approve");
  const answer = await tap.answered();
  await scene.allConfirmed();
  expect(scene.telegram.violations).toEqual([]);
  return { ...answer, inbound: scene.script.attempts[0] };
}

describe("taps", () => {
  it("are handed over with who, where and what", async () => {
    const { inbound } = await answerTo({ type: "queued" });
    expect(inbound).toMatchObject({
      type: "tap",
      id: expect.stringMatching(/^c\d+$/) as string,
      data: "a:1",
      direct: true,
      person: { name: "Anna" },
      messageId: expect.any(String) as string,
    });
  });

  it.each<[string, Acceptance, string, boolean]>([
    ["nothing", { type: "queued" }, "", false],
    ["nothing, a second time", { type: "duplicate" }, "", false],
    ["the outcome", { type: "answered", text: "Approved", isPrivate: true }, "Approved", false],
    ["a refusal", { type: "refused", text: "Not allowed." }, "Not allowed.", true],
    ["a refusal told before", { type: "refused" }, "You're not allowed to do this.", true],
    [
      "a failure to keep anything",
      { type: "not-kept", text: "Sorry, my memory is full." },
      "Sorry, my memory is full.",
      true,
    ],
  ])("are answered with %s", async (_, acceptance, text, showAlert) => {
    expect(await answerTo(acceptance)).toMatchObject({ text, showAlert });
  });

  it("that nothing else will update take the buttons of their message away", async () => {
    await using parts = await cardScene();
    const { scene, anna, chat, messageId } = parts;
    const buttons = () => scene.telegram.botMessages(chat)[0]?.replyMarkup?.inline_keyboard.flat();
    scene.script.behave = () => ({ type: "answered", text: "Done.", isPrivate: true });
    await anna.tap(messageId, "Approve").answered();
    await scene.allConfirmed();
    expect(buttons()).toHaveLength(2);
    scene.script.behave = () => ({
      type: "answered",
      text: "Done.",
      isPrivate: true,
      isStale: true,
    });
    await anna.tap(messageId, "Approve").answered();
    await scene.telegram.waitFor(() => buttons() === undefined);
    expect(scene.telegram.violations).toEqual([]);
  });

  it("on a card that is over take its buttons away, but not those of a card that only a forger names", async () => {
    await using parts = await cardScene();
    const { scene, anna, chat, messageId } = parts;
    scene.script.behave = () => ({
      type: "refused",
      text: "This is already approved.",
      isStale: true,
    });
    const buttons = () => scene.telegram.botMessages(chat)[0]?.replyMarkup?.inline_keyboard.flat();
    const forged = anna.tapForged(chat, messageId, "a:2");
    expect((await forged.answered()).text).toBe("This is already approved.");
    await scene.allConfirmed();
    expect(buttons()).toHaveLength(2);
    const tap = anna.tap(messageId, "Approve");
    expect((await tap.answered()).text).toBe("This is already approved.");
    await scene.telegram.waitFor(() => buttons() === undefined);
    expect(scene.telegram.violations).toEqual([]);
  });

  it("are answered within 200 units", async () => {
    const text = "😀".repeat(150);
    const answer = await answerTo({ type: "answered", text, isPrivate: true });
    expect(answer.text).toBe(`${"😀".repeat(99)}…`);
  });

  it("are answered when the store is down, and not tried again", async () => {
    const answer = await answerTo(() => Promise.reject(new Error("Connection is closed.")));
    expect(answer).toMatchObject({
      text: "Sorry, that didn't work. Please try again in a moment.",
      showAlert: true,
    });
  });

  it("tell the store until when they may be decided", async () => {
    const beforeMs = Date.now();
    const { inbound } = await answerTo({ type: "queued" });
    if (inbound?.type !== "tap") throw new Error("no tap");
    expect(inbound.notAfterMs).toBeGreaterThanOrEqual(beforeMs + 8_000);
    expect(inbound.notAfterMs).toBeLessThanOrEqual(Date.now() + 8_000);
  });

  it("are answered when the store does not answer", async () => {
    const answer = await answerTo(
      () => new Promise(() => {}),
      (scene) => {
        scene.tapsAreLate = true;
      },
    );
    expect(answer.text).toBe("Sorry, that didn't work. Please try again in a moment.");
  });

  it.each(["hang-up-before", "hang-up-after"] as const)(
    "are answered once more when the answer was lost: %s",
    async (type) => {
      const answer = await answerTo(
        { type: "answered", text: "Approved", isPrivate: true },
        ({ telegram }) => telegram.inject({ method: "answerCallbackQuery", kind: { type } }),
      );
      expect(answer.text).toBe("Approved");
    },
  );

  it.each(["inaccessible", "none"] as const)(
    "on a message that is %s are answered",
    async (message) => {
      await using parts = await cardScene();
      const { scene, anna, messageId } = parts;
      const answer = await anna.tap(messageId, "Deny", { message }).answered();
      await scene.allConfirmed();
      if (message === "none") {
        expect(answer.text).toBe("This button no longer works.");
        expect(scene.script.attempts).toEqual([]);
      } else
        expect(scene.script.attempts).toMatchObject([
          { type: "tap", data: "d:1", messageId: String(messageId) },
        ]);
    },
  );

  it("with forged data are handed over like all others", async () => {
    await using parts = await cardScene();
    const { scene, anna, chat, messageId } = parts;
    scene.script.behave = () => ({ type: "refused", text: "Unknown button." });
    const tap = anna.tapForged(chat, messageId, "a:forged");
    expect((await tap.answered()).text).toBe("Unknown button.");
  });

  it("don't wait for messages that can't be stored", async () => {
    await using parts = await cardScene();
    const { scene, anna, chat, messageId } = parts;
    const gate = Promise.withResolvers<void>();
    scene.script.behave = async (inbound) => {
      if (inbound.type === "message") await gate.promise;
      return { type: "answered", text: "Approved", isPrivate: true };
    };
    anna.send(chat, "hello");
    await vi.waitFor(() => expect(scene.script.attempts).toHaveLength(1));
    const answer = await anna.tap(messageId, "Approve").answered();
    expect(answer.text).toBe("Approved");
    expect(scene.telegram.pendingUpdates).toHaveLength(2);
    gate.resolve();
    await scene.allConfirmed();
    expect(scene.script.attempts).toHaveLength(2);
    expect(scene.telegram.violations).toEqual([]);
  });

  it("that were being decided when the end came are answered", async () => {
    await using parts = await cardScene();
    const { scene, anna, messageId } = parts;
    const gate = Promise.withResolvers<void>();
    scene.script.behave = async () => {
      await gate.promise;
      return { type: "answered", text: "Approved", isPrivate: true };
    };
    const tap = anna.tap(messageId, "Approve");
    await vi.waitFor(() => expect(scene.script.attempts).toHaveLength(1));
    scene.stop();
    gate.resolve();
    expect((await tap.answered()).text).toBe("Approved");
    await scene.allConfirmed();
  });
});
