import { autocomplete, confirm, intro, isCancel, log, note } from "@clack/prompts";
import { outro, password, select, text } from "@clack/prompts";

type Mark = "ok" | "warn" | "fail" | "info";

/** How `init` talks to the person: in a terminal, or in plain lines to a script. */
export interface Dialog {
  /** False: only `say` and its like may be used; every answer comes from a flag. */
  readonly asks: boolean;
  start(title: string): void;
  say(mark: Mark, text: string): void;
  /** Lines that belong together. */
  box(title: string, lines: readonly string[]): void;
  end(text: string): void;
  /** The functions below reject with CancelledError after Ctrl-C or Escape. */
  choose<Value extends string>(question: string, choices: readonly Choice<Value>[]): Promise<Value>;
  write(question: string, given: Written): Promise<string>;
  secret(question: string, problem: (value: string) => string | undefined): Promise<string>;
  agrees(question: string): Promise<boolean>;
}

export interface Choice<Value> {
  readonly value: Value;
  readonly label: string;
  readonly hint?: string;
}

interface Written {
  readonly example: string;
  readonly problem?: (value: string) => string | undefined;
}

export class CancelledError extends Error {
  override readonly name = "CancelledError";
}

async function unlessCancelled<T>(answer: Promise<T>): Promise<Exclude<T, symbol>> {
  const given = await answer;
  if (isCancel(given)) throw new CancelledError();
  return given as Exclude<T, symbol>;
}

/** Longer lists can be searched by typing. */
const maxPlainList = 9;

const logs = { ok: log.success, warn: log.warn, fail: log.error, info: log.info } as const;
const checked =
  (problem: (value: string) => string | undefined = () => undefined) =>
  (value = ""): string | undefined =>
    value.trim() === "" ? "Type something first." : problem(value.trim());

export const terminalDialog: Dialog = {
  asks: true,
  start: (title) => intro(title),
  say: (mark, line) => logs[mark](line),
  box: (title, lines) => note(lines.join("\n"), title, { format: (line) => line }),
  end: (line) => outro(line),
  choose: async (message, choices) => {
    const options = choices.map(({ hint, ...choice }) => ({
      ...choice,
      ...(hint === undefined ? {} : { hint }),
    })) as Parameters<typeof select<(typeof choices)[number]["value"]>>[0]["options"];
    const isLong = options.length > maxPlainList;
    return await unlessCancelled(
      isLong
        ? autocomplete({ message, options, maxItems: maxPlainList, placeholder: "Type to search" })
        : select({ message, options }),
    );
  },
  write: async (message, { example, problem }) =>
    (
      await unlessCancelled(text({ message, placeholder: example, validate: checked(problem) }))
    ).trim(),
  secret: async (message, problem) =>
    (await unlessCancelled(password({ message, validate: checked(problem) }))).trim(),
  agrees: async (message) => await unlessCancelled(confirm({ message })),
};

const signs = { ok: "✓", warn: "!", fail: "✗", info: "-" } as const;

const neverAsked = (): never => {
  throw new Error("a script is asked nothing");
};

/** One line each, without colours or boxes. */
export const plainDialog = (print: (line: string) => void): Dialog => ({
  asks: false,
  start: () => undefined,
  say: (mark, line) => print(`${signs[mark]} ${line.replaceAll("\n", "\n  ")}`),
  box: (title, lines) => print([`${title}:`, ...lines.map((line) => `  ${line}`)].join("\n")),
  end: (line) => print(line),
  choose: neverAsked,
  write: neverAsked,
  secret: neverAsked,
  agrees: neverAsked,
});
