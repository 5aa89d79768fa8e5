import { z } from "zod";
import { decidersSchema, versionOf } from "./approval.ts";
import { personSchema } from "./chat.ts";
import {
  attachmentSchema,
  cutSchema,
  autoSchema,
  callRequestSchema,
  extrasSchema,
  endReasonSchema,
  failureKindSchema,
  preferenceSchema,
  scheduleMarkSchema,
  usageSchema,
  watchSchema,
  whereSchema,
} from "./history.ts";
import { roles } from "./roles.ts";
import { turnPersonaSchema } from "./turn-persona.ts";

/**
 * The state of a running turn, as it is stored. Phases:
 *
 * `idle → thinking → acting → (waiting → acting)* → thinking … → finished → idle`
 *
 * `idle` is the absence of a state. `thinking`: a model call is due, or under way when
 * `modelCallOpen`. `acting`: calls are due or under way. `waiting`: a person must decide; no worker
 * holds the turn. `compacting`: a detour of `thinking`, the view is being shortened. `finished`:
 * only the last commit is missing. Nothing here is larger than a round's arguments, so that every
 * commit can write it whole.
 */
const callStatuses = [
  "proposed",
  "awaiting",
  "authorised",
  "started",
  "done",
  "failed",
  "unknown",
  "denied",
  "expired",
  "cancelled",
  "superseded",
] as const;
const callStatusSchema = z.enum(callStatuses);
export type CallStatus = z.infer<typeof callStatusSchema>;

export const terminalStatuses: ReadonlySet<CallStatus> = new Set<CallStatus>([
  "done",
  "failed",
  "unknown",
  "denied",
  "expired",
  "cancelled",
  "superseded",
]);

export const effectSchema = z.enum(["read", "idempotent", "keyed", "once"]);

/**
 * One tool call of the open round: `proposed → awaiting | authorised → started → done | failed |
 * unknown | denied | expired | cancelled | superseded`. Its journal key is
 * `<turn>.<round>.<index>`.
 */
const callSchema = callRequestSchema.extend({
  status: callStatusSchema,
  effect: effectSchema,
  /** SHA-256 of tool and canonical arguments; checked again at the claim. */
  digest: z.string().optional(),
  approvalId: z.string().optional(),
  /** The deciders by the policy at the time of the question. */
  ...decidersSchema.partial().shape,
  /** The standing permission that replaced the approval. */
  grant: z.string().optional(),
  /**
   * Name of the person who changed the arguments: `arguments` are theirs, and the history has the
   * model's.
   */
  changedBy: z.string().optional(),
  /** That person's id; versions before this wrote none. */
  changedById: z.string().optional(),
  failure: failureKindSchema.optional(),
});
export type Call = Readonly<z.infer<typeof callSchema>>;

const countersSchema = z.object({
  modelCalls: z.number(),
  toolExecutions: z.number(),
  /** Of all attempts, including failed ones and compactions. */
  inputTokens: z.number(),
  outputTokens: z.number(),
  /** US dollars; what has no known price counts as nothing. */
  costUsd: z.number().default(0),
  /** Milliseconds in which the turn was worked on; waiting for a person is free. */
  activeMs: z.number(),
});
export type Counters = Readonly<z.infer<typeof countersSchema>>;

/** The usage of one model within a turn. */
const spendingSchema = z.object({
  /** Attempts, the failed ones included. */
  requests: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  /** US dollars; absent where no price is known. */
  costUsd: z.number().optional(),
  /** Set when a part was counted by us, because the model did not say. */
  estimated: z.boolean().optional(),
});
export type Spending = Readonly<z.infer<typeof spendingSchema>>;

/** One tool of a turn, and how its calls ended. */
const usedToolSchema = z.object({
  /** On the wire. */
  name: z.string(),
  done: z.number(),
  /** Everything but done: also denied, cancelled and unknown. */
  failed: z.number(),
  /** One of its calls ran by the permission mode `auto`. */
  auto: z.literal(true).optional(),
});
export type UsedTool = Readonly<z.infer<typeof usedToolSchema>>;

