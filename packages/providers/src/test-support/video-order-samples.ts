import type { JsonObject } from '@tollgate/formats'
import type { VideoOrder } from '../task.ts'

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

/** Orders of every sort, including some that no upstream accepts. */
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
    yield { ...plainOrder, images: Array.from({ length: count }, (_, index) => images[index % 2] ?? '') }
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

const charged = {
  seconds: 60,
  duration: 60,
  durationSeconds: 60,
  video_length: 60,
  num_frames: 999,
  frames: 9999,
  frames_per_second: 60,
  fps: 60,
  resolution: '8k',
  quality: 'high',
  width: 7680,
  upscale: true,
  n: 4,
  num_outputs: 4,
  numberOfVideos: 4,
  sampleCount: 4,
  sound: 'on',
  audio: true,
  enable_audio: true,
  generate_audio: true,
  generateAudio: true,
  voice_list: [{ voice_id: '1' }],
  mode: '4k',
  service_tier: 'priority',
  num_inference_steps: 500,
  tools: [{ type: 'web_search' }],
  is_rec: true,
  video_url: 'https://v.example/long.mp4',
}

/** Metadata by which some vendor charges, with values that no vendor has as a default, bare and inside other objects. */
export function* chargedMetadata(): Generator<[name: string, metadata: JsonObject]> {
  for (const [name, value] of Object.entries(charged)) {
    yield [name, { [name]: value }]
    for (const inside of ['parameters', 'input', 'extra_body', 'options'])
      yield [name, { [inside]: { [name]: value } }]
  }
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

/** The value with each member in turn, at every depth, replaced by an invalid one, or removed. */
export function* mutations(value: unknown): Generator<unknown> {
  yield* hostile
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value)) {
    const { [key]: _gone, ...rest } = value as Record<string, unknown>
    if (!Array.isArray(value)) yield rest
    for (const other of mutations(member)) yield Array.isArray(value) ? [other] : { ...value, [key]: other }
  }
}
