import {
  accounts,
  type Call,
  type Language,
  type LocalizedTexts,
  options,
  type ResponseKind,
  setup,
} from '@tollgate/api'
import { StreamedResponse } from '@tollgate/http/server'
import { z } from 'zod'
import { Refusal } from '../../lib/refusal.ts'
import { consoleError, plainError, walletError } from '../error-response.ts'
import { plainPagePolicy } from '../security-headers.ts'
import { acceptsGzip } from '../static.ts'
import type { RequestContext } from './request-context.ts'
import type { HandlerResults, RedirectResult, StreamResult } from './route.ts'

type AnyResults = HandlerResults<Call>

/** Target of a result, and the function to call when a stream breaks off. */
interface Writing {
  readonly call: Call
  readonly context: RequestContext
  /** Message of the envelope. */
  readonly message: string
  readonly onBroken: (error: unknown) => void
}

type Written = Response | Promise<Response>
type Writers = { readonly [Kind in ResponseKind]: (result: AnyResults[Kind], writing: Writing) => Written }

const writers: Writers = {
  envelope: (result, writing) => writeFields(result, writing, { success: true, message: writing.message }),
  // Clients of the wallet take an answer with `success` for an envelope, and drop what stands beside its data.
  wallet: (result, writing) => writeFields(result, writing, { message: 'success' }),
  redirect: (result, { context }) => redirectTo(redirectLocation(result), context),
  text({ text, contentType = 'text/plain', gzipped }, { context }) {
    return textOf(200, text, contentType, context, gzipped)
  },
  page({ html }, { context }) {
    context.responseHeaders.set('content-security-policy', plainPagePolicy)
    return textOf(200, html, 'text/html', context)
  },
  bytes({ bytes, contentType, filename }, { context }) {
    return new Response(bytes, { headers: contentHeaders(contentType, filename, context) })
  },
  async stream(result, { context, onBroken }) {
    const stream = await begun(result.stream)
    const headers = contentHeaders(result.contentType, result.filename, context)
    return new StreamedResponse(streamBody({ ...result, stream }, onBroken), { headers })
  },
}

/** The response to a call that succeeded, by its kind. Throws for a result that may not be sent. */
export function resultResponse(result: unknown, writing: Writing): Written {
  // `route` binds a handler to exactly this call, so its result is of the call's kind.
  const write = writers[writing.call.response ?? 'envelope'] as (result: unknown, writing: Writing) => Written
  return write(result, writing)
}

function writeFields(result: unknown, { call, context }: Writing, outcome: object): Response {
  const { data, extra } =
    'extra' in call && call.extra !== undefined
      ? (result as { readonly data: unknown; readonly extra: object })
      : { data: call.data instanceof z.ZodUndefined ? undefined : result }
  const body = { ...extra, ...outcome, data }
  return jsonResponse(context.request, 200, body, context.responseHeaders)
}

/**
 * The response to a call that failed: the envelope, or the wallet's form of it; the page that the call names, with the code
 * for it to explain; or a plain text with a status that programs can act upon.
 */
export function errorResponse(call: Call, error: unknown, context: RequestContext): Response {
  if (error instanceof Refusal && error.retryAfterSeconds !== undefined)
    context.responseHeaders.set('retry-after', String(error.retryAfterSeconds))
  const kind = call.response ?? 'envelope'
  if (kind === 'envelope' || kind === 'wallet') {
    const { status, body } = (kind === 'wallet' ? walletError : consoleError)(error, context.language)
    return jsonResponse(context.request, status, body, context.responseHeaders)
  }
  const { status, code, message } = plainError(error, context.language)
  if (call.response === 'redirect' && call.errorPage !== undefined)
    return redirectTo(`${call.errorPage}?error=${code}`, context)
  const text = 'refusalText' in call ? call.refusalText : undefined
  return textOf(status, text ?? message, 'text/plain', context)
}

function redirectTo(location: string, { responseHeaders }: RequestContext): Response {
  responseHeaders.set('location', location)
  return new Response(null, { status: 302, headers: responseHeaders })
}

function textOf(
  status: number,
  text: string,
  contentType: string,
  context: RequestContext,
  gzipped?: Uint8Array<ArrayBuffer>,
): Response {
  context.responseHeaders.set('content-type', `${contentType}; charset=utf-8`)
  return textResponse(context.request, status, text, context.responseHeaders, gzipped)
}

function contentHeaders(
  contentType: string,
  filename: string | undefined,
  { responseHeaders }: RequestContext,
): Headers {
  responseHeaders.set('content-type', contentType)
  if (filename !== undefined) responseHeaders.set('content-disposition', attachment(filename))
  return responseHeaders
}

