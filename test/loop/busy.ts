import type { Person } from "../../src/core/chat.ts";
import type { MessageEntry } from "../../src/core/history.ts";
import type { Session, TurnStore } from "../../src/core/ports.ts";
import type { RecordedRequest } from "../emulators/model/scripted-model.ts";
import { calls, until, type Scene } from "./scene.ts";

/** A chat whose turn runs while people write. */

/** Tells a running session of what is new, and fulfils when it has heard. */
export async function heard(scene: Scene, tell: () => unknown = () => scene.news()): Promise<void> {
  const { store } = scene.deps;
  const original: TurnStore = { ...store };
  let beats = 0;
  Object.assign(store, {
    async heartbeat(session: Session) {
      const beat = await original.heartbeat(session);
      beats += 1;
      return beat;
    },
  });
  await tell();
  await until(() => beats > 0, "the worker to hear of it");
  Object.assign(store, original);
}

/** Writes while a turn runs, and lets its worker know. */
export async function write(
  scene: Scene,
  ...texts: readonly (readonly [text: string, person?: Person])[]
): Promise<void> {
  for (const [text, person] of texts) await scene.say(text, person === undefined ? {} : { person });
  await heard(scene);
}

/** A tool of the scene that does not end before the test says so. */
export function holdTool(scene: Scene, name: string): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  scene.parts.effects.gates.set(name, promise);
  return () => {
    scene.parts.effects.gates.delete(name);
    resolve();
  };
}

/** What a request shows of the conversation, e.g. `user one`, without the context. */
/** Whether a message is the one about how things are just now. */
export const isHotContext = ({ text }: RecordedRequest["messages"][number]): boolean =>
  text.startsWith("[From the platform: how things are just now.");

/** Without how things are just now, which has tests of its own. */
export const shown = (request: RecordedRequest | undefined): string[] =>
  (request?.messages ?? [])
    .filter((message) => message.role !== "system" && !isHotContext(message))
    .map(({ role, text, toolCalls }) =>
      [role, text, ...toolCalls.map(({ name }) => `[${name}]`)]
        .filter((part) => part !== "")
        .join(" "),
    );

/** A turn that has begun to look, and a hand on what it looks at. */
export async function looking(scene: Scene, text: string, more: Partial<MessageEntry> = {}) {
  const release = holdTool(scene, "look");
  const before = scene.runs.length;
  scene.model.when(new RegExp(`^${text}$`), calls("look"));
  await scene.say(text, more);
  const running = scene.run();
  await until(() => scene.runs.length > before, "the look");
  return {
    /** Lets it see, and waits for the end of the session. */
    async see() {
      release();
      await running;
    },
  };
}
