import type { VideoOrder } from './task.ts'

export const plainOrder: VideoOrder = { prompt: 'a cat', images: [], metadata: {} }
const imageOrder: VideoOrder = { ...plainOrder, images: ['https://i.example/1.png'] }

const sizes = [
  undefined,
  [1280, 720],
  [720, 1280],
  [1024, 1024],
  [1920, 1080],
  [3840, 2160],
  [1, 99999],
  [640, 480],
]

/** Orders of every sort, some of which nobody takes. */
export function* anyOrders(): Generator<VideoOrder> {
  const images = ['https://i.example/1.png', 'data:image/png;base64,AAAA']
  for (const seconds of [undefined, 1, 4, 5, 6, 8, 10, 12, 15, 0.5, 1e9])
    for (const sides of sizes) {
      const size = sides && { width: sides[0] ?? 1, height: sides[1] ?? 1 }
      const measured = { ...(seconds !== undefined && { seconds }), ...(size && { size }) }
      yield { ...plainOrder, ...measured }
      yield { ...imageOrder, ...measured }
    }
  for (const count of [1, 2, 3, 4, 7, 12]) {
    yield { ...plainOrder, images: Array.from({ length: count }, () => images[0] ?? '') }
    yield { ...plainOrder, images: Array.from({ length: count }, (_, place) => images[place % 2] ?? '') }
  }
  for (const more of [
    { mode: 'pro' },
    { mode: 'x' },
    { seed: 7 },
    { negativePrompt: 'dogs' },
    { prompt: '' },
  ])
    yield { ...plainOrder, ...more }
}

/** Metadata of the wrong types, under the names that decide the price somewhere. */
export function* anyMetadata(): Generator<VideoOrder> {
  const names = [
    'duration',
    'seconds',
    'size',
    'resolution',
    'frames',
    'mode',
    'parameters',
    'durationSeconds',
    'input',
  ]
  for (const name of names)
    for (const value of [null, '', 'x', -5, 0, 2.5, 1e9, {}, [], true])
      yield { ...plainOrder, metadata: { [name]: value } }
}

const hostile: readonly unknown[] = [
  null,
  [],
  {},
  '',
  'succeeded',
  7,
  -1,
  1e308,
  true,
  [null],
  [[]],
  { data: null },
  { code: 0 },
  { __proto__: null },
]

/** The value with each of its members, at every depth, in turn replaced by what is none, or gone. */
export function* mutations(value: unknown): Generator<unknown> {
  yield* hostile
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value)) {
    const { [key]: _gone, ...rest } = value as Record<string, unknown>
    if (!Array.isArray(value)) yield rest
    for (const other of mutations(member)) yield Array.isArray(value) ? [other] : { ...value, [key]: other }
  }
}
