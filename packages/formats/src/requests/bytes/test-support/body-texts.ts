import fc from 'fast-check'

/** Bodies of requests as bytes: whole, cut, too deep, with repeated keys, escapes, numbers and text of every kind, and nearly JSON. */
const space = fc.constantFrom('', '', '', ' ', '\n  ', '\t', ' \r\n ')
const unit = fc.constantFrom(
  ...['a', 'Z', ' ', 'é', '漢', '😀', '\u2028', '\u007f', '\ufeff'],
  ...['\\"', '\\\\', '\\/', '\\b', '\\n', '\\u0041', '\\u00e9', '\\u6f22', '\\u0000', '\\uD83D\\uDE00'],
  ...['\\ud83d', '\\uDE00', '\\ud83d\\u0041', '\\uDE00\\ud83d'],
)
const wrongUnit = fc.constantFrom('\n', '\u0000', '\u001f', '\\x', '\\u12g4', '\\u123', '"', '\\')
const plainRun = fc
  .integer({ min: 0, max: 90 })
  .map((length) => 'The quick brown fox. '.repeat(5).slice(0, length))
const inner = fc.array(fc.oneof({ weight: 4, arbitrary: unit }, { weight: 3, arbitrary: plainRun }), {
  maxLength: 6,
})
const quoted = fc.oneof(
  { weight: 60, arbitrary: inner.map((units) => `"${units.join('')}"`) },
  {
    weight: 1,
    arbitrary: fc.tuple(inner, wrongUnit, inner).map(([a, b, c]) => `"${a.join('')}${b}${c.join('')}"`),
  },
)
const number = fc.constantFrom(
  ...[
    '0',
    '-1',
    '12',
    '1.5',
    '-0.25',
    '123456789012345',
    '2e3',
    '1E+2',
    '9007199254740993',
    '1.0',
    '1e400',
    '-0',
  ],
  ...['0.0000001', '12345678901234567890', '0.70', '100'],
)
const wrongToken = fc.constantFrom(
  '01',
  '1.',
  '.5',
  '+1',
  '1e',
  'tru',
  'nul',
  'undefined',
  'NaN',
  "'a'",
  '-',
  '',
)
const scalar = fc.oneof(
  { weight: 8, arbitrary: quoted },
  { weight: 4, arbitrary: number },
  { weight: 4, arbitrary: fc.constantFrom('true', 'false', 'null') },
  {
    weight: 1,
    arbitrary: fc.oneof({ weight: 9, arbitrary: fc.constant('7') }, { weight: 1, arbitrary: wrongToken }),
  },
)
const key = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('"model"', '"stream"', '"max_tokens"', '"tools"', '"a"', '"b"', '""'),
  },
  { weight: 2, arbitrary: fc.constantFrom('"mod\\u0065l"', '"__proto__"', '"1"', '"Model"', '"messages"') },
  { weight: 1, arbitrary: quoted },
)

const joined = (open: string, close: string, items: readonly string[], gap: string) =>
  `${open}${gap}${items.join(`${gap},${gap}`)}${gap}${close}`

const value = fc.letrec<{ value: string; list: string; object: string }>((tie) => ({
  value: fc.oneof({ maxDepth: 5, depthIdentifier: 'v' }, scalar, tie('list'), tie('object')),
  list: fc
    .tuple(fc.array(tie('value'), { maxLength: 4 }), space)
    .map(([items, gap]) => joined('[', ']', items, gap)),
  object: fc
    .tuple(fc.array(fc.tuple(key, space, tie('value')), { maxLength: 4 }), space)
    .map(([members, gap]) =>
      joined(
        '{',
        '}',
        members.map(([name, s, item]) => `${name}${s}:${s}${item}`),
        gap,
      ),
    ),
})).value

const role = fc.constantFrom(
  '"user"',
  '"assistant"',
  '"system"',
  '"tool"',
  '"us\\u0065r"',
  '""',
  '3',
  '"a role that is no word"',
)
const message = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(role, quoted).map(([who, text]) => `{"role":${who},"content":${text}}`) },
  {
    weight: 2,
    arbitrary: fc.tuple(role, quoted).map(([who, text]) => `{ "content": ${text}, "role": ${who} }`),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(role, fc.oneof(quoted, value), fc.constantFrom('name', 'role', 'content', 'x'), value)
      .map(([who, text, name, more]) => `{"role":${who},"content":${text},"${name}":${more}}`),
  },
  { weight: 1, arbitrary: value },
)
const messages = fc.array(message, { maxLength: 9 }).map((items) => `[${items.join(',')}]`)

const object = fc
  .tuple(
    fc.uniqueArray(fc.tuple(key, value), { maxLength: 5, selector: ([name]) => name }),
    messages,
    space,
    space,
  )
  .map(([members, list, gap, end]) => {
    const all = members.filter(([name]) => name !== '"messages"').map(([name, item]) => `${name}:${item}`)
    return `${end}{${[...all, `"messages":${list}`].join(`${gap},${gap}`)}}${end}`
  })

const deep = fc.integer({ min: 1, max: 40 }).map((depth) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`)

/** A piece is cut out, or doubled. */
const damaged = fc
  .tuple(object, fc.nat(), fc.nat({ max: 12 }), fc.boolean())
  .map(([text, at, length, isDoubled]) => {
    const from = at % (text.length + 1)
    return text.slice(0, from) + text.slice(isDoubled ? from - length : from + length)
  })

export const bodyTexts: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: object },
  { weight: 2, arbitrary: value },
  { weight: 2, arbitrary: damaged },
  { weight: 1, arbitrary: deep },
)
