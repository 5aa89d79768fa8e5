// The emulator as a process of its own: `node test/emulators/telegram/main.ts [--port N] [--token
// T]`. The first line on stdout is {"port","apiRoot","token"}. Then one JSON request per line on
// stdin, {"id", "do", …}, and one line per request on stdout, {"id", "result"} or {"id", "error"}.
// The end of stdin ends the process.
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { z } from "zod";
import type { StoredMessage } from "./chat-state.ts";
import type { Person } from "./person.ts";
import { TelegramServer } from "./telegram-server.ts";

const requestSchema = z.discriminatedUnion("do", [
  z.object({ do: z.literal("person"), firstName: z.string() }),
  z.object({ do: z.literal("send"), person: z.number(), text: z.string() }),
  z.object({
    do: z.literal("tap"),
    person: z.number(),
    messageId: z.number(),
    button: z.string(),
  }),
  z.object({ do: z.literal("messages"), chat: z.number() }),
  z.object({
    do: z.literal("wait"),
    chat: z.number(),
    text: z.string(),
    timeoutMs: z.number().optional(),
  }),
  z.object({ do: z.literal("violations") }),
]);
type Request = z.infer<typeof requestSchema>;

const people = new Map<number, Person>();

function personOf(id: number): Person {
  const person = people.get(id);
  if (person === undefined) throw new Error(`no person ${id}`);
  return person;
}

const shown = ({ messageId, fromBot, text, replyMarkup }: StoredMessage) => ({
  messageId,
  fromBot,
  text,
  replyMarkup,
});

async function carryOut(telegram: TelegramServer, request: Request): Promise<unknown> {
  switch (request.do) {
    case "person": {
      const person = telegram.person({ firstName: request.firstName });
      telegram.privateChat(person);
      people.set(person.id, person);
      return person.id;
    }
    case "send": {
      const person = personOf(request.person);
      return person.send(person, request.text).messageId;
    }
    case "tap": {
      const { person, messageId, button } = request;
      return personOf(person).tap(messageId, button).queryId;
    }
    case "messages":
      return telegram.messages(request.chat).map((message) => shown(message));
    case "wait": {
      const { chat, text, timeoutMs = 20_000 } = request;
      return shown(await telegram.waitForMessage(chat, text, { timeoutMs }));
    }
    case "violations":
      return telegram.violations;
    default:
      return request satisfies never;
  }
}

const write = (line: unknown): void => {
  process.stdout.write(`${JSON.stringify(line)}\n`);
};

async function answer(telegram: TelegramServer, line: string): Promise<void> {
  let id: unknown;
  try {
    const value: unknown = JSON.parse(line);
    ({ id } = z.object({ id: z.unknown() }).parse(value));
    write({ id, result: await carryOut(telegram, requestSchema.parse(value)) });
  } catch (error) {
    write({ id, error: String(error) });
  }
}

const { values } = parseArgs({
  options: { port: { type: "string" }, token: { type: "string" } },
});
await using telegram = await TelegramServer.start({
  port: Number(values.port ?? 0),
  ...(values.token === undefined ? {} : { token: values.token }),
});
write({
  port: telegram.port,
  apiRoot: telegram.apiRoot,
  token: telegram.token,
});
const running: Promise<void>[] = [];
for await (const line of createInterface({ input: process.stdin }))
  running.push(answer(telegram, line));
await Promise.all(running);
