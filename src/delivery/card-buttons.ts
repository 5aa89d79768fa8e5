import { buttonSpanMs } from "../core/grants.ts";
import {
  alwaysData,
  approveAllData,
  approveData,
  denyAllData,
  denyData,
  editData,
  editOneOfData,
  showHiddenData,
  type Button,
} from "../core/outbox.ts";
import { rememberTool } from "../core/tool.ts";
import type { Locale } from "../locales/locale.ts";
import { chosenSpan } from "../locales/span.ts";
import { isOpen, type ShownCall } from "./card-outcome.ts";
import { lookAt } from "./card.ts";

/** The 8 calls that a card may have give 20 buttons. */
export function cardButtons(
  calls: readonly ShownCall[],
  locale: Pick<Locale, "cards">,
  { hasForms = false }: { readonly hasForms?: boolean } = {},
): readonly Button[] {
  const { cards: say } = locale;
  const [first] = calls;
  if (first === undefined) return [];
  // Its own chat only waits; those who decide elsewhere approve or deny what they see.
  if (first.relay?.type === "waits") return [];
  const isCopy = first.relay !== undefined;
  const { approvalId, alwaysAllowMs, tool: named } = first.card;
  const isFact = named === rememberTool;
  const open = calls.filter(isOpen);
  const isHiding = open.some(({ card }) => lookAt(card, say).hasHidden);
  const show = isHiding ? [{ label: say.showHidden, data: showHiddenData(approvalId) }] : [];
  const editable = open.find(({ card }) => hasForms && !isCopy && card.arguments !== noArguments);
  const edit =
    editable === undefined
      ? []
      : open.length === 1
        ? [{ label: say.edit, data: editData(editable.card.approvalId) }]
        : [{ label: `${say.edit}…`, data: editOneOfData(approvalId) }];
  const spanMs = buttonSpanMs(alwaysAllowMs);
  const always =
    spanMs === undefined
      ? []
      : [{ label: say.allowFor(chosenSpan(spanMs, say)), data: alwaysData(approvalId) }];
  if (calls.length === 1)
    return isOpen(first)
      ? [
          { label: isFact ? say.keep : say.approve, data: approveData(approvalId) },
          { label: isFact ? say.dontKeep : say.deny, data: denyData(approvalId) },
          ...edit,
          ...always,
          ...show,
        ]
      : [];
  const each = calls.flatMap((call, index) =>
    isOpen(call)
      ? [
          { label: `✓ ${index + 1}`, data: approveData(call.card.approvalId) },
          { label: `✗ ${index + 1}`, data: denyData(call.card.approvalId) },
        ]
      : [],
  );
  // With one call left, "all" would say too much.
  const all =
    open.length > 1
      ? [
          { label: say.approveAll, data: approveAllData(approvalId) },
          { label: say.denyAll, data: denyAllData(approvalId) },
        ]
      : [];
  return [...all, ...each, ...edit, ...show];
}

/** As canonical JSON. */
const noArguments = "{}";
