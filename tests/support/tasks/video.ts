export interface VideoCall {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  /** Parsed; `undefined` without a body. */
  readonly body: unknown
}

/** Fake video providers: Veo at Gemini and at Vertex AI, and MiniMax. They report the tasks that the test sets. */
export interface VideoUpstream {
  /** Root for a channel's base URL. */
  readonly url: string
  /** Oldest first. */
  readonly calls: readonly VideoCall[]
  readonly orders: readonly VideoCall[]
  /** Sets the end of the tasks from now on. */
  becomes(end: VideoEnd): void
  /** Bytes of a video that Vertex AI gives in base64; a short film when 0. */
  bulk: number
  /** Instead of taking the next order. */
  refuse(status: number, body: unknown): void
  stop(): Promise<void>
}

export type VideoEnd = 'working' | 'made' | 'failed'

export const videoKey = 'video-key-1'
/** Content of a finished video. */
export const videoBytes = Buffer.from('\0\0\0\x18ftypmp42 a video', 'latin1')

const orderPath = /:predictLongRunning$|^\/v1\/video_generation$/
const well = { status_code: 0, status_msg: 'success' }

/** @param accepts whether another bearer token is a credential, too */
export async function startVideoUpstream(accepts: (token: string) => boolean): Promise<VideoUpstream> {
  const calls: VideoCall[] = []
  const refusals: Response[] = []
  let end: VideoEnd = 'working'
  let lastId = 0
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request): Promise<Response> {
      const { pathname: path } = new URL(request.url)
      const text = await request.text()
      const { method, headers } = request
      calls.push({ method, path, headers, body: text === '' ? undefined : JSON.parse(text) })
      if (path === '/cdn/m.mp4') return video(headers.has('authorization') ? 400 : 200)
      if (!isKnown(headers, accepts)) return Response.json({ error: { message: 'no key' } }, { status: 401 })
      if (path.startsWith('/v1beta/files/')) return video(200)
      if (orderPath.test(path)) {
        lastId += 1
        return refusals.shift() ?? Response.json(accepted(path, `t${lastId}`))
      }
      return replyTo(path)
    },
  })
  function replyTo(path: string): Response {
    const isBulk = upstream.bulk > 0 && end === 'made' && path.includes(':fetchPredictOperation')
    if (isBulk) return new Response(bulkOperation(upstream.bulk))
    return Response.json(reported(path, end, server.url.origin))
  }

  const upstream: VideoUpstream = {
    bulk: 0,
    url: server.url.origin,
    calls,
    get orders() {
      return calls.filter(({ path }) => orderPath.test(path))
    },
    becomes(next) {
      end = next
    },
    refuse: (status, body) => refusals.push(Response.json(body, { status })),
    stop: () => server.stop(true),
  }
  return upstream
}

/** A video in bulk repeats this a whole number of times. */
export const bulkPiece = Buffer.from(Array.from({ length: 48 * 1024 }, (_, index) => (index * 31) % 251))

/** A finished operation with a video of so many bytes in it, sent as it is read. */
function* bulkParts(bytes: number): Generator<string> {
  const piece = bulkPiece.toString('base64')
  yield '{"name":"op","done":true,"response":{"videos":[{"bytesBase64Encoded":"'
  for (let sent = 0; sent < bytes; sent += bulkPiece.length) yield piece
  yield '","mimeType":"video/mp4"}]}}'
}

function bulkOperation(bytes: number): ReadableStream<Uint8Array> {
  const parts = bulkParts(bytes)
  return new ReadableStream({
    pull(controller) {
      const { value } = parts.next()
      if (value === undefined) controller.close()
      else controller.enqueue(Buffer.from(value))
    },
  })
}

function isKnown(headers: Headers, accepts: (token: string) => boolean): boolean {
  const token = headers.get('authorization')?.replace('Bearer ', '') ?? ''
  return headers.get('x-goog-api-key') === videoKey || token === videoKey || accepts(token)
}

function video(status: number): Response {
  return new Response(videoBytes, { status, headers: { 'content-type': 'video/mp4' } })
}

function accepted(path: string, id: string) {
  if (path === '/v1/video_generation') return { task_id: id, base_resp: well }
  const position = path.replace(/^\/v1(beta)?\//, '').replace(':predictLongRunning', '')
  return { name: `${position}/operations/${id}` }
}

function reported(path: string, end: VideoEnd, origin: string): unknown {
  if (path === '/v1/files/retrieve') return { file: { download_url: `${origin}/cdn/m.mp4` }, base_resp: well }
  if (path === '/v1/query/video_generation') return minimaxTask[end]
  if (end === 'working') return { name: 'op' }
  if (end === 'failed')
    return { name: 'op', done: true, error: { code: 3, message: 'The prompt was refused.' } }
  const uri = 'https://generativelanguage.googleapis.com/v1beta/files/f1:download?alt=media'
  const response = path.includes(':fetchPredictOperation')
    ? { videos: [{ bytesBase64Encoded: videoBytes.toString('base64'), mimeType: 'video/mp4' }] }
    : { generateVideoResponse: { generatedSamples: [{ video: { uri } }] } }
  return { name: 'op', done: true, response }
}

const minimaxTask = {
  working: { status: 'Processing', base_resp: well },
  made: { status: 'Success', file_id: 'f1', base_resp: well },
  failed: { status: 'Fail', base_resp: { status_code: 1027, status_msg: 'output is sensitive' } },
} as const
