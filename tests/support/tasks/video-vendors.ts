import { createHash, createHmac } from 'node:crypto'

/** A maker of videos as its documents describe it. */
export interface VideoVendor {
  readonly type: number
  readonly key: string
  readonly model: string
  /** Verifies a request's proof of its owner, as the vendor does. */
  isProven(request: Request, body: string): boolean
  /** Decides whether a request polls a task, or else orders one. */
  isQuestion(request: Request): boolean
  accepted(request: Request, body: VendorBody): unknown
  /** @param made address of a finished video */
  reported(request: Request, body: VendorBody, end: VendorEnd, made: string): unknown
}

export type VendorBody = Readonly<Record<string, unknown>>
export type VendorEnd = 'working' | 'made' | 'failed'

export const reasonOfVendor = 'the picture was too dark'

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const isBearer = (key: string) => (request: Request) =>
  request.headers.get('authorization') === `Bearer ${key}`
const isGet = ({ method }: Request) => method === 'GET'

const klingPair = { accessKey: 'kling-access-1', secretKey: 'kling-secret-1' }
const volcenginePair = { accessKey: 'volc-access-1', secretKey: 'volc-secret-1==' }

/** A JSON Web Token of this key that is good now. */
function isKlingToken({ headers }: Request): boolean {
  const [header = '', claims = '', signature] =
    headers
      .get('authorization')
      ?.replace(/^Bearer /, '')
      .split('.') ?? []
  const { iss, exp, nbf } = JSON.parse(Buffer.from(claims, 'base64url').toString() || '{}')
  const now = Date.now() / 1000
  const expected = hmac(klingPair.secretKey, `${header}.${claims}`).toString('base64url')
  return signature === expected && iss === klingPair.accessKey && nbf < now && now < exp
}

const signedFields = ['content-type', 'host', 'x-content-sha256', 'x-date']

/** Verifies the signature of the received bytes, for the host that they came to. */
function isVolcengineSignature({ headers, url }: Request, body: string): boolean {
  const date = headers.get('x-date') ?? ''
  const query = [...new URL(url).searchParams].map(([name, value]) => `${name}=${value}`).sort()
  const fields = signedFields.map((name) => `${name}:${headers.get(name)}`)
  const canonical = ['POST', '/', query.join('&'), ...fields, '', signedFields.join(';'), sha256(body)]
  const day = date.slice(0, 8)
  const scope = `${day}/cn-north-1/cv/request`
  const key = ['cn-north-1', 'cv', 'request'].reduce(hmac, hmac(volcenginePair.secretKey, day))
  const toSign = ['HMAC-SHA256', date, scope, sha256(canonical.join('\n'))].join('\n')
  const signature = hmac(key, toSign).toString('hex')
  return (
    headers.get('x-content-sha256') === sha256(body) &&
    headers.get('authorization') ===
      `HMAC-SHA256 Credential=${volcenginePair.accessKey}/${scope}, SignedHeaders=${signedFields.join(';')}, Signature=${signature}`
  )
}

const kling: VideoVendor = {
  type: 50,
  key: `${klingPair.accessKey}|${klingPair.secretKey}`,
  model: 'kling-v1',
  isProven: isKlingToken,
  isQuestion: isGet,
  accepted: () => klingReply({ task_id: 'kt1', task_status: 'submitted' }),
  reported({ url }, _body, end, made) {
    if (!url.endsWith('/v1/videos/image2video/kt1')) return { code: 1203, message: 'no such task' }
    const task_status = { working: 'processing', made: 'succeed', failed: 'failed' }[end]
    const task_result = { videos: end === 'made' ? [{ id: 'v1', url: made, duration: '5' }] : [] }
    const task_status_msg = end === 'failed' ? reasonOfVendor : ''
    return klingReply({ task_id: 'kt1', task_status, task_status_msg, task_result })
  },
}

function klingReply(data: VendorBody): VendorBody {
  return { code: 0, message: 'SUCCEED', request_id: 'k1', data }
}

/** Another gateway in front of Kling, with responses of its own shape. */
const gateway: VideoVendor = {
  type: 50,
  key: 'sk-gateway-1',
  model: 'kling-v1-6',
  isProven: isBearer('sk-gateway-1'),
  isQuestion: isGet,
  accepted: ({ url }) =>
    url.endsWith('/kling/v1/videos/image2video')
      ? { task_id: 'g1', status: 'queued' }
      : { error: { message: 'where?' } },
  reported(_request, _body, end, made) {
    const data = {
      task_id: 'g1',
      status: { working: 'processing', made: 'succeeded', failed: 'failed' }[end],
    }
    const error = end === 'failed' ? { message: reasonOfVendor } : null
    return { code: 'success', data: { ...data, url: end === 'made' ? made : '', error } }
  },
}

