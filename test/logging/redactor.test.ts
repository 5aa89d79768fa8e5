import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor } from "../../src/logging/redactor.ts";
import type { TraceRecord } from "../../src/core/trace.ts";
import { traceJson } from "../../src/store/traces/trace-json.ts";
import { askedWith } from "../store/traces/trace-record.ts";

/** Put together here, so that no scanner takes this file's examples for real ones. */
const x = (times: number, unit = "aB3") => unit.repeat(times);

const likely: Readonly<Record<string, string>> = {
  "OpenAI's key": `sk-proj-${x(8)}`,
  "Anthropic's key": `sk-ant-api03-${x(8)}_-AA`,
  "Stripe's key": `sk_live_${x(8)}`,
  "Slack's token": `xoxb-${x(4, "123-")}abc`,
  "GitHub's token": `ghp_${x(12)}`,
  "GitHub's fine-grained token": `github_pat_${x(12)}`,
  "GitLab's token": `glpat-${x(8)}`,
  "AWS' key": `AKIA${x(8, "A1")}`,
  "Google's key": `AIza${x(12)}`,
  "Telegram's token": `123456789:AA${x(11)}`,
  "Discord's token": `M${x(8)}.G${x(2)}.${x(10)}`,
  "Google's access token": `ya29.${x(8)}`,
  "Google's client secret": `GOCSPX-${x(8)}`,
  "SendGrid's key": `SG.${x(7)}.${x(14)}`,
  "npm's token": `npm_${x(12)}`,
  "PyPI's token": `pypi-${x(20)}`,
  "a webhook's signing secret": `whsec_${x(11)}`,
  "GitLab's runner token": `glrt-${x(7)}`,
  "DigitalOcean's token": `dop_v1_${x(32, "a1")}`,
  "Shopify's token": `shpat_${x(16, "a1")}`,
  "Replicate's key": `r8_${x(12)}`,
  "Vault's token": `hvs.${x(12)}`,
  "Docker's token": `dckr_pat_${x(9)}`,
  "Nvidia's key": `nvapi-${x(12)}`,
  "a JSON web token": `eyJ${x(5)}.eyJ${x(9)}.${x(4)}`,
  "a private key": `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n${x(9)}+/=\n${x(9)}\n-----END RSA PRIVATE KEY-----`,
  "a private key without an end": `-----BEGIN PRIVATE KEY-----\n${x(9)}`,
};

