import type { AnswerButton } from "../core/inbound.ts";
import type { Locale } from "../locales/locale.ts";

type Sample = {
  readonly labelIn: (locale: Locale) => string;
} & (
  | { readonly type: "question"; readonly textIn: (locale: Locale) => string }
  | { readonly type: "command"; readonly name: string }
);

/** The samples that `/start` offers, by the data of their buttons. */
export const samples = {
  "s:0": {
    type: "question",
    labelIn: ({ start }) => start.question,
    textIn: ({ start }) => start.question,
  },
  "s:1": {
    type: "command",
    labelIn: ({ start }) => start.showTools,
    name: "tools",
  },
  "s:2": {
    type: "command",
    labelIn: ({ start }) => start.showSettings,
    name: "settings",
  },
} as const satisfies Readonly<Record<string, Sample>>;

/** Whether a button's data are one of these buttons'. */
export const isSample = (data: string): data is keyof typeof samples =>
  Object.hasOwn(samples, data);

export const sampleButtons = (locale: Locale): readonly AnswerButton[] =>
  Object.entries(samples).map(([data, sample]) => ({
    label: sample.labelIn(locale),
    data,
    typed: sample.type === "question" ? sample.textIn(locale) : `/${sample.name}`,
  }));
