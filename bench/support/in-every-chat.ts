/** Chats that are worked on at the same time. */
const concurrency = 100;

/** Does something in every chat, by number from 0 on. `say` hears of every tenth. */
export async function inEveryChat(
  { chats, say }: { readonly chats: number; readonly say: (line: string) => void },
  one: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < chats) {
      const index = next;
      next += 1;
      await one(index);
      if ((index + 1) % Math.ceil(chats / 10) === 0) say(`${index + 1} of ${chats} chats`);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}
