import { randomUUID } from "node:crypto";
import type { ChatKey } from "../core/chat.ts";
import type { Services } from "../services.ts";

export const consoleChat = "console:local:main" as ChatKey;

/** Says something to the terminal's user without disturbing what they type. */
export const sayInConsole =
  ({ post, log }: Pick<Services, "post" | "log">) =>
  (text: string): void => {
    const entry = { v: 1, id: `said-${randomUUID()}`, kind: "notice", text } as const;
    post(consoleChat, entry).catch((error: unknown) => log.warn({ error }, text));
  };
