import { APIError } from "openai";
import type { CardFields } from "../card-source.ts";
import { vendorFailure } from "../failure.ts";
import { dialectLessons, type Dialect } from "./dialect.ts";
import { wordsOf } from "./failure.ts";

type Body = Readonly<Record<string, unknown>>;

/** A refusal that names what it is about. */
interface Refusal {
  readonly status: number | undefined;
  readonly words: string;
  readonly param: string | undefined;
}

/** What a refusal has taught. */
export interface Lesson {
  /** The part that is left out or changed from now on, for the log. */
  readonly what: string;
  /** The model's card was wrong: the request has to be made again for this one. */
  readonly card?: CardFields;
}

const capFields = ["max_tokens", "max_completion_tokens", "max_output_tokens"];
/** Optional fields whose names are no common words. */
const namedFields = [
  "stream_options",
  "temperature",
  "top_p",
  ...capFields,
  "response_format",
  "reasoning_effort",
  "chat_template_kwargs",
  "extra_body",
  "repeat_penalty",
  "repetition_penalty",
  "tool_choice",
];
/** Those that also stand in sentences about something else: they count where they are quoted or refused by a verb. */
const commonFields = ["reasoning", "thinking", "text", "store", "stream"];

const unknownField =
  /unsupported|unrecognized|unknown|unexpected|not (?:supported|permitted|allowed)|(?:does not|doesn't) support|extra (?:inputs|fields)|must be (?:one of|verified|false)|unavailable|deprecated/i;

const noTools =
  /(?:not|n't) support (?:tools?\b|tool[ _-](?:use|calls?|calling)|functions?\b)|(?:tools?|tool[ _-](?:use|calls?|calling)|function calling) (?:is|are) not supported|that support tool use|enable-auto-tool-choice|requires --jinja/i;

/**
 * What the refusals of one model's server have taught, for the model's life in this process: its
 * dialect, fields that it doesn't take, the largest values that it takes, and tools that it refuses.
 * A server's list of fields is nowhere to be asked for, and OpenAI's differs from model to model.
 */
export class Lessons {
  #dialect: Dialect;
  readonly #refused = new Set<string>();
  readonly #caps = new Map<string, number>();
  readonly #tools = new Set<string>();

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  get dialect(): Dialect {
    return this.#dialect;
  }

  /** The body as the server takes it. `max_tokens` goes on under its newer name. */
  applied(body: Body): Body {
    const kept: Record<string, unknown> = {};
    for (const [field, value] of Object.entries(body)) {
      const cap = this.#caps.get(field);
      const sent = cap !== undefined && typeof value === "number" ? Math.min(cap, value) : value;
      if (!this.#refused.has(field)) kept[field] = sent;
      else if (field === "max_tokens" && !this.#refused.has("max_completion_tokens"))
        kept["max_completion_tokens"] = sent;
      else if (field === "stream") kept["stream"] = false;
    }
    if (kept["stream"] === false) delete kept["stream_options"];
    const tools = toolsIn(kept).filter((tool) => !this.#tools.has(toolName(tool)));
    const isNoneRefused = this.#refused.has("tool_choice") && body["tool_choice"] === "none";
    if (tools.length === 0 || isNoneRefused) {
      delete kept["tools"];
      delete kept["tool_choice"];
    } else if (this.#tools.size > 0) kept["tools"] = tools;
    return kept;
  }

  /** @returns undefined where the same request would be refused again. */
  learn(error: unknown, body: Body): Lesson | undefined {
    if (!(error instanceof APIError)) return undefined;
    const refusal: Refusal = {
      status: error.status as number | undefined,
      words: wordsOf(error).replace(/^\d{3} /, ""),
      param: typeof error.param === "string" ? error.param : undefined,
    };
    const { status = 400, words } = refusal;
    if (status === 400 || status === 422 || status >= 500) {
      const lesson = this.#learnDialect(words);
      if (lesson !== undefined) return lesson;
    }
    const hasTools = toolsIn(body).length > 0;
    if (hasTools && ![401, 403, 429].includes(status) && noTools.test(words))
      return { what: "tools", card: { tools: false } };
    if (status !== 400 && status !== 422) return undefined;
    if (vendorFailure({ status, message: words }).kind !== "invalid-request") return undefined;
    return this.#learnTool(refusal, body) ?? this.#learnField(refusal, body);
  }

  #learnDialect(words: string): Lesson | undefined {
    for (const { says, learn } of dialectLessons) {
      const said = says.exec(words);
      const change = said === null ? {} : learn(said);
      const isNew = Object.entries(change).some(
        ([name, value]) => this.#dialect[name as keyof Dialect] !== value,
      );
      if (!isNew) continue;
      this.#dialect = { ...this.#dialect, ...change };
      return { what: Object.keys(change).join(", ") };
    }
    return undefined;
  }

  #learnTool({ words, param = "" }: Refusal, body: Body): Lesson | undefined {
    const tools = toolsIn(body);
    const all = `${param} ${words}`;
    // Google counts the functions within its only tool.
    const place =
      /function_declarations\[(\d+)\]/.exec(all) ?? /\b(?:tools|functions)(?:\[|\.)(\d+)/.exec(all);
    const index = place?.[1];
    const named = tools.map(toolName).find((name) => isQuoted(name, words));
    const isOfTools = /function|tool|schema/i.test(words);
    const name =
      index === undefined ? (isOfTools ? named : undefined) : toolName(tools[Number(index)]);
    if (name === undefined || name === "" || this.#tools.has(name)) return undefined;
    this.#tools.add(name);
    return { what: `the tool ${name}` };
  }

  #learnField({ words, param }: Refusal, body: Body): Lesson | undefined {
    const isNamed = (field: string): boolean =>
      isOf(field, param) || new RegExp(`\\b${field}\\b`).test(words);
    const isRefused = (field: string): boolean =>
      isOf(field, param) || isQuoted(field, words) || (isNamed(field) && unknownField.test(words));
    // A cap is also called by its other names.
    const isCap = capFields.some(isNamed);
    const field =
      namedFields.find(
        (each) =>
          body[each] !== undefined && (isNamed(each) || (isCap && capFields.includes(each))),
      ) ?? commonFields.find((each) => body[each] !== undefined && isRefused(each));
    if (field === undefined || (field === "stream" && body["stream"] === false)) return undefined;
    const cap = lowerValue(body[field], words, field);
    if (cap === undefined) this.#refused.add(field);
    else
      for (const each of capFields.includes(field) ? capFields : [field]) this.#caps.set(each, cap);
    return { what: cap === undefined ? field : `${field} above ${cap}` };
  }
}

/** Fewer are no answer. */
const minOutputTokens = 16;

/** The largest value below the sent one that a refusal names; undefined: none. */
function lowerValue(sent: unknown, words: string, field: string): number | undefined {
  if (typeof sent !== "number") return undefined;
  const plain = words.replaceAll("..", " to ").replaceAll(/(\d),(?=\d{3}\b)/g, "$1");
  const isCap = capFields.includes(field);
  const below = [...plain.matchAll(/(?<![\w.-])\d+(?:\.\d+)?(?![\w.-]*\w)/g)]
    .map(Number)
    .filter((value) => value < sent && value > 0 && (!isCap || value >= minOutputTokens));
  if (below.length === 0) return undefined;
  const isExclusive = isCap && /(?:less|lower) than (?!or equal)|below/i.test(plain);
  return Math.max(...below) - (isExclusive ? 1 : 0);
}

/** `reasoning.summary` is part of `reasoning`. */
const isOf = (field: string, param: string | undefined): boolean =>
  param !== undefined && (param === field || param.startsWith(`${field}.`));

const isQuoted = (name: string, words: string): boolean =>
  name !== "" && ["'", '"', "`"].some((mark) => words.includes(`${mark}${name}${mark}`));

const toolsIn = ({ tools }: Body): readonly unknown[] => (Array.isArray(tools) ? tools : []);

/** In a chat's body, or in a response's. */
function toolName(tool: unknown): string {
  const { name, function: called } = Object(tool) as {
    name?: string;
    function?: { name?: string };
  };
  return called?.name ?? name ?? "";
}
