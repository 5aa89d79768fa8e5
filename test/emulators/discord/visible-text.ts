/**
 * What people see of a message's content: Discord's own Markdown, read by the rules of its client
 * (simple-markdown with Discord's changes; the expressions are those that discord-markdown and
 * discord-markdown-parser have taken from it).
 */
export function visibleText(content: string): string {
  return read(content, { atLineStart: true, inQuote: false, inLink: false });
}

interface State {
  readonly atLineStart: boolean;
  readonly inQuote: boolean;
  /** There a backslash protects what follows, but is shown (discord/discord-api-docs#6185). */
  readonly inLink: boolean;
}

interface Hit {
  readonly length: number;
  readonly shown: string;
}

type Rule = (rest: string, state: State) => Hit | undefined;

const rule =
  (
    pattern: RegExp,
    show: (match: RegExpExecArray, state: State) => string,
    when: (state: State) => boolean = () => true,
  ): Rule =>
  (rest, state) => {
    const match = when(state) ? pattern.exec(rest) : null;
    return match ? { length: match[0].length, shown: show(match, state) } : undefined;
  };

const within =
  (group: number) =>
  (match: RegExpExecArray, state: State): string =>
    read(match[group] ?? "", { ...state, atLineStart: false });

const atLineStart = (state: State): boolean => state.atLineStart;

/** The longest of those that match, as the client has it for its three kinds of emphasis. */
const longest =
  (...rules: readonly Rule[]): Rule =>
  (rest, state) =>
    rules
      .map((each) => each(rest, state))
      .reduce((best, hit) => (hit && hit.length > (best?.length ?? 0) ? hit : best));

const rules: readonly Rule[] = [
  rule(/^```(?:[a-z0-9_+\-.#]+?\n)?\n*([^\n][^]*?)\n*```/i, (match) => `${match[1] ?? ""}\n`),
  rule(
    /^ *>(?!>>) +[^\n]*(?:\n *>(?!>>) +[^\n]*)*\n?/,
    (match, state) =>
      read(match[0].replaceAll(/^ *> ?/gm, ""), { ...state, atLineStart: true, inQuote: true }),
    (state) => state.atLineStart && !state.inQuote,
  ),
  rule(
    /^ *>>> +([^]*)/,
    (match, state) => read(match[1] ?? "", { ...state, atLineStart: true, inQuote: true }),
    (state) => state.atLineStart && !state.inQuote,
  ),
  rule(/^#{1,3} +([^\n]+?)(\n|$)/, (match, state) => `${within(1)(match, state)}\n`, atLineStart),
  rule(/^-# +/, () => "", atLineStart),
  rule(/^ *[-*] +/, () => "", atLineStart),
  rule(/^\\([^0-9A-Za-z\s])/, ([whole, character = ""], { inLink }) =>
    inLink ? whole : character,
  ),
  rule(/^<(https?:\/\/[^ >]+)>/, (match) => match[1] ?? ""),
  rule(/^https?:\/\/[^\s<]+[^<.,:;"'\]\s]/, ([url]) => url),
  rule(
    /^\[((?:\[[^\]]*\]|[^[\]]|\](?=[^[]*\]))*)\]\(\s*<?(https?:\/\/(?:\([^)]*\)|[^\s\\]|\\.)*?)>?\s*\)/,
    (match, state) => read(match[1] ?? "", { ...state, atLineStart: false, inLink: true }),
    ({ inLink }) => !inLink,
  ),
  rule(/^(?:<@[!&]?\d+>|<a?:\w+:\d+>|<t:\d+(?::\w)?>)/, ([token]) => token),
  rule(/^(`+)([^]*?[^`])\1(?!`)/, (match) => (match[2] ?? "").replaceAll(/^ (?=`)|(?<=`) $/g, "")),
  longest(
    rule(/^\b_((?:__|\\[^]|[^\\_])+?)_\b/, within(1)),
    rule(/^\*(?=\S)((?:\*\*|\\[^]|\s+(?:\\[^]|[^\s*\\]|\*\*)|[^\s*\\])+?)\*(?!\*)/, within(1)),
    rule(/^\*\*((?:\\[^]|[^\\])+?)\*\*(?!\*)/, within(1)),
    rule(/^__((?:\\[^]|[^\\])+?)__(?!_)/, within(1)),
  ),
  rule(/^~~([^]+?)~~(?!_)/, within(1)),
  rule(/^\|\|([^]+?)\|\|/, within(1)),
  rule(/^\n/, ([text]) => text),
  rule(/^[^\n]+?(?=[^0-9A-Za-z \u00c0-\uffff]|\w+:\S|$)/, ([text]) => text),
];

function read(source: string, state: State): string {
  let rest = source;
  let shown = "";
  let atStart = state.atLineStart;
  while (rest !== "") {
    // Nothing in these letters is a mark.
    const [plain = ""] = atStart ? [] : (/^(?:[A-Za-z]+ )+/.exec(rest) ?? []);
    if (plain !== "") {
      shown += plain;
      rest = rest.slice(plain.length);
      continue;
    }
    const now = { ...state, atLineStart: atStart };
    let hit: Hit | undefined;
    for (const each of rules) if ((hit = each(rest, now))) break;
    const length = hit?.length ?? 1;
    shown += hit?.shown ?? rest.slice(0, 1);
    atStart = rest[length - 1] === "\n";
    rest = rest.slice(length);
  }
  return shown;
}
