/**
 * What secrets look like, as their issuers write them; what the group `kept` catches stays. None
 * looks at a character more often than a fixed number of times, so that hostile text takes no
 * longer than any other.
 */
const issued = [
  // Headers, as in commands and logs; possible prose is left alone.
  /(?<kept>\b(?:[Bb]earer|BEARER)\s{1,4})(?![a-z]{1,19}(?![\w.~+/=-]))[\w.~+/=-]{8,}/,
  /(?<kept>\bBearer\s{1,4})(?!auth|token|cert|cred|scheme|header|instrument)[\w.~+/=-]{8,}/,
  /(?<kept>\b(?:[Bb]asic|BASIC)\s{1,4})(?=[A-Za-z/+]*[\d=]|[A-Za-z/+]{20})[\w/+]{6,}={0,2}/,
  // A password in a URL, or a single value in its place; for other schemes that
  // may be a name (ssh://git@…).
  /(?<kept>:\/\/[^\s/:@\\"]{0,64}:)[^\s/@\\"]{1,256}(?=@)/,
  /(?<kept>\bhttps?:\/\/)[^\s/:@?#\\"'<>[\]]{1,256}(?=@)/,
  // Addresses to which anyone who knows them may post: Slack, Discord, Teams
  /(?<kept>\bhooks\.slack\.com\/(?:services|workflows|triggers)\/)[\w/-]{8,}/,
  /(?<kept>\bdiscord(?:app)?\.com\/api\/(?:v\d{1,3}\/)?webhooks\/\d{1,30}\/)[\w-]{8,}/,
  /(?<kept>\bwebhook\.office\.com\/webhookb2\/)[\w@/-]{16,}/,
  // OpenAI, Anthropic, OpenRouter, Stripe, Groq, xAI; Nvidia, Perplexity, Replicate
  /\b(?:sk|pk|rk|gsk|xai)[-_][\w-]{16,}/,
  /\b(?:nvapi|pplx)-[\w-]{16,}/,
  /\br8_[A-Za-z0-9]{20,}/,
  // Stripe and others, for webhooks
  /\bwhsec_[\w+/=-]{16,}/,
  // Slack
  /\b(?:xox[a-z]|xapp)-[\w-]{10,}/,
  // GitHub, GitLab, Hugging Face
  /\bgh[opsur]_\w{20,}/,
  /\bgithub_pat_\w{20,}/,
  /\bgl(?:pat|rt|dt|ptt|cbt|soat|ft|imt|oas|agent)-[\w-]{16,}/,
  /\bhf_\w{30,}/,
  // npm, PyPI, Docker
  /\bnpm_[A-Za-z0-9]{30,}/,
  /\bpypi-(?=[\w-]{0,24}[A-Z\d])[\w-]{16,}/,
  /\bdckr_pat_[\w-]{16,}/,
  // AWS, Google, DigitalOcean
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\bAIza[\w-]{30,}/,
  /\bya29\.[\w-]{10,}/,
  /\bGOCSPX-[\w-]{10,}/,
  /\bdo[opr]_v1_[A-Za-z0-9]{20,}/,
  // SendGrid, Shopify, HashiCorp's Vault, Linear, Sentry, Figma
  /\bSG\.[\w-]{10,}\.[\w-]{10,}/,
  /\bshp(?:at|ca|pa|ss)_[A-Za-z0-9]{20,}/,
  /\bhv[bs]\.[\w-]{20,}/,
  /\b(?:lin_api|sntrys|figd)_[\w+/=-]{16,}/,
  // Telegram, also after the `bot` of its API's addresses
  /(?<!\d)\d{6,12}:[\w-]{30,}/,
  // Discord: the first part is a number in base64
  /(?<![\w-])[MNO][\w-]{22,27}\.[\w-]{6,7}\.[\w-]{27,}/,
  // JSON web tokens
  /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/,
  // Private keys, also those whose end is missing
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----)[\w\s+/=:,.()-]|\\+[nrt])*(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?/,
];

/** How the names of secrets end. Plurals count things (`maxTokens`), and are none. */
const name = String.raw`(?:pass(?:word|wd|phrase|code)|secret|token|credential|(?:api|access|account|private|secret|auth|app|service|encryption|signing|master)[-_ ]?key|authorization|cookie|signature|session[-_]?id)`;
/** Those that are also parts of words (`compass`), or words for other things. */
const shortName = String.raw`(?<![a-z])(?:pass|pwd|sig)`;
/** A quote, however often JSON has escaped it. */
const quote = String.raw`\\{0,15}["']`;
/** Characters of a value without quotes. */
const bare = String.raw`[^\s"'\\&;,<>(){}[\]|\x60]`;
/** No value but where one comes from: a call, an index, a variable. */
const code = String.raw`(?!\$[a-z_{(]|[a-z_$][\w$.]{0,64}[(\[])`;
/** Not an ordinary word: with digits or signs in it, or very long. */
const odd = String.raw`(?=${bare}{0,64}[\d@#$%^*+=~]|${bare}{20})`;

/** Values after the name of a secret, in any format. */
const behindNames = [
  // In quotes, up to the same quotes: "password": "…", also as part of a text that is JSON itself
  `(?<kept>(?:${name}|${shortName})(?:${quote})?\\s{0,8}(?:=>|:?=|:)\\s{0,8}(?<quote>${quote}))(?!\\$\\{)(?:(?!(?<!\\\\)\\k<quote>)[^\\r\\n]){1,8192}`,
  // The pairs of a cookie, up to the end of the line or to the quote around it
  String.raw`(?<kept>\bcookie:\s{0,4})(?=[^\s=;"']{1,128}=)[^"'\\\r\n]{1,4096}`,
  // Schemes without a rule of their own
  String.raw`(?<kept>\bauthorization\s{0,4}[:=]\s{0,4}(?:basic|bearer|token|bot|digest|negotiate|apikey|api-key)\s{1,4})${bare}{1,1024}`,
  // api_key=…, also in the query of a URL
  `(?<kept>(?:${name}|${shortName})=)${code}(?!=)${bare}{1,1024}`,
  String.raw`(?<kept>[?&]key=)${odd}${bare}{1,1024}`,
  // X-Api-Key: …, api_key = …, --token …: prose looks like that too.
  `(?<kept>${name}(?:${quote})?(?:\\s{0,4}[:=]\\s{1,8}|:|\\s{1,4}=)(?!\\w{1,8}://))${code}${odd}${bare}{6,1024}`,
  `(?<![\\w-])(?<kept>--[\\w-]{0,40}?${name}\\s{1,4})${code}${odd}${bare}{6,1024}`,
];

/** Patterns of secrets; the text of the group `kept` stays. */
export const secretShapes: readonly RegExp[] = [
  new RegExp(issued.map(({ source }) => source).join("|"), "g"),
  ...behindNames.map((source) => new RegExp(source, "gi")),
];