/** RFC 6266: a name of plain characters for old programs, and the name itself (RFC 8187) for the others. */
function attachment(filename: string): string {
  const plain = filename.replace(/[^\w.-]/g, '_')
  const exact = encodeURIComponent(filename).replace(/['()*]/g, percentEncoded)
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}

/** The stream with its first piece made: what is refused before it still gets a response of its own. */
async function begun(stream: StreamResult['stream']): Promise<StreamResult['stream']> {
  if (stream instanceof ReadableStream) return stream
  const iterator = stream[Symbol.asyncIterator]()
  let first: IteratorResult<Uint8Array | string> | undefined = await iterator.next()
  const next = async () => {
    const piece = first ?? (await iterator.next())
    first = undefined
    return piece
  }
  const end = async () => (await iterator.return?.()) ?? { done: true, value: undefined }
  return { [Symbol.asyncIterator]: () => ({ next, return: end }) }
}

/**
 * Streams a response: pulls its source one piece at a time, and ends the source when the reader stops.
 * @param onBroken called when the source fails in the middle
 */
export function streamBody(
  { stream }: StreamResult,
  onBroken: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  // A reader can be cancelled while it waits for the next piece, an iterator only between two.
  const source = stream instanceof ReadableStream ? readerOf(stream) : iteratorOf(stream)
  let isCancelled = false
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const piece = await source.next()
          // Its reader went while it was made.
          if (isCancelled) return
          if (piece === undefined) controller.close()
          else controller.enqueue(piece)
        } catch (error) {
          onBroken(error)
          controller.error(error)
        }
      },
      cancel() {
        isCancelled = true
        return source.end()
      },
    },
    { highWaterMark: 0 },
  )
}

interface Source {
  /** `undefined` at the end. */
  next(): Promise<Uint8Array | undefined>
  end(): Promise<void>
}

function readerOf(stream: ReadableStream<Uint8Array>): Source {
  const reader = stream.getReader()
  return { next: async () => (await reader.read()).value, end: () => reader.cancel() }
}

const encoder = new TextEncoder()

function iteratorOf(iterable: AsyncIterable<Uint8Array | string>): Source {
  const iterator = iterable[Symbol.asyncIterator]()
  return {
    async next() {
      const { done, value } = await iterator.next()
      if (done === true) return undefined
      return typeof value === 'string' ? encoder.encode(value) : value
    },
    async end() {
      await iterator.return?.()
    },
  }
}

/** A placeholder origin for this site, which may be reached by any name. */
const here = 'http://this-site.invalid'

/**
 * Value of `Location`. Throws for an address that leads to another site than those the handler named: what a caller put
 * into a path must not send people elsewhere (`//evil.example`, `/\evil.example`).
 */
export function redirectLocation({ location, allowedOrigins }: RedirectResult): string {
  if (allowedOrigins === undefined) {
    const url = location.startsWith('/') ? URL.parse(location, here) : null
    if (url?.origin === here) return url.pathname + url.search + url.hash
  } else {
    const url = URL.parse(location)
    const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === ''
    if (isPlain && allowedOrigins.includes(url.origin)) return url.href
  }
  throw new Error('a redirect would leave this site for an address that its handler does not allow')
}

/** Below this size a compressed response is no smaller on the wire. */
const worthCompressing = 1024
const fastest = 1

export function jsonResponse(request: Request, status: number, body: unknown, headers: Headers): Response {
  headers.set('content-type', 'application/json; charset=utf-8')
  return textResponse(request, status, JSON.stringify(body), headers)
}

/**
 * A text whose type the headers say, compressed when that pays and the caller takes it.
 * @param gzipped the same, where it was compressed beforehand
 */
function textResponse(
  request: Request,
  status: number,
  text: string,
  headers: Headers,
  gzipped?: Uint8Array<ArrayBuffer>,
): Response {
  if (text.length < worthCompressing) return new Response(text, { status, headers })
  headers.append('vary', 'Accept-Encoding')
  if (!acceptsGzip(request.headers)) return new Response(text, { status, headers })
  headers.set('content-encoding', 'gzip')
  return new Response(gzipped ?? Bun.gzipSync(Buffer.from(text), { level: fastest }), { status, headers })
}

/** Messages of the envelope, for the few calls whose success has one. */
const messages = new Map<Call, LocalizedTexts[string]>([
  [setup.run, { en: 'The system is set up', zh: '系统初始化成功' }],
  [accounts.transferInvitationQuota, { en: 'Transferred to your balance', zh: '划转成功' }],
  [accounts.saveNotificationSetting, { en: 'Settings updated', zh: '设置已更新' }],
  [options.testMail, { en: 'The mail server took the mail', zh: '邮件服务器已接收邮件' }],
  [options.resetModelRatio, { en: 'Model ratios are back to the built-in ones', zh: '重置模型倍率成功' }],
])

/** The message of a successful call; empty for most. */
export function successMessage(call: Call, language: Language): string {
  return messages.get(call)?.[language] ?? ''
}
