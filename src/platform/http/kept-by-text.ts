// Keeps what is made from a schema, so that equal schemas of all applications of a process are compiled once.

/** Calls `make` once per text of the schema. Schemas belong to the program, so their number is bounded. */
export function keptByText<Schema extends object, Made>(make: (schema: Schema) => Made): (schema: Schema) => Made {
  const kept = new Map<string, { readonly made: Made }>();
  return (schema) => {
    const text = JSON.stringify(schema);
    let known = kept.get(text);
    if (known === undefined) kept.set(text, (known = { made: make(schema) }));
    return known.made;
  };
}
