import { openPool, post } from "./http.ts";

export interface Update {
  readonly update_id: number;
  readonly message: { readonly chat: { readonly id: number }; readonly text: string };
}

const headers = { "content-type": "application/json" };

/** @param url the Bot API's root */
export function openTelegram(url: string) {
  const pool = openPool(url);
  const call = async (method: string, body: string): Promise<unknown> => {
    const parts: Buffer[] = [];
    await post(pool, { path: `/bot1:bench/${method}`, headers, body }, (part) => parts.push(part));
    return (JSON.parse(Buffer.concat(parts).toString()) as { readonly result: unknown }).result;
  };
  return {
    updates: async (offset: number) =>
      (await call("getUpdates", `{"offset":${offset},"timeout":30}`)) as readonly Update[],
    /** Returns the message's id. @param text as a JSON string */
    async send(chat: number, text: string): Promise<number> {
      const sent = await call("sendMessage", `{"chat_id":${chat},"text":${text}}`);
      return (sent as { readonly message_id: number }).message_id;
    },
  };
}
