// Compiles response serializers on first use, which halves the work at the start of a process, and equal ones once.
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';

import { keptByText } from './kept-by-text.ts';

type Compile = ReturnType<ReturnType<typeof SerializerSelector>>;
type Common = Parameters<typeof factory>;

const factory = SerializerSelector();

const compilerOf = keptByText((common: Common) => {
  const compile = factory(...common);
  return keptByText((route: Pick<Parameters<Compile>[0], 'schema'>) => compile(route as Parameters<Compile>[0]));
});

/** For Fastify's `buildSerializer`: called once per set of shared schemas, then once per response schema. */
export function buildSerializer(...common: Common): Compile {
  let compile: ReturnType<typeof compilerOf> | undefined;
  return ({ schema }) => {
    let serialize: ReturnType<Compile> | undefined;
    return (response) => {
      serialize ??= (compile ??= compilerOf(common))({ schema });
      return serialize(response);
    };
  };
}
