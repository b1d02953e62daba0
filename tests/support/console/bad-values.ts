import type { JsonSchema } from '../../../packages/api/src/openapi/index.ts'
import type { ConsoleCall, ConsoleContract } from './console-calls.ts'
import { propertiesOf, sampleOf, shapeOf, typeOf } from './sample-values.ts'

/** A body that no call may take. */
export interface BadBody {
  readonly what: string
  readonly text: string
  /** Field that the refusal has to name. */
  readonly field: string
}

/** Texts that are never wrong by their type, but may be where they are used. */
export const awkwardTexts = [
  `%_%'";--\\`,
  '%',
  '_',
  `'`,
  '"',
  '\\',
  '../../etc/passwd',
  '\u0000',
  '{{a}}',
] as const
export const awkwardNumbers = ['-1', '-9007199254740991', '9007199254740991', '0'] as const

/** Bodies that a call's schema refuses, one mistake in each. */
export function badBodies(contract: ConsoleContract, { body }: ConsoleCall): BadBody[] {
  if (body?.type !== 'json') return []
  const { resolve } = contract
  const shape = shapeOf(resolve, body.schema)
  const good = sampleOf(resolve, body.schema) as Record<string, unknown>
  const required = (shape['required'] ?? []) as readonly string[]
  const fields = Object.entries(propertiesOf(shape))
  return [
    { what: 'cut short', text: '{"a":', field: 'body' },
    { what: 'a text', text: 'hello', field: 'body' },
    { what: 'a list', text: '[]', field: 'body' },
    { what: 'too deep', text: `{"a":${'['.repeat(100)}${']'.repeat(100)}}`, field: 'body' },
    { what: 'not a number', text: `{"a":NaN}`, field: 'body' },
    ...required.map((name) => ({ what: `no ${name}`, text: without(good, name), field: name })),
    ...fields.flatMap(([name, schema]) =>
      wrongTexts(contract, schema).map((wrong) => ({
        what: `${name} is ${wrong.slice(0, 20)}`,
        text: withText(good, name, wrong),
        field: name,
      })),
    ),
  ]
}

function without(body: Readonly<Record<string, unknown>>, name: string): string {
  const { [name]: _, ...rest } = body
  return JSON.stringify(rest)
}

/** The body with one field as this text of JSON, which need not be one that a value can be written as. */
export function withText(body: Readonly<Record<string, unknown>>, name: string, text: string): string {
  const { [name]: _, ...rest } = body
  const others = JSON.stringify(rest).slice(1, -1)
  return `{${[others, `${JSON.stringify(name)}:${text}`].filter((part) => part !== '').join()}}`
}

/** Texts of JSON that a field may not be. */
function wrongTexts({ resolve }: ConsoleContract, schema: JsonSchema): string[] {
  const resolved = resolve(schema)
  const types = typesOf(resolve, resolved)
  if (types.size === 0) return []
  const candidates: readonly (readonly [type: string, text: string])[] = [
    ['string', '"x"'],
    ['number', '1e309'],
    ['boolean', 'true'],
    ['object', '{"unexpected":1}'],
    ['array', '[[]]'],
  ]
  const wrong = candidates.filter(([type]) => !types.has(type)).map(([, text]) => text)
  return types.has('number') || types.has('integer') ? [...wrong, '1e309'] : wrong
}

/** Every type that a field accepts; empty where it accepts any. */
function typesOf(resolve: ConsoleContract['resolve'], shape: JsonSchema): Set<string> {
  const choices = (shape['anyOf'] ?? shape['oneOf']) as readonly JsonSchema[] | undefined
  if (choices !== undefined) {
    const each = choices.map((choice) => typesOf(resolve, resolve(choice)))
    return each.some(({ size }) => size === 0) ? new Set() : new Set(each.flatMap((types) => [...types]))
  }
  if (shape['const'] !== undefined || shape['enum'] !== undefined) return new Set(['const'])
  const { type } = shape
  const types = Array.isArray(type) ? type : type === undefined ? [] : [type]
  return new Set(types.flatMap((each) => (each === 'integer' ? ['integer', 'number'] : [String(each)])))
}

/** Bodies that are of the right types and odd all the same. */
export function awkwardBodies(
  contract: ConsoleContract,
  { body }: ConsoleCall,
  good: Record<string, unknown>,
): string[] {
  if (body?.type !== 'json') return []
  const { resolve } = contract
  return Object.entries(propertiesOf(shapeOf(resolve, body.schema))).flatMap(([name, schema]) => {
    const type = typeOf(shapeOf(resolve, schema))
    if (type === 'string') return awkwardTexts.map((text) => withText(good, name, JSON.stringify(text)))
    const isNumber = type === 'integer' || type === 'number'
    return isNumber ? awkwardNumbers.map((text) => withText(good, name, text)) : []
  })
}
