import type { Call, World } from "./world.ts";

export interface WaitOptions {
  readonly timeoutMs?: number;
  /** What is awaited, for the message of a failure. */
  readonly what?: string;
  /** Whose calls and messages a failure shows; all when absent. */
  readonly chatId?: number;
}

/**
 * Resolves with the first truthy result; asks at once and after every change of the server's state.
 */
export function waitUntil<T>(
  world: World,
  predicate: () => T | undefined | false | null,
  options: WaitOptions = {},
): Promise<T> {
  const { timeoutMs = 20_000, what = "a condition" } = options;
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const end = (): void => {
    clearTimeout(timer);
    world.changes.off("change", check);
    world.changes.off("disposed", fail);
  };
  const check = (): void => {
    try {
      const result = predicate();
      if (!result) return;
      end();
      resolve(result);
    } catch (error) {
      end();
      reject(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const fail = (): void => {
    end();
    reject(
      new Error(
        `Telegram emulator: waited ${timeoutMs} ms in vain for ${what}\n${describe(world, options.chatId)}`,
      ),
    );
  };
  const timer = setTimeout(fail, timeoutMs);
  world.changes.on("change", check);
  world.changes.once("disposed", fail);
  check();
  return promise;
}

/** What happened, for people: messages, the latest calls, violations, updates that no one took. */
export function describe(world: World, chatId?: number): string {
  const chats = [...world.chats.values()].filter(({ id }) => chatId === undefined || id === chatId);
  const messages = chats.flatMap((state) => [
    `messages of chat ${state.id} (${state.chat.type}):`,
    ...[...state.messages.values()].map(
      (message) =>
        `  ${message.messageId} ${message.fromBot ? "bot" : message.from.first_name}${message.editCount > 0 ? ` (edited ${message.editCount}×)` : ""}: ${shorten(message.text)}`,
    ),
  ]);
  const calls = world.calls.filter(
    ({ method, payload }) =>
      !/^getUpdates$/i.test(method) &&
      (chatId === undefined ||
        payload["chat_id"] === undefined ||
        Number(payload["chat_id"]) === chatId),
  );
  return [
    ...messages,
    `the last of ${calls.length} calls:`,
    ...calls.slice(-30).map((call) => `  ${describeCall(call)}`),
    `updates not confirmed: ${world.queue.pending.length}`,
    `violations: ${JSON.stringify(world.violations)}`,
  ].join("\n");
}

function describeCall(call: Call): string {
  const { response, outcome, fault } = call;
  const result =
    response === undefined
      ? outcome
      : response.ok
        ? "ok"
        : `${response.error_code} ${response.description}`;
  return [
    new Date(call.atMs).toISOString().slice(11, 23),
    call.method,
    shorten(JSON.stringify(call.payload)),
    "→",
    shorten(result),
    outcome === "dropped" ? "(caller gone)" : "",
    fault === undefined ? "" : `(injected: ${fault})`,
  ].join(" ");
}

const shorten = (text: string): string => (text.length > 160 ? `${text.slice(0, 157)}…` : text);
