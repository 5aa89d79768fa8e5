type Defined<Fields> = {
  [Key in keyof Fields]?: Exclude<Fields[Key], undefined>;
};

/** Without the keys whose value is undefined, so that spreading it hides nothing. */
export function defined<Fields extends object>(fields: Fields): Defined<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Defined<Fields>;
}