const jimeng: VideoVendor = {
  type: 51,
  key: `${volcenginePair.accessKey}|${volcenginePair.secretKey}`,
  model: 'jimeng_v30',
  isProven: isVolcengineSignature,
  isQuestion: ({ url }) => url.includes('Action=CVSync2AsyncGetResult'),
  accepted: () => ({ code: 10000, message: 'Success', data: { task_id: 'jt1' } }),
  reported(_request, { req_key, task_id }, end, made) {
    if (req_key !== 'jimeng_i2v_first_v30' || task_id !== 'jt1')
      return { code: 50215, message: 'Input invalid' }
    // The response's status reports a violation of a rule.
    if (end === 'failed')
      return Response.json({ code: 50511, message: reasonOfVendor, data: null }, { status: 400 })
    const data = end === 'made' ? { status: 'done', video_url: made } : { status: 'generating' }
    return { code: 10000, message: 'Success', data }
  },
}

const vidu: VideoVendor = {
  type: 52,
  key: 'vda_1',
  model: 'viduq2',
  isProven: ({ headers }) => headers.get('authorization') === 'Token vda_1',
  isQuestion: isGet,
  accepted: () => ({ task_id: 'vt1', state: 'created' }),
  reported(_request, _body, end, made) {
    const state = { working: 'processing', made: 'success', failed: 'failed' }[end]
    const creations = end === 'made' ? [{ id: 'c1', url: made }] : []
    return { state, err_code: end === 'failed' ? reasonOfVendor : '', creations }
  },
}

const sora: VideoVendor = {
  type: 55,
  key: 'sk-sora-1',
  model: 'sora-2',
  isProven: isBearer('sk-sora-1'),
  isQuestion: isGet,
  accepted: () => ({ id: 'video_1', object: 'video', status: 'queued', progress: 0 }),
  reported(_request, _body, end) {
    const status = { working: 'in_progress', made: 'completed', failed: 'failed' }[end]
    return {
      id: 'video_1',
      object: 'video',
      status,
      error: end === 'failed' ? { message: reasonOfVendor } : null,
    }
  },
}

const replicate: VideoVendor = {
  type: 56,
  key: 'r8_1',
  model: 'google/veo-3',
  isProven: (request) => isBearer('r8_1')(request) && !request.headers.has('prefer'),
  isQuestion: isGet,
  accepted: () => ({ id: 'p1', status: 'starting', output: null }),
  reported(_request, _body, end, made) {
    const status = { working: 'processing', made: 'succeeded', failed: 'failed' }[end]
    return {
      id: 'p1',
      status,
      output: end === 'made' ? [made] : null,
      error: end === 'failed' ? reasonOfVendor : null,
    }
  },
}

export const videoVendors = { kling, gateway, jimeng, vidu, sora, replicate } as const

export interface VendorServer {
  readonly url: string
  readonly orders: readonly VendorBody[]
  becomes(end: VendorEnd): void
  stop(): Promise<void>
}

/** @param film what a finished video is */
export function startVideoVendor(vendor: VideoVendor, film: Uint8Array<ArrayBuffer>): VendorServer {
  const orders: VendorBody[] = []
  let end: VendorEnd = 'working'
  const reply = (request: Request, text: string, origin: string): unknown => {
    const { pathname } = new URL(request.url)
    // Its address is for everybody: who shows a key there gives it away.
    if (pathname === '/cdn/v.mp4')
      return new Response(film, { status: request.headers.has('authorization') ? 400 : 200 })
    if (!vendor.isProven(request, text)) return Response.json({ message: 'who are you?' }, { status: 401 })
    if (pathname.endsWith('/content')) return new Response(film)
    const body = JSON.parse(text || '{}')
    if (vendor.isQuestion(request)) return vendor.reported(request, body, end, `${origin}/cdn/v.mp4`)
    orders.push(body)
    return vendor.accepted(request, body)
  }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request): Promise<Response> {
      const handled = reply(request, await request.text(), new URL(request.url).origin)
      return handled instanceof Response ? handled : Response.json(handled)
    },
  })
  return {
    url: server.url.origin,
    orders,
    becomes(next) {
      end = next
    },
    stop: () => server.stop(true),
  }
}
