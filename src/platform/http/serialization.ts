// Compiles the serializer of a response when the first response of its kind is sent, which leaves a start half of its work.
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';

type Compile = ReturnType<ReturnType<typeof SerializerSelector>>;

const factory = SerializerSelector();

/** For Fastify's `buildSerializer`: called once per set of shared schemas, then per schema of a response. */
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
