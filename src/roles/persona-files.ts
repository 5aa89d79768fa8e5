import { sentence } from "../config/problems.ts";
import { uncheckedTools, type Offered } from "../config/persona-file.ts";
import { personaFilesIn, readPersonasFolder } from "../config/personas-folder.ts";
import { messageOf, PermanentError } from "../core/errors.ts";
import type { PersonaStore } from "../store/personas/personas.ts";
import type { Services } from "../services.ts";

/** How often the folder is looked at: events of file systems don't come from every mount. */
const lookMs = 3_000;

/**
 * Publishes the operator's persona files, for all processes, and again whenever they change. A file
 * that becomes unusable keeps its last content until Parley starts again; one that is gone is
 * removed.
 * @throws PermanentError when the default names no persona that can be used.
 */
export async function startPersonaFiles(
  {
    settings: { personas },
    log,
    store,
  }: Pick<Services, "settings" | "log"> & { readonly store: PersonaStore },
  offered: () => Offered,
): Promise<Disposable> {
  const { folder, usual } = personas;
  const publish = async (isStart: boolean): Promise<void> => {
    const known = offered();
    const read = await readPersonasFolder(folder, known);
    for (const problem of read.problems)
      log.warn({ folder }, `a persona is left out: ${sentence(problem)}`);
    for (const note of read.personas.flatMap((persona) => uncheckedTools(persona, known)))
      log.info({ folder }, `a persona's tool ${note}`);
    const isThere = read.personas.some(({ name }) => name === usual);
    if (isStart && usual !== undefined && !isThere)
      throw new PermanentError(
        [
          `personas.default names "${usual}", which is no persona in ${folder}.`,
          ...read.problems.map(sentence),
        ].join("\n"),
      );
    const kept = new Set(read.personas.map(({ name }) => name));
    for (const persona of read.personas) await store.save("file", persona);
    for (const { ref } of await store.list("file"))
      if (!kept.has(ref.name) && (isStart || !read.unusable.includes(ref.name)))
        await store.remove(ref);
  };
  // Skills and servers that appear later change which personas are usable.
  const marksOf = async (): Promise<string> =>
    JSON.stringify([[...(await personaFilesIn(folder))], offered()]);
  let marks = await marksOf();
  await publish(true);
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    try {
      const now = await marksOf();
      if (now === marks) return;
      await publish(false);
      marks = now;
      log.info({ folder }, "the personas have changed");
    } catch (error) {
      log.warn({ error: messageOf(error) }, "could not publish the personas");
    } finally {
      isLooking = false;
    }
  };
  const timer = setInterval(() => void look(), lookMs);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
