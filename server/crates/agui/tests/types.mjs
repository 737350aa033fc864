// The types of AG-UI 1.0, found from the folder in JARVIS_END2END. Those of `@ag-ui/core` are generated from the JSON
// Schema of the protocol but let members pass that it does not declare; there every object is closed.
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(path.join(path.resolve(process.env.JARVIS_END2END), 'package.json'));
// The package that the client of 1.0 has, also for what the older client is sent.
const { EventSchema } = createRequire(require.resolve('@ag-ui/client'))('@ag-ui/core/schemas');

// Returns what an event has that the protocol does not allow.
export function problems(event) {
  const read = EventSchema.safeParse(event);
  return read.success ? [...undeclared(EventSchema, event, '')] : [read.error.message];
}

// The members of a value that its type does not declare. Open by the schema: `metadata`, the `content` of activities and
// the operations of JSON Patch.
function* undeclared(type, value, at) {
  const { def } = type._zod;
  if (def.type === 'object') {
    for (const [name, member] of Object.entries(value)) {
      const declared = def.shape[name];
      if (!declared) yield `${at}/${name} is not declared`;
      else if (name !== 'patch') yield* undeclared(declared, member, `${at}/${name}`);
    }
  } else if (def.type === 'array') {
    for (const [n, element] of value.entries()) yield* undeclared(def.element, element, `${at}/${n}`);
  } else if (def.type === 'union') {
    yield* undeclared(def.options.find((option) => option.safeParse(value).success), value, at);
  } else if (def.type === 'lazy') {
    yield* undeclared(def.getter(), value, at);
  } else if (def.innerType) {
    yield* undeclared(def.innerType, value, at);
  }
}
