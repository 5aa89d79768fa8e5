import { setTimeout as sleep } from "node:timers/promises";
import type { ChatHandle } from "../../test/emulators/telegram/chats.ts";
import type { Person } from "../../test/emulators/telegram/person.ts";
import type { TelegramServer } from "../../test/emulators/telegram/telegram-server.ts";

export interface Scene {
  readonly telegram: TelegramServer;
  /** Someone who may talk to the bot. */
  readonly flooder: Person;
  readonly messages: number;
  /** Ends the flood. */
  readonly signal: AbortSignal;
}

interface Flood {
  /** Fulfils when all of it was sent. */
  readonly done: Promise<void>;
  /** Where it is sent. */
  readonly chats: readonly ChatHandle[];
  /** How many people send it. */
  readonly people: number;
}

export interface Abuse {
  readonly name: string;
  begin(scene: Scene): Flood;
}

/** Faster than anybody writes, and than Telegram lets anybody: messages a second. */
export const messagesPerSecond = 400;
const strangerCount = 1_000;
const raiderCount = 200;
const chatCount = 100;

/**
 * How long Telegram takes to hand out a file, milliseconds, and how many messages of the flood one
 * file stands for.
 */
const fileMs = 1_000;
const messagesPerFile = 400;

interface Sender {
  readonly person: Person;
  readonly chat: ChatHandle;
}

/**
 * The flood that several people, or one in several chats, send in turns.
 * @param write what each sends; absent: words.
 */
function flood(
  { telegram, messages, signal }: Scene,
  senders: readonly Sender[],
  write = ({ person, chat }: Sender, text: string): void => {
    person.send(chat, text);
  },
): Promise<void> {
  const send = async (): Promise<void> => {
    const startedAtMs = performance.now();
    for (let sent = 0; sent < messages; sent += 1) {
      const sender = senders[sent % senders.length];
      if (sender === undefined) throw new Error("nobody sends");
      write(sender, `@${telegram.bot.username} say flood ${sent}`);
      const dueMs = (sent * 1_000) / messagesPerSecond;
      const aheadMs = dueMs - (performance.now() - startedAtMs);
      if (aheadMs > 20) await sleep(aheadMs, undefined, { signal });
    }
  };
  return send();
}

export const abuses: readonly Abuse[] = [
  {
    name: "one person in one chat",
    begin(scene) {
      const { telegram, flooder: person } = scene;
      const chat = telegram.privateChat(person);
      const done = flood(scene, [{ person, chat }]);
      return { done, chats: [chat], people: 1 };
    },
  },
  {
    name: `one person in ${chatCount} chats`,
    begin(scene) {
      const { telegram, flooder: person } = scene;
      const chats = Array.from({ length: chatCount }, (_, index) =>
        telegram.group({
          title: `Group ${index}`,
          kind: "supergroup",
          members: [person],
        }),
      );
      const done = flood(
        scene,
        chats.map((chat) => ({ person, chat })),
      );
      return { done, chats, people: 1 };
    },
  },
  {
    name: "one person's slow files",
    begin(scene) {
      const { telegram, flooder: person } = scene;
      const chat = telegram.privateChat(person);
      telegram.inject({
        method: "getFile",
        times: Infinity,
        kind: { type: "delay", ms: fileMs },
      });
      const bytes = new TextEncoder().encode("a flood of files");
      let sent = 0;
      const done = flood(scene, [{ person, chat }], (_, caption) => {
        sent += 1;
        if (sent % messagesPerFile === 1) person.sendDocument(chat, bytes, { caption });
      });
      return { done, chats: [chat], people: 1 };
    },
  },
  {
    name: `${strangerCount} strangers`,
    begin(scene) {
      const { telegram } = scene;
      const senders = Array.from({ length: strangerCount }, (_, index) => {
        const person = telegram.person({ firstName: `Stranger ${index}` });
        return { person, chat: telegram.privateChat(person) };
      });
      const done = flood(scene, senders);
      const chats = senders.map(({ chat }) => chat);
      return { done, chats, people: strangerCount };
    },
  },
  {
    name: `a raid of ${raiderCount} in a group`,
    begin(scene) {
      const { telegram } = scene;
      const people = Array.from({ length: raiderCount }, (_, index) =>
        telegram.person({ firstName: `Raider ${index}` }),
      );
      const chat = telegram.group({
        title: "Raided",
        kind: "supergroup",
        members: people,
      });
      const done = flood(
        scene,
        people.map((person) => ({ person, chat })),
      );
      return { done, chats: [chat], people: raiderCount };
    },
  },
];
