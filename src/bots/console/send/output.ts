/**
 * The stream that everything is written to. `open → closed` with the first error (EPIPE: the reader
 * has gone) or at `close`; after that nothing is written, and nothing is thrown.
 */
export class Output {
  readonly #stream: NodeJS.WritableStream;
  readonly #gone = Promise.withResolvers<void>();
  #isOpen = true;

  constructor(stream: NodeJS.WritableStream) {
    this.#stream = stream;
    stream.on("error", () => this.close());
    stream.on("close", () => this.close());
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Fulfils when nothing can be written any more. */
  get gone(): Promise<void> {
    return this.#gone.promise;
  }

  close(): void {
    this.#isOpen = false;
    this.#gone.resolve();
  }

  /** Fulfils once the text has left, with false when it could not. */
  async write(text: string): Promise<boolean> {
    if (!this.#isOpen) return false;
    if (text === "") return true;
    const written = new Promise<boolean>((resolve) => {
      this.#stream.write(text, (error) => resolve(error == null));
    });
    return await Promise.race([written, this.gone.then(() => false)]);
  }
}
