import type { Words } from "../../src/words/words.ts";

/** For each sentence that takes something: what it may be called with, at least once. The compiler refuses a missing one. */
type SamplesOf<Group> = {
  readonly [
    Key in keyof Group as Group[Key] extends string
      ? never
      : Group[Key] extends Readonly<Record<string, string>>
        ? never
        : Key
  ]: Group[Key] extends (...given: infer Given) => string
    ? readonly Given[]
    : SamplesOf<Group[Key]>;
};

/** Numbers whose nouns have each of the forms that our languages know, some of them fractions. */
const counts = [1, 2, 5, 11, 21, 22, 100].map((count): [number] => [count]);
const one: readonly [string][] = [["«something»"]];
const two: readonly [string, string][] = [["«this»", "«that»"]];
const three: readonly [string, string, string][] = [
  ["«this»", "«that»", "«another»"],
];
const choice = {
  yours: two,
  chats: one,
  yoursIsNow: one,
  chatsIsNow: one,
};

export const samples: SamplesOf<Words> = {
  door: {
    adminsOnly: one,
    noCommand: one,
    tooLong: [[60_001, 50_000]],
    notKept: one,
    notDone: one,
  },
  decisions: {
    notAllowed: one,
    orAnAdmin: one,
    approvedOf: [[2, 3]],
    deniedOf: [[2, 3]],
    approvedBy: one,
    deniedBy: one,
    deniedBecause: two,
    alreadyApprovedBy: one,
    alreadyDeniedBy: one,
    unknownId: one,
    which: [["approve"]],
  },
  cards: {
    needed: one,
    neededFor: counts,
    calls: counts,
    about: one,
    details: one,
    decides: one,
    expiresAt: one,
    expiresIn: one,
    typed: one,
    typedForEach: one,
    approved: counts,
    approvedBy: [[2, "«somebody»"]],
    denied: counts,
    deniedBy: [[2, "«somebody»"]],
    expired: counts,
    superseded: counts,
    stopped: counts,
    because: two,
    lasts: { seconds: counts, minutes: counts, hours: counts, days: counts },
    characters: counts,
  },
  delivery: { goesOn: one },
  platform: { notTaken: one },
  telegram: {
    fileTooLarge: [[8]],
    cannotReadPicture: one,
    cannotReadFile: one,
  },
  discord: {
    about: one,
    video: one,
    archive: one,
    picture: one,
    otherFile: one,
    fileIsGone: one,
    fileFailed: one,
    fileTooLarge: [["«name»", 8]],
  },
  files: {
    noImage: one,
    noText: one,
    reading: one,
    tooMany: [[11, 10]],
    tooLarge: three,
    empty: one,
  },
  inPrivate: { askedIn: one, topic: one },
  pairing: {
    asks: one,
    code: one,
    yourCode: one,
    isAdmin: one,
    allowed: two,
    denied: two,
    mayUse: one,
    neither: one,
  },
  start: { hello: one, tools: counts, privacy: one },
  help: { alias: one },
  menu: { auto: { turns: [[50, 10]] } },
  control: { dropped: counts, stoppedAndDropped: counts },
  auto: {
    running: [[2, 10]],
    begun: counts,
    badTurns: [[50, "«none»"]],
    goalTooLong: [[2_001, 2_000]],
    ended: counts,
    done: counts,
    atLimit: counts,
  },
  choices: {
    tier: choice,
    model: choice,
    gone: one,
    hidden: [[3, "model"]],
    how: one,
    replacesYours: one,
    replacesChats: one,
    yoursFirst: one,
    noTier: two,
    noModel: one,
    several: two,
    thereAre: one,
    didYouMean: one,
    andMore: [["«these»", 3]],
    order: one,
    sameAs: two,
  },
  settings: {
    changes: [["«name»", "«what»"]],
    isDefaultAgain: two,
    cannotBe: three,
    isNow: two,
    noneChosen: one,
    yourChoice: two,
    chatsChoice: two,
    default: two,
    own: three,
    adminsOnly: one,
    adminsInGroups: one,
    unknown: one,
    expectedWords: one,
  },
  activation: { unknown: one },
  language: { how: one, unknown: two },
  status: {
    auto: [[2, 10]],
    queue: counts,
    model: one,
    tier: one,
    remembered: counts,
  },
  approvals: { heading: counts, askedFor: one, expiresIn: one, more: counts },
  tools: { more: counts },
  usage: {
    turns: counts,
    modelCalls: counts,
    inputTokens: counts,
    outputTokens: counts,
    about: one,
    model: counts.map(([count]) => [count, "«input»", 7]),
    cost: one,
    andUnpriced: one,
  },
  whoami: { name: one, id: one, role: one, chat: one },
  export: {
    badFormat: one,
    done: counts,
    doneIn: counts.map(([count]) => [count, 2]),
  },
  forget: {
    badScope: one,
    badCode: one,
    confirm: one,
    expired: one,
    meDoneWith: counts,
    but: counts,
  },
  end: {
    modelCalls: counts,
    toolExecutions: counts,
    tokens: counts,
    cost: [[0.5]],
    deadline: [...counts, [1.5]],
    poisoned: one,
  },
  modelFailed: {
    "rate-limited": one,
    overloaded: one,
    timeout: one,
    network: one,
    "context-overflow": one,
    auth: one,
    "invalid-request": one,
    refused: one,
    empty: one,
  },
  turn: {
    awaits: counts.map(([count]) => ["«somebody»", count]),
    awaitsAdmin: counts,
    brokeOff: one,
    shortened: two,
    undoneOf: one,
    staysDone: one,
    orderKept: one,
  },
};
