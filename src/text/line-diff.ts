/** A line that stays, goes or comes. */
export interface DiffLine {
  readonly sign: " " | "-" | "+";
  readonly text: string;
}

/** Compared cells of a table; more than that, and the middle counts as rewritten. */
const maxCells = 4_000_000;

export const linesOf = (text: string): readonly string[] =>
  text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/);

/** What has to be done to one text, line by line, to make the other one. Pure. */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let same = 0;
  const most = Math.min(old.length, now.length) - start;
  while (same < most && old.at(-1 - same) === now.at(-1 - same)) same += 1;
  const signed = (sign: DiffLine["sign"], lines: readonly string[]): readonly DiffLine[] =>
    lines.map((text) => ({ sign, text }));
  const gone = old.slice(start, old.length - same);
  const come = now.slice(start, now.length - same);
  return [
    ...signed(" ", now.slice(0, start)),
    ...(gone.length * come.length > maxCells
      ? [...signed("-", gone), ...signed("+", come)]
      : middle(gone, come)),
    ...signed(" ", now.slice(now.length - same)),
  ];
}

/** The lines that change with `around` others before and after them, and `…` for the rest. Pure. */
export function nearChanges(lines: readonly DiffLine[], around: number): readonly string[] {
  const isNear = (at: number): boolean =>
    lines.slice(Math.max(0, at - around), at + around + 1).some(({ sign }) => sign !== " ");
  return lines.flatMap(({ sign, text }, at) => {
    if (isNear(at)) return [`${sign} ${text}`];
    return at === 0 || isNear(at - 1) ? ["  …"] : [];
  });
}

/** By the longest common subsequence. */
function middle(old: readonly string[], now: readonly string[]): readonly DiffLine[] {
  const width = now.length + 1;
  /** At `one * width + other`: how many lines the rests from there have in common. */
  const common = new Uint32Array((old.length + 1) * width);
  const at = (one: number, other: number): number => common[one * width + other] ?? 0;
  for (let one = old.length - 1; one >= 0; one -= 1)
    for (let other = now.length - 1; other >= 0; other -= 1)
      common[one * width + other] =
        old[one] === now[other]
          ? at(one + 1, other + 1) + 1
          : Math.max(at(one + 1, other), at(one, other + 1));
  const lines: DiffLine[] = [];
  let [one, other] = [0, 0];
  while (one < old.length || other < now.length) {
    const [gone = "", come = ""] = [old[one], now[other]];
    if (one < old.length && other < now.length && gone === come) {
      lines.push({ sign: " ", text: come });
      one += 1;
      other += 1;
    } else if (
      other >= now.length ||
      (one < old.length && at(one + 1, other) >= at(one, other + 1))
    ) {
      lines.push({ sign: "-", text: gone });
      one += 1;
    } else {
      lines.push({ sign: "+", text: come });
      other += 1;
    }
  }
  return lines;
}
