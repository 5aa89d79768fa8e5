import { heldGrants } from "../access/held-grants.ts";
import { fetchLimits, type AcceptDeps } from "../accept/deps.ts";
import { allCommands } from "../commands/all-commands.ts";
import { limitLeaves } from "../config/file-turn.ts";
import { nearest } from "../config/nearest.ts";
import { FairSlots } from "../core/fair-slots.ts";
import type { ModelCatalogue } from "../models/create-models.ts";
import { createGrantStore } from "../store/grants.ts";
import { createTodos } from "../store/todos.ts";
import { createToolSchemas } from "../store/tool-schemas.ts";
import { createOfferedTools } from "../store/offered-tools.ts";
import { createChatSettings } from "../store/chat-settings.ts";
import { readAuto, readChatStatus } from "../store/chat-status.ts";
import { readHistory } from "../store/history.ts";
import { countReachable } from "./broadcast.ts";
import { newErrorId } from "./error-id.ts";
import { readFigures } from "./figures.ts";
import { retentionMsOf } from "./retention.ts";
import type { Services } from "./services.ts";
import { turnDefaults } from "./turn-defaults.ts";

/** What the door and the commands behind it work with. */
export function acceptDeps(
  services: Services,
  models: ModelCatalogue,
  /** `platform:bot` of those that this process is connected as. */
  bots: () => readonly string[],
): AcceptDeps {
  const { store, inbox, people, access, approvals, audit, waker, post } =
    services;
  return {
    access,
    people,
    messageLimits: services.limits.messages,
    inbox,
    pairing: { access, people, audit, post },
    settings: createChatSettings(store, {
      retentionMs: retentionMsOf(services.settings),
    }),
    status: (chat) => readChatStatus(store, chat),
    runningAuto: (chat) => readAuto(store, chat),
    wakeTurn: (chat) => waker.wake("turn", chat),
    wakeDelivery: (chat) => waker.wake("delivery", chat),
    wakeTurnIn: (chat, inMs) => waker.wakeIn("turn", chat, inMs),
    approvals,
    grants: heldGrants(createGrantStore(store), access),
    toolSchemas: createToolSchemas(store),
    audit,
    pauses: services.pauses,
    figures: () => readFigures(services, bots()),
    broadcasts: {
      ...services.broadcasts,
      count: () => countReachable(services, { bots }),
    },
    tools: () => createOfferedTools(store).read(),
    todos: createTodos(store),
    models: {
      keys: models.keys,
      tiers: models.tiers,
      aliases: models.aliases,
      modelsOf: (tier, first) =>
        models.chain(tier, first).cards.map(({ id }) => id),
    },
    defaults: turnDefaults(services.settings),
    limits: limitLeaves,
    limitDesk: services.limits.desk,
    nearest,
    history: (chat) => readHistory(store, chat),
    blobs: services.blobs,
    erasures: services.erasures,
    async post(chat, entry) {
      const [ingested] = await Promise.all([
        inbox.post(chat, entry),
        waker.wake("delivery", chat),
      ]);
      return ingested;
    },
    commands: allCommands,
    now: () => store.clock.now(),
    fetchSlots: new FairSlots(fetchLimits),
    chats: services.chats,
    readsVoice: services.settings.transcription !== undefined,
    newErrorId,
    log: services.log,
  };
}
