import { heldGrants } from "../approvals/held-grants.ts";
import { longestAutoMs } from "../approvals/tool-policy.ts";
import { fetchLimits, type AcceptDeps } from "../ingress/deps.ts";
import { allCommands } from "../commands/all-commands.ts";
import { chatLeaves } from "../config/file.ts";
import { nearest } from "../config/nearest.ts";
import { personaExtrasFormat } from "../config/persona-extras.ts";
import { FairSlots } from "../util/fair-slots.ts";
import type { ModelCatalogue } from "../models/create-models.ts";
import { createGrantStore } from "../store/approvals/grants.ts";
import { createPageSessions } from "../store/operations/page-sessions.ts";
import { createSkillReviews } from "../store/operations/skill-reviews.ts";
import { createPersonaChoices } from "../store/personas/choices.ts";
import { createPersonaStore } from "../store/personas/personas.ts";
import { createPersonaDrafts } from "../store/personas/persona-drafts.ts";
import { createFacts } from "../store/memory/facts.ts";
import { createSummaries } from "../store/memory/summaries.ts";
import { createNotes } from "../store/turns/notes.ts";
import { createTodos } from "../store/turns/todos.ts";
import { createToolSchemas } from "../store/approvals/tool-schemas.ts";
import { createOfferedTools } from "../store/approvals/offered-tools.ts";
import { createVision } from "../store/operations/vision.ts";
import { createChatSettings } from "../store/turns/chat-settings.ts";
import { readAuto, readChatStatus } from "../store/turns/chat-status.ts";
import { readHistory } from "../store/turns/history.ts";
import { countReachable } from "../jobs/broadcast.ts";
import { newErrorId } from "../logging/error-id.ts";
import { examineHere } from "./examine-here.ts";
import { importedFile } from "./imported-file.ts";
import { readFigures } from "./figures.ts";
import { retentionMsOf } from "../config/retention.ts";
import type { Services } from "../services.ts";
import { turnDefaults } from "./turn-defaults.ts";

/** The dependencies of the ingress and of the commands. */
export function acceptDeps(
  services: Services,
  models: ModelCatalogue,
  here: {
    /** `platform:bot` of the bots that this process is connected as. */
    readonly bots: () => readonly string[];
    /** Undefined: the operator's page is off. */
    readonly pageUrl: () => string | undefined;
  },
): AcceptDeps {
  const { store, inbox, people, access, approvals, audit, waker, post } = services;
  return {
    access,
    people,
    messageLimits: services.limits.messages,
    metrics: services.metrics,
    inbox,
    pairing: { access, people, audit, post, connectedBots: services.connectedBots },
    settings: createChatSettings(store, { retentionMs: retentionMsOf(services.settings) }),
    status: (chat) => readChatStatus(store, chat),
    runningAuto: (chat) => readAuto(store, chat),
    startTurn: (chat) => waker.wakeHere("turn", chat),
    wakeTurn: (chat) => waker.wake("turn", chat),
    wakeDelivery: (chat) => waker.wake("delivery", chat),
    wakeTurnIn: (chat, inMs) => waker.wakeIn("turn", chat, inMs),
    approvals,
    grants: heldGrants(createGrantStore(store), access),
    toolSchemas: createToolSchemas(store),
    skillReviews: createSkillReviews(store),
    audit,
    errors: services.errors,
    pauses: services.pauses,
    figures: () => readFigures(services, here.bots()),
    doctor: () => examineHere(services),
    broadcasts: {
      ...services.broadcasts,
      count: () => countReachable(services, here),
    },
    page: { url: here.pageUrl, sessions: createPageSessions(store) },
    imported: importedFile(services.settings.dataFolder),
    tools: () => createOfferedTools(store).read(),
    canSearch: services.settings.webSearch !== undefined,
    todos: createTodos(store),
    facts: createFacts(store, services.settings.retention.memoryMs),
    notes: createNotes(store),
    summaries: createSummaries(store, services.settings.retention.memoryMs),
    recall: services.settings.memory.recall === "off" ? undefined : services.memory.recall,
    memory: {
      recall: services.settings.memory.recall,
      get embeddings() {
        return services.memory.embeddings();
      },
    },
    schedules: services.schedules,
    personas: {
      store: createPersonaStore(store, { retentionMs: retentionMsOf(services.settings) }),
      choices: createPersonaChoices(store, access, {
        retentionMs: retentionMsOf(services.settings),
      }),
      usual: services.settings.personas.usual,
    },
    personaDrafts: createPersonaDrafts(store),
    personaExtras: personaExtrasFormat,
    models: choicesOf(models),
    defaults: {
      ...turnDefaults(services.settings),
      context: services.settings.context,
      modelOptions: Object.fromEntries(
        models.tiers.map((tier) => [tier, models.chain(tier).options ?? {}]),
      ),
      autoMs: longestAutoMs(services.settings.toolRules),
    },
    limits: chatLeaves,
    limitService: services.limits.limitService,
    nearest,
    history: (chat) => readHistory(store, chat),
    blobs: services.blobs,
    erasures: services.erasures,
    async post(chat, entry) {
      const [ingested] = await Promise.all([inbox.post(chat, entry), waker.wake("delivery", chat)]);
      return ingested;
    },
    commands: allCommands,
    now: () => store.clock.now(),
    fetchSlots: new FairSlots(fetchLimits),
    chats: services.chats,
    readsVoice: services.settings.transcription !== undefined,
    seesPictures: () => createVision(store).read(),
    newErrorId,
    log: services.log,
  };
}

const choicesOf = (models: ModelCatalogue): AcceptDeps["models"] => ({
  keys: models.keys,
  tiers: models.tiers,
  aliases: models.aliases,
  modelsOf: (tier, first) => models.chain(tier, first).cards.map(({ id }) => id),
});