/** One finished call as the search for loops remembers it; digests are short. */
export const observationSchema = z.object({
  tool: z.string(),
  /** Of tool and arguments, volatile fields left out. */
  call: z.string(),
  /** Of the result's text. */
  result: z.string(),
  failed: z.boolean(),
  /** Asked for together with the one before it. Earlier versions wrote none. */
  joined: z.literal(true).optional(),
});
export type Observation = Readonly<z.infer<typeof observationSchema>>;

export const loopStateSchema = z.object({
  /** The turn's newest calls, oldest first. */
  recent: z.array(observationSchema),
  /** How many loops were found in this turn. */
  detections: z.number(),
  /** A one-time hint for the model's next request; not part of the history. */
  hint: z.string().optional(),
});
export type LoopState = Readonly<z.infer<typeof loopStateSchema>>;

/** The properties of the opening message that select the models. */
const requestTraitsSchema = z.object({
  /** Why it looks like one about code; holds no word of it. */
  code: z.string().optional(),
  long: z.boolean().optional(),
  images: z.boolean().optional(),
});
export type RequestTraits = Readonly<z.infer<typeof requestTraitsSchema>>;

export const turnStateSchema = z.object({
  /** See `stateVersion`. */
  v: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]),
  phase: z.enum(["thinking", "compacting", "acting", "waiting", "finished"]),
  /** The inbox position of the message that began it; unique and growing within the chat. */
  turn: z.number(),
  round: z.number(),
  requester: personSchema,
  /** The requester's role when they asked; absent if not recorded. */
  role: z.enum(roles).optional(),
  replyTo: z.string().optional(),
  /** Begun by a message of a group. */
  group: z.boolean().optional(),
  where: whereSchema.optional(),
  traits: requestTraitsSchema.optional(),
  preference: preferenceSchema.optional(),
  /** Absent: none. With one `v` is 3: earlier versions would go on without it. */
  persona: turnPersonaSchema.optional(),
  auto: autoSchema.optional(),
  schedule: scheduleMarkSchema.optional(),
  /** Looked at before anything else, see `watchSchema`; `text` is what a change is answered with. */
  watch: watchSchema.extend({ text: z.string() }).optional(),
  /** The turn is a `/compact`: it ends with the compaction. */
  compactOnly: z.boolean().optional(),
  /** By `provider/model`. */
  spent: z.record(z.string(), spendingSchema).default({}),
  loop: loopStateSchema.optional(),
  /** `provider/model` of each empty answer since the last one that had words or calls. */
  empty: z.array(z.string()).optional(),
  /**
   * No model could answer: it is asked again later, `attempts` times so far. `untilMs` (by Redis' clock) is set while the
   * turn waits for that and no worker holds it. An earlier version that takes it asks at once.
   */
  kept: z.object({ attempts: z.number(), untilMs: z.number().optional() }).optional(),
  counters: countersSchema,
  /** A model call was counted and has not been answered. */
  modelCallOpen: z.boolean(),
  /** The round in which the model wrote a tool call as text, and is asked again: once in a turn. */
  printedIn: z.number().optional(),
  calls: z.array(callSchema),
  /** Of the rounds before this one, in the order of their first calls. */
  used: z.array(usedToolSchema).optional(),
  /** Set once a stop policy closed the turn: the next model call is the last and has no tools. */
  closing: endReasonSchema.optional(),
  /** Set in `finished`. `model` is absent where the text is our own sentence. */
  outcome: z
    .object({
      reason: endReasonSchema,
      text: z.string(),
      model: z.string().optional(),
      reasoning: z.string().optional(),
      extras: extrasSchema.exactOptional(),
      usage: usageSchema.optional(),
      /** Of a failure: what the text quotes and the log has. Versions before this wrote none. */
      errorId: z.string().optional(),
      /** These three as in the assistant's history entry. */
      cut: cutSchema.optional(),
      note: z.string().optional(),
      downgraded: z.boolean().optional(),
    })
    .optional(),
  /**
   * The document that is being read, as a reading entry names it. A session that finds one here
   * took over from one that ended while it read the file, perhaps because of it: the file is not
   * read again.
   */
  reading: z.object({ of: z.string(), blob: z.string() }).optional(),
  /** How many files its tools have sent to people. */
  files: z.number().optional(),
  /**
   * The last round with a question to a person: the answer continues in a new
   * message below the cards.
   */
  segment: z.number().optional(),
  /**
   * The requester was notified that the maximum number of concurrent turns is
   * reached.
   */
  toldToWait: z.boolean().optional(),
  /** Inbox messages whose authors were notified that they have to wait. */
  noticed: z.array(z.string()).optional(),
  /** The span that those of all its sessions are below, as in W3C's trace context. */
  traceparent: z.string().optional(),
  /**
   * The span of the newest session that has committed: the next one links to it, and reports it
   * where its worker was lost. Times are milliseconds since the epoch, by Redis' clock.
   */
  tracedSession: z
    .object({
      spanId: z.string(),
      /** The session before it; absent: it was the first. */
      after: z.string().optional(),
      sinceMs: z.number(),
      /** Of the commit. */
      atMs: z.number(),
    })
    .optional(),
});
export type TurnState = Readonly<z.infer<typeof turnStateSchema>>;

