import { FakeParley, chat } from "../bots/console/fake-parley.ts";
import type { Sender, SendOutcome } from "../../src/core/ports.ts";
import { senderContract, type SenderSubject, type VisibleMessage } from "./sender-contract.ts";

/**
 * The console forgets what it has printed, so that its messages are what each request has added to
 * the output.
 */
async function setup(): Promise<SenderSubject> {
  let saved: VisibleMessage["file"];
  const parley = new FakeParley({
    saveFile: (name, bytes) => {
      saved = { name, bytes };
      return Promise.resolve(`/files/${name}`);
    },
  });
  const visible: VisibleMessage[] = [];
  const { sender } = parley.bot;
  const watched =
    <Given extends unknown[]>(request: (...given: Given) => Promise<SendOutcome>) =>
    async (...given: Given): Promise<SendOutcome> => {
      const from = parley.written.length;
      saved = undefined;
      const outcome = await request(...given);
      const text = parley.written.slice(from).replace(/\n$/, "");
      const file = saved ? { file: saved } : {};
      if (outcome.type === "sent")
        visible.push({ id: outcome.messageId, text, buttons: [], ...file });
      return outcome;
    };
  const changed: Partial<Sender> = {
    send: watched(sender.send.bind(sender)),
    sendFile: watched(sender.sendFile.bind(sender)),
  };
  await parley.bot.start();
  return {
    sender: new Proxy(sender, {
      get: (target, name) => {
        const value: unknown = Reflect.get(changed, name) ?? Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    }),
    address: chat,
    maxUnits: Infinity,
    visible: () => visible,
    [Symbol.asyncDispose]: () => parley.bot[Symbol.asyncDispose](),
  };
}

senderContract("console", { isRemote: false, setup });
