import { chatKey } from "../../src/core/chat.ts";
import { chatKeys } from "../../src/store/keys.ts";
import type { Json } from "./mutate.ts";

/** The chat that all of them are of. */
export const chat = chatKey({ platform: "telegram", bot: "700", chat: "9" });
const { shard } = chatKeys(chat);
export const approvalId = `${shard}-AbCdEfGhIjKlMnOpQrStUv`;
const otherApprovalId = `${shard}-AbCdEfGhIjKlMnOpQrStUw`;

/** Stands wherever a person's or a model's words would: no error may repeat it. */
export const marker = "planted-words-of-a-person";

const person = {
  id: "telegram:9",
  name: marker,
  username: "nine",
  language: "en",
};

/**
 * One value of every kind that Parley keeps, as it writes it: texts as they are, all else as JSON.
 */
const fact = {
  v: 1,
  id: "0a1b2c3d",
  text: marker,
  by: { id: "telegram:9", name: marker },
  atMs: 1,
  chat,
};

export const values = {
  inbox: {
    kind: "message",
    v: 1,
    id: "m7",
    messageId: "7",
    person,
    text: marker,
    quote: { author: marker, text: marker },
    group: true,
    preference: { tier: "smart" },
    atMs: 1,
  },
  log: {
    kind: "assistant",
    v: 1,
    turn: 1,
    round: 1,
    model: "a/m",
    text: marker,
    calls: [
      {
        index: 0,
        wireId: "w0",
        name: "files.delete",
        arguments: '{"path":"a"}',
      },
    ],
    usage: { inputTokens: 1, outputTokens: 1 },
  },
  outbox: {
    kind: "card",
    v: 1,
    id: "turn-1",
    card: {
      approvalId: approvalId,
      tool: "files.delete",
      arguments: `{"path":"${marker}"}`,
      requesterName: marker,
      approvers: "requester-or-admins",
      expiresAtMs: 4_000_000_000_000,
    },
  },
  draft: { v: 1, id: "turn-1", text: marker, generation: 1 },
  todos: { v: 1, items: [{ text: marker, done: false }] },
  notes: marker,
  fact,
  ownFact: fact,
  window: { v: 1, f: 0, p: 0, t: 0, q: 0, u: 0, at: 1, w: "planted*2 words" },
  windowsHead: {
    v: 1,
    built: "abc",
    epoch: "e",
    count: 1,
    id: 1,
    from: 1,
    part: 0,
    next: 1,
    sinceMs: 1,
  },
  windowsFirst: "0",
  vectorsModel: "p/m 4",
  vectorsNext: "1",
  vector: "12345678",
  summary: { v: 1, from: 0, to: 1, atMs: 1, text: marker },
  state: {
    v: 1,
    phase: "acting",
    turn: 1,
    round: 1,
    requester: person,
    counters: {
      modelCalls: 1,
      toolExecutions: 0,
      inputTokens: 1,
      outputTokens: 1,
      costUsd: 0,
      activeMs: 1,
    },
    spent: {},
    modelCallOpen: false,
    calls: [
      {
        index: 0,
        wireId: "w0",
        name: "files.delete",
        arguments: '{"path":"a"}',
        status: "started",
        effect: "once",
      },
    ],
  },
  revision: "3",
  lease: "1",
  turn: "1",
  viewStart: "0",
  logBase: "0",
  inBase: "1",
  stop: "0",
  deaths: "0",
  approvals: approvalId,
  calls: { v: 1, text: marker, display: marker },
  settings: "smart",
  usage: "3",
  schedule: {
    v: 2,
    p: [1, "Ftlpwu8", 1, "watch", marker, "0 9 * * *", "Europe/Berlin", person.id, person.name, ""],
    tool: "s.price",
    given: '{"a":1}',
    pointer: "/a",
    guild: "7",
    late: "skip",
    nextMs: 1_790_000_000_000,
    failures: 1,
  },
  scheduleDigest: "abc",
  approval: {
    v: 1,
    id: approvalId,
    chat: chat as string,
    turn: 1,
    round: 1,
    index: 0,
    tool: "files.delete",
    arguments: `{"path":"${marker}"}`,
    digest: "digest",
    requester: person,
    approvers: "requester-or-admins",
    expiresAtMs: 4_000_000_000_000,
    together: [approvalId, otherApprovalId],
  },
  approvalStatus: "pending",
  approvalExpiry: "4000000000000",
  dead: { kind: "notice", v: 1, id: "n1", text: marker },
  role: "member",
  pairing: { v: 1, person, chat: chat as string },
  tools: {
    v: 1,
    tools: [{ name: "files.delete", description: marker, asks: "always" }],
  },
  session: {
    v: 1,
    sessionId: "abc",
    resumeUrl: "wss://gateway.discord.gg",
    sequence: 4,
    shardCount: 1,
  },
} satisfies Readonly<Record<string, Json>>;
export type ValueName = keyof typeof values;
