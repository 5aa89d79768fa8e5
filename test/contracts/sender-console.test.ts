import { FakeParley, chat } from "../bots/console/fake-parley.ts";
import type { Sender } from "../../src/core/ports.ts";
import {
  senderContract,
  type SenderSubject,
  type VisibleMessage,
} from "./sender-contract.ts";

/** The console forgets what it has printed, so that its messages are what each request has added to the output. */
async function setup(): Promise<SenderSubject> {
  const parley = new FakeParley();
  const visible: VisibleMessage[] = [];
  const { sender } = parley.bot;
  const send: Sender["send"] = async (...request) => {
    const from = parley.written.length;
    const outcome = await sender.send(...request);
    const text = parley.written.slice(from).replace(/\n$/, "");
    if (outcome.type === "sent")
      visible.push({ id: outcome.messageId, text, buttons: [] });
    return outcome;
  };
  await parley.bot.start();
  return {
    sender: new Proxy(sender, {
      get: (target, name) => {
        if (name === "send") return send;
        const value: unknown = Reflect.get(target, name, target);
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
