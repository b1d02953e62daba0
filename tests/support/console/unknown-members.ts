import type { JsonSchema } from '../../../packages/api/src/openapi/index.ts'
import type { ConsoleCall, ConsoleContract } from './console-calls.ts'
import { type Hint, propertiesOf, sampleOf, shapeOf, typeOf } from './sample-values.ts'

/** A body with one member that its call does not know. */
export interface BodyWithUnknown {
  /** Path in the warning: `zz`, `options[].zz`. */
  readonly at: string
  readonly body: unknown
}

/** Bodies of a call with an unknown member at each place that has members by name: at the top, in others, in lists. */
export function bodiesWithUnknown(
  { resolve }: ConsoleContract,
  { body }: ConsoleCall,
  member: { readonly name: string; readonly value: unknown },
  hint: Hint,
): readonly BodyWithUnknown[] {
  const variants = (schema: JsonSchema, at: string): readonly BodyWithUnknown[] => {
    const shape = shapeOf(resolve, schema)
    if (typeOf(shape) === 'array') {
      const items = (shape['items'] ?? {}) as JsonSchema
      return variants(items, `${at}[]`).map((each) => ({ ...each, body: [each.body] }))
    }
    const fields = Object.entries(propertiesOf(shape))
    if (fields.length === 0) return []
    const sample = sampleOf(resolve, shape, hint) as object
    const below = at === '' ? '' : `${at}.`
    return [
      { at: below + member.name, body: { ...sample, [member.name]: member.value } },
      ...fields.flatMap(([name, inner]) =>
        variants(inner, below + name).map((each) => ({ ...each, body: { ...sample, [name]: each.body } })),
      ),
    ]
  }
  return body?.type === 'json' ? variants(body.schema, '') : []
}
