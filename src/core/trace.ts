import { z } from "zod";
import { chatKeySchema, type ChatKey } from "./chat.ts";
import { callRequestSchema, usageSchema, type CallRequest, type Usage } from "./history.ts";
import { modelFailureKinds, type ModelFailureKind, type ModelRequest } from "./model.ts";

/** One model call of a turn, as it was asked and answered, for an operator to read later. */
export interface TraceRecord {
  readonly v: 1;
  readonly chat: ChatKey;
  readonly turn: number;
  /** Of the turn, from 1. */
  readonly call: number;
  readonly purpose: "answer" | "compaction";
  /** When the answer had come, in milliseconds since the epoch. */
  readonly atMs: number;
  readonly tier: string;
  /** `provider/model` that answered, or was asked last. */
  readonly model: string;
  /** Why this tier and model. */
  readonly why: string;
  /** The name of the turn's persona; absent: none. */
  readonly persona?: string;
  readonly request: ModelRequest;
  /** How the view differs from the history. */
  readonly diagnostics: readonly string[];
  readonly response: {
    readonly text: string;
    readonly reasoning: string;
    readonly calls: readonly CallRequest[];
    readonly finish?: "stop" | "tool-calls" | "length" | "filtered";
    readonly failure?: {
      readonly kind: ModelFailureKind;
      readonly message: string;
    };
    readonly usage?: Usage;
  };
  /** In order, the last one included. */
  readonly attempts: readonly {
    readonly model: string;
    readonly failure?: string;
    readonly usage?: Usage;
  }[];
  readonly timing: { readonly totalMs: number; readonly firstTokenMs?: number };
  /** Set when stored: how many entries of which list were dropped to fit. */
  readonly leftOut?: Readonly<Record<string, number>>;
  /** Set when stored: the digest by which the request's tools are stored, apart from it. */
  readonly toolsDigest?: string;
}

/** Takes what is to be remembered of a model call. */
export interface TraceSink {
  /** Never throws, never waits, never holds up the turn: what cannot be kept is lost. */
  write(record: TraceRecord): void;
}

const messageSchema = z.discriminatedUnion("role", [
  z.object({ role: z.literal("system"), text: z.string() }),
  z.object({
    role: z.literal("user"),
    text: z.string(),
    images: z.array(z.object({ mediaType: z.string(), data: z.string() })).exactOptional(),
  }),
  z.object({
    role: z.literal("assistant"),
    text: z.string(),
    reasoning: z.string().exactOptional(),
    calls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string() })),
  }),
  z.object({
    role: z.literal("tool"),
    callId: z.string(),
    name: z.string(),
    text: z.string(),
  }),
]);

export const tracedToolsSchema = z.array(
  z.object({
    name: z.string(),
    description: z.string(),
    parameters: z.record(z.string(), z.unknown()),
  }),
);

const requestSchema = z.object({
  messages: z.array(messageSchema),
  tools: tracedToolsSchema,
  toolChoice: z.enum(["auto", "none"]),
  options: z.object({
    temperature: z.number().exactOptional(),
    maxOutputTokens: z.number().exactOptional(),
    contextWindow: z.number().exactOptional(),
    repeatPenalty: z.number().exactOptional(),
    thinking: z.boolean().exactOptional(),
    keepAlive: z.string().exactOptional(),
    json: z.boolean().exactOptional(),
  }),
});

export const traceRecordSchema: z.ZodType<TraceRecord> = z.object({
  v: z.literal(1),
  chat: chatKeySchema,
  turn: z.number(),
  call: z.number(),
  purpose: z.enum(["answer", "compaction"]),
  atMs: z.number(),
  tier: z.string(),
  model: z.string(),
  why: z.string(),
  persona: z.string().exactOptional(),
  request: requestSchema,
  diagnostics: z.array(z.string()),
  response: z.object({
    text: z.string(),
    reasoning: z.string(),
    calls: z.array(callRequestSchema),
    finish: z.enum(["stop", "tool-calls", "length", "filtered"]).exactOptional(),
    failure: z.object({ kind: z.enum(modelFailureKinds), message: z.string() }).exactOptional(),
    usage: usageSchema.exactOptional(),
  }),
  attempts: z.array(
    z.object({
      model: z.string(),
      failure: z.string().exactOptional(),
      usage: usageSchema.exactOptional(),
    }),
  ),
  timing: z.object({
    totalMs: z.number(),
    firstTokenMs: z.number().exactOptional(),
  }),
  leftOut: z.record(z.string(), z.number()).exactOptional(),
  toolsDigest: z.string().exactOptional(),
});
