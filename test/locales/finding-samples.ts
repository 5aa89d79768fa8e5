import type { Locale } from "../../src/locales/locale.ts";
import type { SamplesOf } from "./samples.ts";

const counts = [1, 2, 5, 11, 21, 22, 100, 12_345].map((count): [number] => [count]);
const one: readonly [string][] = [["«something»"]];
const two: readonly [string, string][] = [["«this»", "«that»"]];
const three: readonly [string, string, string][] = [["«this»", "«that»", "«another»"]];

/** As `samples`, for what doctor finds. */
export const findingSamples: SamplesOf<Locale["findings"]> = {
  checks: { model: one, embeddings: one, search: one, mcp: one },
  late: {
    what: [
      ["«something»", 10],
      ["«something»", 0.5],
    ],
  },
  unexamined: { what: two },
  machine: { oldNode: { what: one, why: one }, settings: one },
  files: {
    closed: one,
    open: two,
    noFolder: { what: one },
    folderClosed: one,
    folderOpen: { what: two },
    canWrite: [["«folder»", 12_345]],
    cannotWrite: { what: [["«folder»", "«cause»", 12_345]] },
    scarce: { what: [["«folder»", 12_345]] },
    freeSpace: one,
  },
  port: {
    free: one,
    ready: one,
    notReady: { what: two },
    taken: { what: two, why: one, fix: two },
  },
  page: {
    free: one,
    isAt: one,
    reached: one,
    notOfRole: { what: one },
    otherHost: { what: one },
    unreached: { what: two },
  },
  redis: {
    answers: two,
    tooOld: { what: two },
    replica: { what: one },
    alsoInFile: one,
    evictsNothing: one,
    mayEvict: { what: one },
    evicts: { what: two },
    writesAtOnce: one,
    noFile: { what: one },
    writesLater: { what: two },
    cannotWrite: { what: one },
    uses: [["«Redis»", 2, 12_345]],
    usesOfUnknown: [["«Redis»", 12_345]],
    full: [["«Redis»", 12_345, 12_345]],
  },
  clock: {
    agrees: one,
    here: { ahead: [[12_345, "«Redis»"]], behind: [[12_345, "«Redis»"]] },
    elsewhere: {
      ahead: [["«host»", "«7»", 12_345]],
      behind: [["«host»", "«7»", 12_345]],
      fix: one,
    },
  },
  processes: {
    runs: two,
    one: three,
    versions: { what: one },
    noneAnswers: { what: one },
  },
  work: {
    overdue: { what: counts },
    waits: { what: two, fix: one },
    undelivered: {
      what: counts,
      reasons: [["2 × «this» 1 × «that»"]],
      reasonsOfSome: counts.map(([count]) => [count, "2 × «this» 1 × «that»"]),
    },
  },
  schedules: { overdue: { what: counts }, failed: { what: counts }, dead: { what: counts } },
  people: { owners: one, refusedGroup: { what: one, fix: two } },
  backup: { age: one },
  telegram: {
    deaf: { what: one },
    maybeDeaf: { what: one },
    knows: one,
    unreachable: { what: two, fix: one },
    strayWebhook: { what: one },
    posts: one,
    lostWebhook: { elsewhere: one },
    failingWebhook: { what: [["«host»", 12_345, "«cause»"]] },
  },
  discord: {
    knows: counts.map(([count]) => ["«name»", count]),
    unreachable: { what: one },
    noServer: { fix: one },
    lacks: { what: two, fix: one },
    noIntent: { fix: one },
    hasCommands: counts,
  },
  model: {
    answers: two,
    can: { window: [[12_345]], price: two },
    noPrice: { what: one },
    noTools: { what: one },
    smallWindow: { what: [[12_345, 12_346, "«model»"]] },
    brokenCalls: { what: counts.map(([count]) => ["«model»", count]) },
    failing: {
      server: one,
      unreachable: three,
      refusesKey: three,
      noCredit: three,
      notPulled: one,
      notServed: three,
      busy: three,
      refused: three,
    },
    fix: { pull: one },
  },
  memory: {
    made: counts.map(([count]) => ["«model»", count]),
    failing: { what: two },
    vectorsOf: counts.map(([count]) => ["«model»", count]),
    inChats: [["«vectors»", 12_345]],
    stored: one,
    otherStored: { what: two },
  },
  search: { works: one, fails: one, fix: { account: one } },
  mcp: {
    offers: counts.map(([count]) => ["«name»", count]),
    partly: { what: counts.map(([count]) => ["«name»", count, 12_345, "«problem»"]) },
    failing: { what: two, fixCommand: two, fixUrl: one, fixHeaders: one },
  },
  personas: {
    usable: counts,
    folder: { what: one },
    leftOut: { what: one, fix: one },
    noDefault: { what: two, fix: one },
  },
  skills: { usable: counts, files: { what: one }, waiting: { what: one } },
  tools: { auto: { what: two } },
};