describe("a redactor that was told nothing", () => {
  const redact = createRedactor([]);

  it.each(Object.entries(likely))("finds %s", (_name, secret) => {
    expect(redact(secret)).toBe("[redacted]");
    expect(redact(`It is "${secret}", he said.`)).toBe('It is "[redacted]", he said.');
    const json = JSON.stringify({ key: secret });
    expect(redact(json)).toBe('{"key":"[redacted]"}');
    expect(redact(JSON.stringify({ json }))).toBe(JSON.stringify({ json: '{"key":"[redacted]"}' }));
  });

  it.each([
    [`Authorization: Bearer ${x(4)}`, "Authorization: Bearer [redacted]"],
    [`curl -H "bearer ${x(4)}=="`, 'curl -H "bearer [redacted]"'],
    ["Basic dXNlcjpwYXNzd29yZA==", "Basic [redacted]"],
    ["postgres://ann:hunter2@db:5432/x", "postgres://ann:[redacted]@db:5432/x"],
    ["redis://:hunter2@127.0.0.1", "redis://:[redacted]@127.0.0.1"],
    [
      `https://api.telegram.org/bot123456:${x(12)}/getMe`,
      "https://api.telegram.org/bot[redacted]/getMe",
    ],
    ["Authorization: Bearer abcdefghijkl", "Authorization: Bearer [redacted]"],
    ["Use Bearer abcdefghijkl.", "Use Bearer [redacted]"],
    ["https://token@host/x", "https://[redacted]@host/x"],
    [
      "curl https://host/v1?user=ann&access_token=abc&x=1#top",
      "curl https://host/v1?user=ann&access_token=[redacted]&x=1#top",
    ],
    ["https://host/?api_key=abc", "https://host/?api_key=[redacted]"],
    ["https://host/?token=a%20b'", "https://host/?token=[redacted]'"],
    [`https://host/?sv=2024&sig=${x(3)}%3D`, "https://host/?sv=2024&sig=[redacted]"],
    [`https://host/?key=${x(5)}&q=a`, "https://host/?key=[redacted]&q=a"],
    [
      `https://hooks.slack.com/services/T00/B00/${x(8)} now`,
      "https://hooks.slack.com/services/[redacted] now",
    ],
    [
      `https://discord.com/api/webhooks/123456/${x(20)}/slack`,
      "https://discord.com/api/webhooks/123456/[redacted]/slack",
    ],
    ['{"password":"x y, z","a":1}', '{"password":"[redacted]","a":1}'],
    [
      String.raw`{"password": "a\"b", "dbPassword" : "c"}`,
      '{"password": "[redacted]", "dbPassword" : "[redacted]"}',
    ],
    [
      String.raw`{"json":"{\"client_secret\":\"a\\\"b\",\"id\":7}"}`,
      String.raw`{"json":"{\"client_secret\":\"[redacted]\",\"id\":7}"}`,
    ],
    ["{'apiKey' => 'abc'}", "{'apiKey' => '[redacted]'}"],
    ["export API_KEY=abc; run", "export API_KEY=[redacted]; run"],
    ["PGPASSWORD=hunter psql", "PGPASSWORD=[redacted] psql"],
    [`curl -H "X-Api-Key: ${x(4)}"`, 'curl -H "X-Api-Key: [redacted]"'],
    ["Authorization: Token abc", "Authorization: Token [redacted]"],
    [`Authorization: ${x(4)}`, "Authorization: [redacted]"],
    [`aws_secret_access_key = ${x(12, "aB3/")}`, "aws_secret_access_key = [redacted]"],
    ["Set-Cookie: session=abc; Path=/\nHost: x", "Set-Cookie: [redacted]\nHost: x"],
    ["curl -H 'Cookie: session=abc; a=b' x", "curl -H 'Cookie: [redacted]' x"],
    [
      `AccountName=ann;AccountKey=${x(9)}+/==;EndpointSuffix=e`,
      "AccountName=ann;AccountKey=[redacted];EndpointSuffix=e",
    ],
    ["password: hunter2!\nuser: ann", "password: [redacted]\nuser: ann"],
    ["login --api-token hunter2hunter", "login --api-token [redacted]"],
  ])("keeps what stands around it: %s", (text, shown) => {
    expect(redact(text)).toBe(shown);
  });

  it.each([
    "The bearer certificates of the company, and basic understanding of it.",
    "A Basic Programming course; see https://example.org:8080/a@b?c=d.",
    "risk-taking, desk-lamp, task-force_something_rather_long",
    "At 12:30:45 on 2026-11-20, order 123456789:short.",
    '{"path":"/tmp/x","pattern":"sk-*","id":"550e8400-e29b-41d4-a716-446655440000"}',
    "Your token: keep it to yourself. Password: required, at least 12 signs.",
    "The secret is patience; a signature: yours. Cookies: 3, tokens=5.",
    "Bearer authentication and Bearer tokens are explained below.",
    "const token = nextToken(); login(password=getpass(), secret=keys[0]);",
    "interface Login { token: string; password?: string; apiKey: string }",
    'if (token === "x") return maxOutputTokens: 4096, { "inputTokens": 12345 }',
    'export TOKEN=$OTHER_TOKEN API_KEY=${KEY}; apiKey: "${OPENAI_API_KEY}"',
    "Pass --token to the tool. pass: 12, fail: 3; compass: north",
    "git clone ssh://git@github.com/a/b, or https://example.org/@ann?mail=a@b.org",
    '{"type":"object","required":["password","token"],"secret":null,"cookie":true}',
    "npm_config_user_agent, pypi-server-something-rather-long, SG. And ya29.",
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
    "Müller & Söhne 😀 \ud800",
    "",
  ])("leaves %s alone", (text) => {
    expect(redact(text)).toBe(text);
  });

  it.each(
    [
      ["\\", 200_000],
      ["eyJaaaaaaaaa-", 20_000],
      ["-----BEGIN PRIVATE KEY-----", 10_000],
      ["://a:", 50_000],
      ["NNNNNNNNNNNNNNNNNNNNNNNN.", 10_000],
      ["1", 200_000],
      ["token", 40_000],
      ["token: ", 30_000],
      ["password='", 20_000],
      ['"secret":"', 20_000],
      ['password":\\', 20_000],
      ["--", 100_000],
      ["--a-", 50_000],
      ["cookie: a", 20_000],
      ["https://", 25_000],
      ["SG.aaaaaaaaaa", 15_000],
      ["pypi-", 40_000],
    ].map(([unit, times]) => [unit, times] as [string, number]),
  )("is not held up by %s, many times", (unit, times) => {
    // What takes quadratic time takes minutes here, and the test's own limit ends it.
    const known = createRedactor(['\\"secret"/\n\\', '"/\né\\\\x"x']);
    expect(known(unit.repeat(times)).length).toBeGreaterThan(0);
  });
});

