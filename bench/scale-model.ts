/** What one plain turn costs, in ms of CPU, as measured. */
export interface TurnCost {
  readonly botsMs: number;
  readonly workerMs: number;
  /**
   * Of all of Redis' work for a turn, what lies in one slot for all, in one slot for each bot, and
   * spread over the chats' shards.
   */
  readonly redis: {
    readonly turnsMs: number;
    readonly limitsMs: number;
    readonly perBotMs: number;
    readonly shardsMs: number;
  };
}

/** What runs where. Each process, and each master of Redis, uses one core at the most. */
export interface Deployment {
  /** Of all machines together. */
  readonly cores: number;
  readonly masters: number;
  /** Slots that the turns' queue is split into. Today always one. */
  readonly turnPartitions: number;
  /** Bot accounts, each with an equal share of the turns. */
  readonly bots: number;
  readonly botsProcesses: number;
  readonly workers: number;
  /** How long a turn waits for its model, and how many turns a worker holds at once. */
  readonly modelMs: number;
  readonly turnsPerWorker: number;
  /** What else uses these cores per turn: here the far ends, elsewhere nothing. */
  readonly alongsideMs?: number;
  /** Turns a second that people ask for; absent: as many as there can be. */
  readonly askedPerSecond?: number;
}

export interface Bound {
  readonly name: string;
  readonly perSecond: number;
}

export interface Prediction {
  readonly perSecond: number;
  readonly bottleneck: string;
  /** Everything that bounds it, the tightest first. */
  readonly bounds: readonly Bound[];
}

/** One core's work in a second, in ms. */
const coreMs = 1_000;

/**
 * Turns a second of a deployment, and what holds it there. Pure. Nothing is left in reserve, and a
 * turn's cost is taken as the same at any load: what is measured at low load is dearer, so that the
 * prediction errs on the low side.
 */
export function predict(cost: TurnCost, deployment: Deployment): Prediction {
  const { cores, botsProcesses, workers, modelMs, turnsPerWorker } = deployment;
  const { botsMs, workerMs, redis } = cost;
  const { alongsideMs = 0, askedPerSecond = Infinity } = deployment;
  const redisMs = redis.turnsMs + redis.limitsMs + redis.perBotMs + redis.shardsMs;
  const bounds: readonly Bound[] = [
    { name: "what people ask", perSecond: askedPerSecond },
    {
      name: "all cores",
      perSecond: (cores * coreMs) / (botsMs + workerMs + redisMs + alongsideMs),
    },
    {
      name: "bots processes",
      perSecond: (botsProcesses * coreMs) / botsMs,
    },
    { name: "workers' CPU", perSecond: (workers * coreMs) / workerMs },
    {
      name: "turns that workers hold",
      perSecond: (workers * turnsPerWorker * 1_000) / modelMs,
    },
    ...redisBounds(redis, deployment),
  ].toSorted((one, other) => one.perSecond - other.perSecond);
  const [tightest] = bounds;
  if (tightest === undefined) throw new Error("nothing bounds it");
  return {
    perSecond: tightest.perSecond,
    bottleneck: tightest.name,
    bounds,
  };
}

const split = (name: string, ms: number, count: number) =>
  Array.from({ length: count }, () => ({ name, ms: ms / count }));

/**
 * A slot lies on one master and cannot be split; the chats' shards fill up whatever is left. Slots
 * are laid out heaviest first, each on the master that has least.
 */
function redisBounds(
  { turnsMs, limitsMs, perBotMs, shardsMs }: TurnCost["redis"],
  { masters, turnPartitions, bots }: Deployment,
): readonly Bound[] {
  const slots = [
    ...split("Redis: the slot of the turns' queue", turnsMs, turnPartitions),
    ...split("Redis: the slot of limits", limitsMs, 1),
    ...split("Redis: a bot's own slots", perBotMs, bots),
  ].toSorted((one, other) => other.ms - one.ms);
  const held = Array.from({ length: masters }, () => ({ name: "", ms: 0 }));
  for (const slot of slots) {
    const least = held.reduce((one, other) => (other.ms < one.ms ? other : one));
    // A master is called by its heaviest slot, which came first.
    if (least.name === "") least.name = slot.name;
    least.ms += slot.ms;
  }
  return [
    {
      name: masters === 1 ? "Redis' one core" : "all masters of Redis",
      perSecond: (masters * coreMs) / (turnsMs + limitsMs + perBotMs + shardsMs),
    },
    ...held.filter(({ ms }) => ms > 0).map(({ name, ms }) => ({ name, perSecond: coreMs / ms })),
  ];
}

/**
 * As many bots processes and workers as there are cores beside Redis', in the ratio of what they
 * cost. Pure.
 */
export function balanced(
  { botsMs, workerMs }: TurnCost,
  coresWithoutRedis: number,
): Pick<Deployment, "botsProcesses" | "workers"> {
  const share = Math.round((coresWithoutRedis * botsMs) / (botsMs + workerMs));
  const botsProcesses = Math.max(1, Math.min(coresWithoutRedis - 1, share));
  return {
    botsProcesses,
    workers: Math.max(1, coresWithoutRedis - botsProcesses),
  };
}
