import type { InboundAttachment, InboundMessage } from "../core/inbound.ts";
import type { ChatKey } from "../core/chat.ts";
import type { Inbox } from "../store/turns/inbox.ts";

/** The files that a message itself holds. Pure. */
export const ownFiles = ({
  attachments = [],
}: Pick<InboundMessage, "attachments">): readonly InboundAttachment[] =>
  attachments.filter(({ pointedAt }) => pointedAt === undefined);

/** The files that a message points at, unless the conversation still shows them. */
export async function neededFiles(
  { inbox }: { readonly inbox: Pick<Inbox, "showsFiles"> },
  { inbound, chat }: { readonly inbound: InboundMessage; readonly chat: ChatKey },
): Promise<readonly InboundAttachment[]> {
  const needed: InboundAttachment[] = [];
  for (const { pointedAt, ...file } of inbound.attachments ?? []) {
    if (pointedAt === undefined) continue;
    const { messageId, isAnswer } = pointedAt;
    const isShown =
      messageId !== undefined && (await inbox.showsFiles(chat, { messageId, isAnswer }));
    if (!isShown) needed.push(file);
  }
  return needed;
}
