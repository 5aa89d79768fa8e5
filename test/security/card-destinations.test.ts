import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatMarkdown } from "../../src/bots/telegram/format/format.ts";
import { askingChunks } from "../../src/delivery/card-chunks.ts";
import { callOf } from "../../src/delivery/card.ts";
import { languages, localeFor } from "../../src/locales/locale-for.ts";

const platform = {
  render: (text: string) => Promise.resolve(formatMarkdown(text)),
};

async function cardOf(given: unknown, language?: string): Promise<string> {
  const chunks = await askingChunks(
    platform,
    [
      callOf({
        approvalId: "s1-aB3dE0ghijklmnopqrstuv",
        tool: "web.post",
        arguments: JSON.stringify(given),
        requesterName: "Ann",
        approvers: "requester-or-admins",
        expiresAtMs: 1_795_086_400_000,
      }),
    ],
    localeFor(language),
  );
  return chunks.map(({ text }) => text).join("\n");
}

const key = `sk-${"a1b2".repeat(6)}`;

it("a card hides nothing of a host with an invisible character", async () => {
  expect(await cardOf({ x: `open ${key}.\u200bcom` })).toContain(`${key}.\\u200bcom`);
});

describe("a card hides nothing of", () => {
  it.each([
    ["a host", { url: "https://eyJabcdefgh.attackerdom.com/u" }],
    ["a host without a field's name", { x: "eyJabcdefgh.attackerdom.com" }],
    ["a host that a secret's name announces", { token: "evil.example" }],
    ["a host in other dots", { token: "evil\u3002example" }],
    ["an address in numbers", { secret: "10.0.0.1" }],
    ["a mail domain", { to: "ann@SG.abcdefghijkl.attackerdom.com" }],
    ["a recipient", { recipient: key }],
    ["recipients in a list", { members: [{ id: key }, key] }],
    ["a path's parts", { url: `https://good.example/${key}/x` }],
    ["a path's end", { url: `https://good.example/x/${key}` }],
    ["a webhook", { at: `https://hooks.slack.com/services/T1/B2/${key}` }],
    ["a port", { url: "https://evil.example:8080#@good.example" }],
    ["a host behind a name", { url: "https://good.example@evil.example/" }],
    ["a file", { input: `rm ./${key}` }],
    ["a command", { command: "pay --token evil.example/AAAA1111" }],
    ["a command that is a secret's value", { token: "rm -rf ~" }],
    ["a command's operand", { command: `ssh ${key}` }],
    ["an option's value", { input: `connect --host ${key} now` }],
    ["a variable", { x: `token=attackerdom; curl https://$token.com` }],
    ["a pipe", { x: `echo token=attackerdom | xargs open` }],
    ["a joined string", { x: `password = "attackerdom"; url = "x" + password` }],
    ["an encoded address", { x: "https://a.example/?token=evil.example%2Fx" }],
    ["an object", { credentials: { iban: "DE89370400440532013000" } }],
    ["a list", { credentials: ["ann", "ben"] }],
    ["a number", { token: 123_456 }],
    ["digits", { password: "4915112345678" }],
    ["a phone number", { password: "+49-151-1234567" }],
    ["an amount", { token: "1,000,000" }],
    ["fullwidth digits", { token: "１２３４５６" }],
    ["an account", { token: "DE89370400440532013000" }],
    ["a coin", { to_token: "EVILCOIN", fromToken: "USDCOIN" }],
    ["a device", { recipients: [{ token: "abcdefghij" }] }],
    ["a recipient in JSON", { x: JSON.stringify({ to: key }) }],
    ["a recipient in JSON in JSON", { x: { y: `{"a":{"cc":["${key}"]}}` } }],
    ["a recipient in YAML", { x: `to: ${key}` }],
    ["a host with an ideographic dot", { x: `open ${key}。com` }],
    ["a host with a fullwidth dot", { x: `open ${key}．com` }],
    ["a host with an encoded dot", { x: `open ${key}%2ecom` }],
    ["a host in another alphabet", { x: `open ${key}é.com` }],
    ["a host whose end is another alphabet's", { x: `Bearer ${key}.сom` }],
    ["a host after a line break", { x: `https:\n${key}` }],
    ["a host before a line break", { x: `https:${key}\n.com` }],
  ])("%s: %j", async (_what, given) => {
    const shown = await cardOf(given);
    expect(shown).not.toContain("••••");
    // What a text in quotes has more of is backslashes.
    const plain = shown.replaceAll("\\", "");
    for (const text of textsIn(given)) expect(plain).toContain(text);
  });
});

