import type { Language } from "../locales/locale-for.ts";

/** A share as the language writes it: `33%`, `6,7 %`. Pure. */
export const percentText = (share: number, language: Language): string =>
  new Intl.NumberFormat(language, {
    style: "percent",
    maximumFractionDigits: Math.abs(share) < 0.1 ? 1 : 0,
  })
    .format(Number.isFinite(share) ? share : 0)
    .replaceAll("\u202F", "\u00A0");
