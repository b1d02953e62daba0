/** Kinds of a JSON value. */
export type Kind = 'text' | 'number' | 'flag' | 'list' | 'object'

/** A value for the field with this path: `messages[0].content`. */
export type Trial = readonly [path: string, value: unknown]

const samples: Readonly<Record<Kind, readonly unknown[]>> = {
  text: ['', 'x'],
  number: [7.5, 1e300],
  flag: [true],
  list: [[7], [null]],
  object: [{ a: { b: [] } }],
}
const kinds = Object.keys(samples) as Kind[]

const odd: Readonly<Record<Kind, readonly unknown[]>> = {
  list: [[], [7], [{}], [[]], [{ type: 'x' }]],
  object: [{}, { type: 'x' }, { type: 7 }],
  text: ['é'.repeat(100_000)],
  number: [-1, 1e15, 1e300],
  flag: [false],
}

export type FieldKinds = Readonly<Record<string, readonly Kind[]>>

/** Values of other types than a field may have. */
export function wrongTrials(fields: FieldKinds): readonly Trial[] {
  return Object.entries(fields).flatMap(([path, right]) =>
    kinds
      .filter((kind) => !right.includes(kind))
      .flatMap((kind) => samples[kind].map((value) => [path, value] as const)),
  )
}

/** Nothing, and odd and huge values of the right type. */
export function edgeTrials(fields: FieldKinds): readonly Trial[] {
  return Object.entries(fields).flatMap(([path, right]) =>
    [null, ...right.flatMap((kind) => odd[kind])].map((value) => [path, value] as const),
  )
}

/** The body with another value at the path; what is not there yet on the way to it is made. */
export function withField(body: unknown, path: string, value: unknown): object {
  const [key = '', ...rest] = path.split(/[.[]/)
  const name = key.replace(']', '')
  const inner = path.slice(key.length).replace(/^[.[]/, '')
  const set = (old: unknown) => (rest.length === 0 ? value : withField(old ?? {}, inner, value))
  if (!Array.isArray(body)) return { ...Object(body), [name]: set(Object(body)[name]) }
  return body.map((item, index) => (String(index) === name ? set(item) : item))
}