/**
 * 4 with something to watch: earlier versions would ask a model at once. 3 with a persona: earlier versions would go on without it. 2 while a call waits, or has waited, for approvers that earlier versions
 * don't know, or has arguments changed by a person: earlier versions leave it
 * alone. Pure.
 */
export const stateVersion = ({
  calls,
  persona,
  watch,
}: Pick<TurnState, "calls" | "persona" | "watch">): 1 | 2 | 3 | 4 => {
  if (watch !== undefined) return 4;
  if (persona !== undefined) return 3;
  return calls.some(
    ({ approvers, persons, changedBy }) =>
      changedBy !== undefined ||
      (approvers !== undefined && versionOf({ approvers, persons }) === 2),
  )
    ? 2
    : 1;
};

/** The result of a settled call, until the round's results are appended to the log. */
export const journalEntrySchema = z.object({
  v: z.literal(1),
  text: z.string(),
  display: z.string().optional(),
  failure: failureKindSchema.optional(),
  images: z.array(attachmentSchema).optional(),
  /** The id of the person whose reason the text repeats. */
  reasonBy: z.string().optional(),
});
export type JournalEntry = Readonly<z.infer<typeof journalEntrySchema>>;

export const journalKey = (turn: number, round: number, index: number): string =>
  `${turn}.${round}.${index}`;

/** The turn of an idempotency key, `<chat>/<journal key>`; undefined for any other key. */
export function turnOfKey(key: string): number | undefined {
  const [, turn] = /\/(\d+)\.\d+\.\d+$/.exec(key) ?? [];
  return turn === undefined ? undefined : Number(turn);
}

/** When repetitions count as a loop. */
export interface LoopPolicy {
  /** The same call with the same result, this often. */
  readonly sameCall: number;
  /** The same tool in a row, this often. */
  readonly sameTool: number;
  /** The turn stops at the detection after this many hints. */
  readonly hints: number;
}

/** The limits of one turn. Compared with `>=`. */
export interface TurnPolicy {
  readonly maxModelCalls: number;
  readonly maxToolExecutions: number;
  /** Active milliseconds. */
  readonly deadlineMs: number;
  /** Input and output of all model calls. Undefined: no limit. */
  readonly maxTokens?: number | undefined;
  /** US dollars. Undefined: no limit. */
  readonly maxCostUsd?: number | undefined;
  readonly loop: LoopPolicy;
  readonly stopOn: {
    readonly toolFailure: boolean;
    readonly confirmationDenied: boolean;
    readonly policyDenied: boolean;
  };
}

/** The parts that a tier or a chat overrides. */
export type TurnPolicyChanges = {
  readonly [Key in Exclude<keyof TurnPolicy, "stopOn" | "loop">]?: TurnPolicy[Key];
} & {
  readonly stopOn?: Partial<TurnPolicy["stopOn"]>;
  readonly loop?: Partial<LoopPolicy>;
};