describe("a redactor that knows secrets", () => {
  it("finds them escaped, once or twice, and in a URL", () => {
    const secret = 'p"w/ö\\n\n<&%😀end';
    const redact = createRedactor([secret]);
    const once = JSON.stringify(secret);
    const ascii = once.replaceAll(
      /[<&\u0080-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
    expect(redact(`a${secret}b`)).toBe("a[redacted]b");
    expect(redact(once)).toBe('"[redacted]"');
    expect(redact(JSON.stringify({ once }))).toBe(String.raw`{"once":"\"[redacted]\""}`);
    expect(redact(ascii)).toBe('"[redacted]"');
    expect(redact(ascii.toUpperCase().replaceAll("\\U", "\\u"))).not.toBe(ascii);
    expect(redact(once.replaceAll("/", String.raw`\/`))).toBe('"[redacted]"');
    expect(redact(`?q=${encodeURIComponent(secret)}&x`)).toBe("?q=[redacted]&x");
  });

  it("takes the longer of two that overlap", () => {
    const redact = createRedactor(["secret-one", "secret-one-and-two"]);
    expect(redact("secret-one-and-two secret-one")).toBe("[redacted] [redacted]");
  });

  it("takes one whole that begins like something else", () => {
    const secret = `sk-${x(8)}$and more`;
    expect(createRedactor([secret])(`(${secret})`)).toBe("([redacted])");
  });

  it("leaves short ones alone: they are ordinary words", () => {
    expect(createRedactor(["ollama", "", "none"])("ollama or none")).toBe("ollama or none");
  });
});

describe("a stored record", () => {
  // Words of our own shapes, such as `messages`, are no secrets of anybody.
  const secret = fc
    .tuple(
      fc.string({
        unit: fc.constantFrom(...Array.from('aZ09-_.~+/=:@"\\ %ä€😀\n')),
        minLength: 2,
        maxLength: 40,
      }),
      fc.stringMatching(/^[A-Za-z0-9]{8}$/),
    )
    .map(([odd, plain]) => odd + plain);
  const around = fc.oneof(
    fc.string(),
    fc.constantFrom("", "Bearer ", "://u:", "sk-", '{"a":"', "\\", "-----BEGIN PRIVATE KEY-----"),
  );

  it("holds no known secret, wherever one stood", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(secret, { minLength: 1, maxLength: 4 }),
        fc.array(fc.tuple(around, fc.nat(), fc.nat(3)), {
          minLength: 12,
          maxLength: 12,
        }),
        // So long that texts are cut.
        fc.constantFrom(0, 400_000),
        (secrets, parts, padding) => {
          const texts = parts.map(([before, index, depth]) => {
            let text = secrets[index % secrets.length] ?? "";
            for (let level = 0; level < depth; level += 1) text = JSON.stringify({ a: text });
            return before + text + before;
          });
          texts[4] += "x".repeat(padding);
          const json = traceJson(recordOf(texts), createRedactor(secrets));
          for (const each of secrets) {
            expect(textsOf(JSON.parse(json)).join("\u0000")).not.toContain(each);
            let escaped = each;
            for (let level = 0; level < 4; level += 1) {
              expect(json).not.toContain(escaped);
              escaped = JSON.stringify(escaped).slice(1, -1);
            }
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

/** Texts in every place that can hold one. */
function recordOf(texts: readonly string[]): TraceRecord {
  const text = (index: number) => texts[index % texts.length] ?? "";
  const record = askedWith([
    { role: "system", text: text(0) },
    {
      role: "user",
      text: text(1),
      images: [{ mediaType: text(2), data: text(3) }],
    },
    {
      role: "assistant",
      text: text(4),
      reasoning: text(5),
      calls: [{ id: text(6), name: text(7), arguments: text(8) }],
    },
    { role: "tool", callId: text(9), name: text(10), text: text(11) },
  ]);
  return {
    ...record,
    model: text(0),
    why: text(1),
    diagnostics: [text(2)],
    request: {
      ...record.request,
      tools: [
        {
          name: text(3),
          description: text(4),
          parameters: { [text(5)]: { enum: [text(6)] } },
        },
      ],
    },
    response: {
      text: text(7),
      reasoning: text(8),
      calls: [{ index: 0, wireId: text(9), name: text(10), arguments: text(11) }],
      failure: { kind: "auth", message: text(0) },
    },
    attempts: [{ model: text(1), failure: text(2) }],
  };
}

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return [...Object.keys(value), ...Object.values(value).flatMap(textsOf)];
}
