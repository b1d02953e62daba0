import { manyMessages, model, oneMessage } from '../samples.ts'

/** Calls of one form in the mix of a soak. */
interface SoakCall {
  readonly path: string
  readonly body: string
  /** How many of the mix are of this form. */
  readonly share: number
  /** Set for those whose times count. */
  readonly isSmall?: true
  /** Set where the caller leaves after the first events. */
  readonly isAborted?: true
}

const chat = '/v1/chat/completions'

/** A call whose response the upstream makes so long, or streams. */
const openEnded = (rest: object) =>
  JSON.stringify({ model, messages: [{ role: 'user', content: 'Tell me a story, please.' }], ...rest })

const forms: readonly SoakCall[] = [
  { path: chat, body: oneMessage(700), share: 8, isSmall: true },
  { path: chat, body: oneMessage(20_000), share: 2 },
  { path: chat, body: oneMessage(200_000), share: 2 },
  { path: chat, body: manyMessages(200_000, 870), share: 1 },
  { path: chat, body: oneMessage(2_000_000), share: 1 },
  { path: '/v1/messages', body: manyMessages(200_000, 869), share: 1 },
  { path: chat, body: openEnded({ user: '100kB' }), share: 2 },
  { path: chat, body: openEnded({ user: '1MB' }), share: 1 },
  { path: chat, body: openEnded({ stream: true }), share: 4 },
  { path: chat, body: openEnded({ stream: true }), share: 2, isAborted: true },
]

/** Calls in the order in which a soak makes them, again and again: all sizes of bodies, streams, and streams that callers abort. */
export const mix: readonly SoakCall[] = forms
  .flatMap((form) =>
    Array.from({ length: form.share }, (_, index) => ({ form, at: (index + 0.5) / form.share })),
  )
  .toSorted((a, b) => a.at - b.at)
  .map(({ form }) => form)

/** End of one call for its caller. */
export interface Ended {
  readonly ms: number
  readonly isSmall: boolean
  readonly failed: boolean
}

const limitMs = 120_000

/** Makes a call and reads its response to the end, or to where the caller leaves. */
export async function makeCall(url: string, key: string, call: SoakCall): Promise<Ended> {
  const start = performance.now()
  const failed = await respondedWell(url, key, call).then(
    (well) => !well,
    () => true,
  )
  return { ms: performance.now() - start, isSmall: call.isSmall === true, failed }
}

async function respondedWell(
  url: string,
  key: string,
  { path, body, isAborted }: SoakCall,
): Promise<boolean> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body,
    signal: AbortSignal.timeout(limitMs),
  })
  const text = isAborted === true ? await readSome(response) : await response.text()
  return response.status === 200 && !text.includes('"error"')
}

/** Reads two pieces of a stream and leaves. */
async function readSome(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  const pieces = [await reader?.read(), await reader?.read()]
  await reader?.cancel()
  return pieces.map((piece) => new TextDecoder().decode(piece?.value)).join('')
}
