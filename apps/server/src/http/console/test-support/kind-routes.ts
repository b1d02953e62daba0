import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Access, type Call, get, post, type ResponseKind } from '@tollgate/api'
import { z } from 'zod'
import { type ConsoleRoute, type HandlerResults, route, type SignedRequest } from '../route.ts'

const secret = 'a secret that only the sender and this test know'

/** Headers with which a sender proves that it sent this body. */
export function signed(body: string | Uint8Array): Record<string, string> {
  return { 'x-signature': signatureOf(Buffer.from(body)) }
}

function signatureOf(body: Uint8Array): string {
  return createHmac('sha256', secret).update(body).digest('hex')
}

export function verify({ headers, body }: SignedRequest): boolean {
  const provided = Buffer.from(headers.get('x-signature') ?? '')
  const right = Buffer.from(signatureOf(body))
  return provided.length === right.length && timingSafeEqual(provided, right)
}

const accesses = ['public', 'user', 'admin', 'root', 'signature', 'relay-key'] as const satisfies Access[]
const responseBodies = {
  envelope: 'done',
  wallet: 'done',
  redirect: { location: '/done' },
  text: { text: 'done' },
  page: { html: '<p>done</p>' },
  bytes: { bytes: Buffer.from('done'), contentType: 'application/octet-stream' },
  stream: { stream: words(), contentType: 'text/csv' },
} as const satisfies { readonly [Kind in ResponseKind]: HandlerResults<Call>[Kind] }

/** One call for each kind of answer and each word of the access table. */
export const kindRoutes: readonly ConsoleRoute[] = accesses.flatMap((access) =>
  (Object.keys(responseBodies) as ResponseKind[]).map((response) => {
    const recentProof = 'reads'
    const basics = {
      method: 'GET',
      path: `/api/kind/${access}/${response}`,
      access,
      part: 'any',
      recentProof,
    } as const
    const call: Call =
      response === 'envelope'
        ? { ...basics, data: z.string() }
        : ({ ...basics, response, data: response === 'wallet' ? z.string() : undefined } as Call)
    const bound = { call, handle: async () => freshResponse(response) }
    return access === 'signature' ? { ...bound, verify } : bound
  }),
)

export function kindCall(access: Access, response: ResponseKind): Call {
  const found = kindRoutes.find(({ call }) => call.path === `/api/kind/${access}/${response}`)
  if (found === undefined) throw new Error(`no call answers ${access} with ${response}`)
  return found.call
}

/** Serves a call with nothing behind it, answered as its kind is. */
export function standIn(call: Call): ConsoleRoute {
  const bound = { call, handle: async () => freshResponse(call.response ?? 'envelope') }
  return call.access === 'signature' ? { ...bound, verify } : bound
}

/** A stream can be sent once. */
function freshResponse(response: ResponseKind): HandlerResults<Call>[ResponseKind] {
  if (response !== 'stream') return responseBodies[response]
  return { ...responseBodies.stream, stream: words('done') }
}

async function* words(...all: readonly string[]): AsyncGenerator<string> {
  yield* all
}

/** Call as a payment provider makes it: fields of a form, signed, answered by a word. */
const notified = post('signature', '/api/sample/notify', {
  recentProof: 'signed',
  accepts: 'form',
  body: z.object({ order: z.string(), money: z.coerce.number().positive() }),
  response: 'text',
})
/** Call as a webhook makes it, signed over its bytes. */
const webhook = post('signature', '/api/sample/webhook', {
  recentProof: 'signed',
  accepts: 'raw',
  maxBodyBytes: 1000,
  response: 'text',
})
const form = post('public', '/api/sample/form', {
  recentProof: 'uses',
  accepts: 'form',
  body: z.record(z.string(), z.string()),
  data: z.unknown(),
})
const upload = post('public', '/api/sample/upload', {
  recentProof: 'uses',
  accepts: 'raw',
  maxBodyBytes: 10,
  response: 'bytes',
})
const sendTo = get('public', '/api/sample/redirect', {
  recentProof: 'reads',
  query: z.object({ to: z.string(), origins: z.string().optional() }),
  response: 'redirect',
  errorPage: '/login',
})
const ownKey = get('relay-key', '/api/sample/key', {
  recentProof: 'reads',
  data: z.object({ token: z.string(), owner: z.string(), group: z.string() }),
})

/** Calls as the product will have them, for each way that a call can be other than fields in and an envelope out. */
export const sampleKindRoutes: readonly ConsoleRoute[] = [
  route(notified, async ({ body }) => ({ text: body.money > 1 ? 'success' : 'fail' }), verify),
  route(webhook, async ({ body }) => ({ text: `${body.length} bytes` }), verify),
  route(form, ({ body }) => body),
  route(upload, async ({ body }) => ({ bytes: body, contentType: 'image/png', filename: 'a "ü".png' })),
  route(sendTo, async ({ query: { to, origins } }) =>
    origins === undefined
      ? { location: to as `/${string}` }
      : { location: to, allowedOrigins: origins.split(' ') },
  ),
  route(ownKey, (_, { caller }) => ({
    token: caller.tokenName,
    owner: caller.username,
    group: caller.group,
  })),
]
