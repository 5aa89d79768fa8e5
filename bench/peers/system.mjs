// What every loop in memory gets around it, so that all are measured end to end: a long poll, one
// turn after the other per chat, histories in memory, one `sendMessage`. Nothing is stored; a
// process that dies loses everything.
export const { TELEGRAM, MODEL } = process.env;
export const seedLength = Number(process.env.SEED ?? 0);
export const systemPrompt = "You are a helpful assistant.";
export const toolDescription = "Current time in a time zone";
export const theTime = "12:00";

const filler = "the quick brown fox jumps over the lazy dog while the bot answers ";
/** The history that every chat begins with. */
export const past = Array.from({ length: seedLength }, (_, index) => ({
  role: index % 2 === 0 ? "user" : "assistant",
  text: `message ${index}: ${filler}`,
}));

const api = async (method, body) => {
  const response = await fetch(`${TELEGRAM}/bot1:bench/${method}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return (await response.json()).result;
};

/** @param answer from a chat's number and a text to the whole answer. */
export async function serve(answer) {
  const lanes = new Map();
  for (let offset = 0; ;) {
    for (const update of await api("getUpdates", { offset, timeout: 30 })) {
      offset = update.update_id + 1;
      const { chat, text } = update.message;
      const before = lanes.get(chat.id) ?? Promise.resolve();
      const lane = before
        .then(() => answer(chat.id, text))
        .then((said) => api("sendMessage", { chat_id: chat.id, text: said }));
      lanes.set(chat.id, lane);
      lane.finally(() => {
        if (lanes.get(chat.id) === lane) lanes.delete(chat.id);
      });
    }
  }
}
