import { Redis } from "ioredis";
import type { AskedCommand } from "./round-trips.ts";
import { sha1 } from "./slot-watch.ts";

interface Sent {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly promise: Promise<unknown>;
}

const prototype = Redis.prototype as unknown as {
  sendCommand: (command: Sent, ...rest: readonly unknown[]) => unknown;
  defineCommand: (name: string, definition: { readonly lua: string }) => void;
};

/**
 * All commands of all connections that this process opens, as it sees them: a reply has come when
 * the code that waits for it goes on. Watches until it is disposed of; one at a time.
 */
export class CommandWatch implements Disposable {
  /** In the order in which they were written. */
  readonly commands: readonly AskedCommand[] = [];
  readonly #before = { ...pick(prototype) };
  readonly #scripts = new Map<string, string>();
  readonly #connections = new WeakMap<object, number>();
  #opened = 0;
  #moment = 0;

  constructor() {
    const seen = new WeakSet<Sent>();
    const before = this.#before;
    const note = (on: object, command: Sent): void => this.#note(on, command);
    const scripts = this.#scripts;
    prototype.sendCommand = function (this: object, command, ...rest) {
      // One that had to wait for its connection is sent again.
      if (!seen.has(command)) note(this, command);
      seen.add(command);
      return before.sendCommand.call(this, command, ...rest);
    };
    prototype.defineCommand = function (this: unknown, name, definition) {
      // BullMQ's names end with its version.
      scripts.set(sha1(definition.lua), name.replace(/:.*$/, ""));
      before.defineCommand.call(this, name, definition);
    };
  }

  /** Now, as commands tell it. */
  get moment(): number {
    return this.#moment;
  }

  [Symbol.dispose](): void {
    Object.assign(prototype, this.#before);
  }

  #connectionOf(client: object): number {
    const known = this.#connections.get(client);
    if (known !== undefined) return known;
    this.#opened += 1;
    this.#connections.set(client, this.#opened);
    return this.#opened;
  }

  #note(client: object, { name, args, promise }: Sent): void {
    this.#moment += 1;
    const parts = args.flat().map(String);
    const script = this.#scripts.get(parts[0] ?? "");
    const command: AskedCommand & { reply?: AskedCommand["reply"] } = {
      connection: this.#connectionOf(client),
      name: name === "evalsha" && script ? script : name.toLowerCase(),
      parts,
      writtenAt: this.#moment,
    };
    (this.commands as AskedCommand[]).push(command);
    const answered = (reply: unknown): void => {
      this.#moment += 1;
      command.reply = { at: this.#moment, isEmpty: isEmpty(reply) };
    };
    promise.then(answered, answered);
  }
}

const pick = ({ sendCommand, defineCommand }: typeof prototype) => ({
  sendCommand,
  defineCommand,
});

/** Nothing, or a list that begins with it: as BullMQ's scripts say that there is no job. */
const isEmpty = (reply: unknown): boolean => (Array.isArray(reply) ? !reply[0] : reply === null);
