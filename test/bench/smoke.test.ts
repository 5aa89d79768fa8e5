import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readResults } from "../../bench/support/results.ts";

/** Ends by itself; what it said comes back. */
async function bench(...given: readonly string[]) {
  const file = fileURLToPath(new URL("../../bench/turns.ts", import.meta.url));
  const child = spawn(process.execPath, [file, ...given], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [said, complained, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit"),
  ]);
  return { said, complained, code: code as number | null };
}

/**
 * What every system says of every turn that is measured; Redis' own where it goes through Redis.
 */
const ofAll = [
  "turns",
  "p50Ms",
  "p95Ms",
  "p99Ms",
  "perSecond",
  "cpuMsPerTurn",
  "rssMegabytes",
  "requestKilobytes",
  "modelCallsPerTurn",
  "coresElsewhere",
  "lost",
];
const ofRedis = ["redisCpuMsPerTurn", "redisCommandsPerTurn", "redisReadsPerTurn"];

describe("the bench", () => {
  it(
    "measures the floor, the floor with BullMQ, the durable floor and Parley, and loses nothing",
    // Alone it takes 16 s; next to four other files it took over a minute.
    { timeout: 180_000 },
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "parley-bench-smoke-"));
      try {
        const file = join(folder, "results.json");
        const { said, complained, code } = await bench(
          "--smoke",
          "--only",
          "floor,floor + BullMQ,Durable floor,Parley",
          "--question",
          "idle, plain, 0",
          "--question",
          "50 at once",
          "--results",
          file,
        );
        expect(complained).not.toMatch(/failed/);
        expect(code).toBe(0);
        const { figures, complete } = readResults(file);
        expect(complete).toBe(false);
        const names = ["floor", "floor + BullMQ", "Durable floor", "Parley"];
        expect(figures.map(({ question, system }) => [question, system])).toEqual(
          ["idle, plain, 0 messages", "50 at once"].flatMap((question) =>
            names.map((name) => [question, name]),
          ),
        );
        for (const { system, values } of figures) {
          const wanted = system === "floor" ? ofAll : [...ofAll, ...ofRedis];
          expect(Object.keys(values).sort()).toEqual(wanted.toSorted());
          expect(Object.values(values).every(Number.isFinite)).toBe(true);
          expect(values["lost"]).toBe(0);
          expect(values["turns"]).toBeGreaterThanOrEqual(5);
          expect(values["modelCallsPerTurn"]).toBe(1);
          for (const name of ["p50Ms", "perSecond", "rssMegabytes"])
            expect(values[name]).toBeGreaterThan(0);
          if (system !== "floor") expect(values["redisCommandsPerTurn"]).toBeGreaterThan(1);
        }
        expect(said).toContain("### 50 at once");
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );

  it("says what was wrong with what it was asked, and ends with 2", async () => {
    const wrong = [
      [["--only", "flor"], /--only: there is no system "flor"/],
      [["--question", "49 at once"], /--question: none is like "49 at once"/],
      [["--rounds", "0"], /--rounds is 0: expected a whole number/],
      [["--everything"], /--everything/],
      [["--plots-from", "no-such-file.json"], /no-such-file\.json: expected/],
    ] as const;
    for (const [given, sentence] of wrong) {
      const { complained, code } = await bench(...given);
      expect(complained).toMatch(sentence);
      expect(code).toBe(2);
    }
  });
});
