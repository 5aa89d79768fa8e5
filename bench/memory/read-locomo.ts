import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";
import { z } from "zod";
import type { PlacedEntry } from "../../src/core/ports.ts";

export interface Conversation {
  readonly entries: readonly PlacedEntry[];
  readonly questions: readonly {
    readonly set: string;
    readonly text: string;
    /** Log positions of the messages that hold the answer. */
    readonly evidence: readonly number[];
  }[];
}

/** The sets by LoCoMo's own numbers; 5 are questions without an answer. */
const sets: Readonly<Record<number, string>> = {
  1: "multi-hop",
  2: "temporal",
  3: "open-domain",
  4: "single-hop",
};

const sessionSchema = z.array(
  z.object({ speaker: z.string(), dia_id: z.string(), text: z.string() }),
);
const fileSchema = z.looseObject({
  qa: z.array(
    z.object({
      question: z.string(),
      category: z.number(),
      evidence: z.array(z.string()).default([]),
    }),
  ),
});

/** LoCoMo's conversations from a folder of JSON files, or a zip of them, as a chat's history. */
export const readLocomo = (path: string): readonly Conversation[] =>
  filesIn(path)
    .filter(({ name }) => name.endsWith(".json"))
    .map(({ text }) => conversationOf(fileSchema.parse(JSON.parse(text))));

function conversationOf(file: z.output<typeof fileSchema>): Conversation {
  const entries: PlacedEntry[] = [];
  const positions = new Map<string, number>();
  for (let number = 1; file[`session_${number}`] !== undefined; number += 1) {
    const startMs = parseDate(z.string().parse(file[`session_${number}_date_time`]));
    for (const { speaker, dia_id: id, text } of sessionSchema.parse(file[`session_${number}`])) {
      const position = entries.length;
      positions.set(id, position);
      const person = { id: `console:${speaker}`, name: speaker };
      const atMs = startMs + position;
      entries.push({ position, entry: { kind: "message", v: 1, id, person, text, atMs } });
    }
  }
  const questions = file.qa.flatMap(({ question, category, evidence }) => {
    const ids = evidence.flatMap((text) => text.match(/D:?\d+:\d+/g) ?? []);
    const set = sets[category];
    return set === undefined || ids.length === 0
      ? []
      : [
          {
            set,
            text: question,
            evidence: ids.map((id) => positions.get(id.replace("D:", "D")) ?? -1),
          },
        ];
  });
  return { entries, questions };
}

/** `1:56 pm on 8 May, 2023`. */
function parseDate(text: string): number {
  const [, time = "", day = ""] = /^(.*) on (.*)$/.exec(text) ?? [];
  const atMs = Date.parse(`${day} ${time} UTC`);
  if (Number.isNaN(atMs))
    throw new Error(`expected a date such as 1:56 pm on 8 May, 2023, not ${text}`);
  return atMs;
}

function filesIn(path: string): readonly { readonly name: string; readonly text: string }[] {
  if (!statSync(path).isDirectory()) return unzip(readFileSync(path));
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .map((name) => ({ name, text: readFileSync(join(path, name), "utf8") }));
}

/** Stored and deflated files of a zip without encryption and without zip64 (PKWARE's APPNOTE). */
function unzip(zip: Buffer): readonly { readonly name: string; readonly text: string }[] {
  const end = zip.lastIndexOf("PK\u0005\u0006", undefined, "latin1");
  if (end < 0) throw new Error("expected a folder or a zip file");
  const files = [];
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) =>
      zip.readUInt16LE(at + offset),
    ) as [number, number, number];
    const name = zip.toString("utf8", at + 46, at + 46 + nameLength);
    const header = zip.readUInt32LE(at + 42);
    const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
    const data = zip.subarray(start, start + zip.readUInt32LE(at + 20));
    const isDeflated = zip.readUInt16LE(at + 10) === 8;
    files.push({ name, text: (isDeflated ? inflateRawSync(data) : data).toString() });
    at += 46 + nameLength + extraLength + commentLength;
  }
  return files;
}
