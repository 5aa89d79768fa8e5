import { Bot, GrammyError } from "grammy";
import { expect } from "vitest";
import { TelegramServer } from "./telegram-server.ts";
import type { TelegramOptions } from "./world.ts";

/** A server, the unmodified grammY client and a person with an open private chat. */
export async function setUp(options: TelegramOptions = {}) {
  const telegram = await TelegramServer.start(options);
  const { api } = new Bot(telegram.token, {
    client: { apiRoot: telegram.apiRoot },
  });
  const ann = telegram.person({ firstName: "Ann", username: "ann_a" });
  const chat = telegram.privateChat(ann);
  return {
    telegram,
    api,
    ann,
    chat,
    [Symbol.asyncDispose]: () => telegram[Symbol.asyncDispose](),
  };
}

/** The refusal of a call; fails when the call succeeds. */
export async function refusal(call: Promise<unknown>): Promise<GrammyError> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(GrammyError);
  return error as GrammyError;
}

export const reason = async (call: Promise<unknown>): Promise<string> =>
  (await refusal(call)).description;

export const kinds = (telegram: TelegramServer): string[] =>
  telegram.violations.map((violation) => violation.kind);