const textsIn = (value: unknown): readonly string[] =>
  typeof value === "object" && value !== null
    ? Object.values(value).flatMap(textsIn)
    : [String(value)];

/** Written so that what it is part of looks like a secret. */
const label = fc
  .tuple(
    fc.constantFrom("eyJ", "sk-", "ghp", "AKIA", "SG", "xoxb-", "token", "a"),
    fc.stringMatching(/^[a-z0-9]{8,24}$/),
  )
  .map((parts) => parts.join(""));
const host = fc
  .tuple(label, label, fc.constantFrom("com", "example", "io", "internal"))
  .map((labels) => labels.join("."));
const path = fc.array(label, { minLength: 1, maxLength: 3 }).map((parts) => `/${parts.join("/")}`);
const secretWord = fc.constantFrom(
  "token",
  "password",
  "api_key",
  "secret",
  "authorization",
  "cookie",
);

/** A destination, and what holds it. */
const destination = fc.oneof(
  host.map((it) => ({
    it,
    shape: (to: string) => ({ url: `https://${to}/u` }),
  })),
  host.map((it) => ({ it, shape: (to: string) => ({ to: `ann@${to}` }) })),
  fc.tuple(host, secretWord).map(([it, name]) => ({
    it,
    shape: (to: string) => ({
      [name]: to,
      headers: { [name]: `Bearer ${to}` },
    }),
  })),
  fc.tuple(path, host).map(([it, at]) => ({
    it,
    shape: (to: string) => ({ url: `https://${at}${to}` }),
  })),
  fc.tuple(path, secretWord).map(([it, name]) => ({
    it,
    shape: (to: string) => ({ text: `open --${name} ${to}`, [name]: to }),
  })),
  fc.tuple(host, path, secretWord).map(([at, rest, name]) => ({
    it: `${at}${rest}`,
    shape: (to: string) => ({ command: `pay --${name} ${to}` }),
  })),
  label.map((it) => ({
    it,
    shape: (to: string) => ({ recipients: [{ id: to }] }),
  })),
  label.map((it) => ({
    it,
    shape: (to: string) => ({ command: `send ${to}` }),
  })),
  label.map((it) => ({
    it,
    shape: (to: string) => ({ credentials: { account: to } }),
  })),
  label.map((it) => ({
    it,
    shape: (to: string) => ({ script: `token=${to}\ncurl https://$token.com` }),
  })),
  fc.tuple(fc.nat(), secretWord).map(([number, name]) => ({
    it: String(number),
    shape: (to: string) => ({ [name]: Number(to), [`${name}s`]: [Number(to)] }),
  })),
);

it("two calls with different destinations never have the same card, in any language", async () => {
  await fc.assert(
    fc.asyncProperty(
      destination,
      fc.nat(),
      fc.constantFrom(...languages),
      async ({ it: one, shape }, at, language) => {
        const place = at % one.length;
        const character = one.charAt(place);
        // Any one character is another one, so that no end and no length gives it away.
        const changed = /\d/.test(character)
          ? String((Number(character) + 1) % 10)
          : /[a-z]/.test(character)
            ? character === "q"
              ? "w"
              : "q"
            : character;
        const other = one.slice(0, place) + changed + one.slice(place + 1);
        fc.pre(other !== one && Number(other) !== Number(one));
        expect(await cardOf(shape(other), language)).not.toBe(await cardOf(shape(one), language));
      },
    ),
    { numRuns: 400 },
  );
});
