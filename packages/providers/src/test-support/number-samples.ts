import fc from 'fast-check'

/** Numbers that a double changes, in value or in spelling only. */
const extremeNumbers = [
  '9007199254740993123',
  '9223372036854775807',
  '-9223372036854775808',
  '18446744073709551615',
  '9007199254740993',
  '1e400',
  '-1E+999',
  '5e-400',
  '0.1234567890123456789012345',
  '3.14159265358979323846264338327950288',
  '100000000000000000000000000000000000000000',
  '-0',
  '-0.0',
  '1.0',
  '2.50',
  '1e5',
  '1E-7',
  '0.000000100',
] as const

const digits = fc.stringMatching(/^[1-9][0-9]{0,40}$/)
const token = fc.oneof(
  fc.constantFrom(...extremeNumbers),
  fc.constantFrom('0', '1', '-7', '0.5', '1234567890123456'),
  digits,
  fc.tuple(digits, digits).map(([whole, fraction]) => `-${whole}.${fraction}`),
  fc.tuple(digits, fc.integer({ min: -500, max: 500 })).map(([whole, exponent]) => `${whole}e${exponent}`),
)
const text = fc
  .oneof(
    fc.string({ maxLength: 8 }),
    fc.constantFrom('1.0', '"', '\\', '{"a":1e400}x', '9007199254740993123'),
  )
  .map((each) => JSON.stringify(each))
const key = fc
  .constantFrom('a', 'b', 'id', 'rawJSON', 'text', 'x y', 'é"')
  .map((each) => JSON.stringify(each))

const { value } = fc.letrec<{ value: string; list: string; object: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    token,
    text,
    fc.constantFrom('true', 'null'),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(', ')}]`),
  object: fc
    .uniqueArray(fc.tuple(key, tie('value')), { maxLength: 4, selector: ([name]) => name })
    .map((members) => `{${members.map(([name, member]) => `${name}:${member}`).join(' ,')}}`),
}))

/** JSON text of a number that a double changes. */
export const anyExtreme = fc.constantFrom(...extremeNumbers)
/** JSON text of any value, with numbers of every kind in it. */
export const anyValueText = value

type Revive = (key: string, value: unknown, from: { readonly source?: string }) => unknown
/** TypeScript's library does not know the third argument. https://tc39.es/proposal-json-parse-with-source/ */
const parseWithSources = JSON.parse as (text: string, revive: Revive) => unknown

/** The value of a JSON text with each number as its text: what the gateway's own reader is measured by. */
export function withNumberTexts(json: string): unknown {
  return parseWithSources(json, (_, found, { source }) => {
    if (typeof found === 'number') return `number ${source}`
    return typeof found === 'string' ? `text ${found}` : found
  })
}

/** The values of a member wherever it is, also inside of texts that are JSON themselves. Numbers are their texts. */
export function membersNamed(name: string, json: string): readonly unknown[] {
  const found: unknown[] = []
  collect(name, withNumberTexts(json), found)
  return found
}

function collect(name: string, at: unknown, found: unknown[]): void {
  if (typeof at === 'string' && /^text \s*[{[]/.test(at)) found.push(...membersInText(name, at.slice(5)))
  if (typeof at !== 'object' || at === null) return
  for (const [member, inner] of Object.entries(at)) {
    if (member === name) found.push(inner)
    else collect(name, inner, found)
  }
}

function membersInText(name: string, json: string): readonly unknown[] {
  try {
    return membersNamed(name, json)
  } catch {
    return []
  }
}

/** A template as JSON, in which each text `"@name"` is the JSON text of that name, and `"$name"` a text that holds it. */
export function filled(template: unknown, slots: Readonly<Record<string, string>>): string {
  return Object.entries(slots).reduce(
    (json, [name, slot]) =>
      json.replaceAll(`"@${name}"`, () => slot).replaceAll(`"$${name}"`, () => JSON.stringify(slot)),
    JSON.stringify(template),
  )
}
