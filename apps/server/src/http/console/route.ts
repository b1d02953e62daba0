import type {
  Call,
  CallArguments,
  CallData,
  CallExtra,
  Language,
  ResponseKind,
  RowOutcome,
} from '@tollgate/api'
import type { HeaderFields } from '@tollgate/http/server'
import type { Pieces } from '../../lib/async/pieces.ts'
import type { Refusal } from '../../lib/refusal.ts'
import type { AuditEvent, ProvableActor } from '../../records/audit-log/audit-log.ts'
import type { Caller, KeyCaller } from '../callers/caller.ts'
import type { Ignored } from './ignored/ignored-reports.ts'

type CallerOf<C extends Call> = C['access'] extends 'public'
  ? Caller | undefined
  : C['access'] extends 'signature'
    ? undefined
    : C['access'] extends 'relay-key'
      ? KeyCaller
      : Caller

/** The caller as the audit log records it: with its address, and with what a use case asks for before it opens an account. */
type ActorOf<C extends Call> = CallerOf<C> extends Caller ? ProvableActor : undefined

/** Facts of the request for a handler, beside its arguments. */
export interface CallContext<C extends Call> {
  /** `undefined` on public calls without a session, and on all signed calls: a signature identifies no user. */
  readonly caller: CallerOf<C>
  /** The caller of a call that a role guards. */
  readonly actor: ActorOf<C>
  readonly language: Language
  readonly clientAddress: string
  /** Header fields for cookies, the host, and the browser's name. */
  readonly requestHeaders: HeaderFields
  /** Value of the session cookie, when one was sent. */
  readonly sessionId: string | undefined
  /** Set when the browser reached us over https, as far as we know: see `ClientAddresses`. */
  readonly secure: boolean
  /** Set when a program on this machine sent the request itself. */
  readonly isLocal: boolean
  /** Headers of the response, for cookies. */
  readonly responseHeaders: Headers
  /** Makes the browser known as one in which the user has logged in. */
  readonly rememberBrowser: (userId: number) => void
  /** Counts the success of a critical call as well, because its result is worth making without end. */
  readonly countSuccess: () => void
  /** Names in `X-Tollgate-Warning` what the call was sent and does not act on. */
  readonly warn: Ignored
  /** Sets the message of the envelope, which is empty otherwise. */
  readonly say: (message: string) => void
}

/** Data of a shape that a handler may return: it is written and not stored, so nothing of it has to be copied. */
type Sendable<T> = T extends readonly (infer Item)[]
  ? readonly Sendable<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Sendable<T[Key]> }
    : T

/**
 * The data alone; both where the call declares `extra` beside it. What a handler of a call without data gives back is not
 * sent.
 */
type EnvelopeResult<C extends Call> = [CallExtra<C>] extends [undefined]
  ? [CallData<C>] extends [undefined]
    ? unknown
    : Sendable<CallData<C>>
  : { readonly data: Sendable<CallData<C>>; readonly extra: Sendable<CallExtra<C>> }

/** A path of this site, or an address at one of the origins that the handler allows. */
export type RedirectResult =
  | { readonly location: `/${string}`; readonly allowedOrigins?: undefined }
  | { readonly location: string; readonly allowedOrigins: readonly string[] }

export interface TextResult {
  readonly text: string
  /** `text/plain` by default. */
  readonly contentType?:
    | 'text/plain'
    | 'text/csv'
    | 'text/markdown'
    | 'application/json'
    | 'application/atom+xml'
  /** The text compressed beforehand, when it is the same for every call. */
  readonly gzipped?: Uint8Array<ArrayBuffer>
}

/** A page by itself: it runs no scripts and loads nothing. */
export interface PageResult {
  readonly html: string
}

export interface BytesResult {
  readonly bytes: Uint8Array
  readonly contentType: string
  /** The name under which a browser saves the bytes instead of showing them. */
  readonly filename?: string
}

/** Read no faster than the caller takes it; ended (`return`, `cancel`) when the caller hangs up. */
export interface StreamResult {
  readonly stream: Pieces | ReadableStream<Uint8Array>
  readonly contentType: string
  readonly filename?: string
}

/** A file that an administrator takes along: the audit log has this before the first byte leaves. */
export interface Exported {
  readonly exported: AuditEvent
}

/** Rows of everybody are not sent as a file without their record; a file of one's own rows has none. */
type RecordOf<C extends Call> = C['access'] extends 'admin' | 'root' ? Exported : unknown

/** Results of handlers, by the kind of response. */
export interface HandlerResults<C extends Call> {
  readonly envelope: EnvelopeResult<C>
  readonly wallet: EnvelopeResult<C>
  readonly redirect: RedirectResult
  readonly text: TextResult & RecordOf<C>
  readonly page: PageResult
  readonly bytes: BytesResult & RecordOf<C>
  readonly stream: StreamResult & RecordOf<C>
}

type KindOf<C extends Call> = C['response'] extends ResponseKind ? C['response'] : 'envelope'

/** Result of a handler, by the kind of its call. */
export type HandlerResult<C extends Call> = HandlerResults<C>[KindOf<C>]

/** Part of a request that a signature covers: the request as it was sent. */
export interface SignedRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly headers: HeaderFields
  readonly body: Uint8Array
}

/** Verifies the signature of a request. Compares in constant time; an empty secret never verifies. */
export type Verifier = (request: SignedRequest) => boolean | Promise<boolean>

/** A call with the function that serves it. Parsing, access and the shape of the response happen around it, once. */
export interface ConsoleRoute {
  readonly call: Call
  readonly handle: (args: never, context: never) => unknown
  /** Verifier of a call that a signature opens. */
  readonly verify?: Verifier
}

/**
 * Binds a handler to its call; the contract types its arguments and its result. A call that a signature opens comes with
 * its verifier.
 */
export function route<const C extends Call>(
  call: C,
  handle: (args: CallArguments<C>, context: CallContext<C>) => HandlerResult<C> | Promise<HandlerResult<C>>,
  ...verify: C['access'] extends 'signature' ? [verify: Verifier] : []
): ConsoleRoute {
  const bound = { call, handle: handle as ConsoleRoute['handle'] }
  return verify[0] === undefined ? bound : { ...bound, verify: verify[0] }
}

interface RowResult {
  readonly id: number
  /** The refusal. */
  readonly refusal?: Refusal | undefined
}

/** The response of a bulk call: the number of changed rows, and the outcome of each. */
export function bulkResult(results: readonly RowResult[], language: Language) {
  const outcomes = results.map(({ id, refusal }): RowOutcome => {
    if (refusal === undefined) return { id, success: true, message: '' }
    return { id, success: false, message: refusal.publicMessage(language), code: refusal.code }
  })
  return { data: outcomes.filter(({ success }) => success).length, extra: { outcomes } }
}

interface PageQuery {
  readonly p: number
  readonly page_size: number
}

/** A page of a list as it is sent. */
export function pageResult<Row, Item>(
  { p, page_size }: PageQuery,
  { rows, total }: { readonly rows: readonly Row[]; readonly total: number },
  toWire: (row: Row) => Item,
) {
  return { items: rows.map(toWire), total, page: p, page_size }
}

/** Returns the window of a page's rows, in a list that begins with page 1. However far away it is, the numbers stay whole. */
export function pageWindow({ p, page_size }: PageQuery) {
  return { offset: Math.min((p - 1) * page_size, Number.MAX_SAFE_INTEGER), limit: page_size }
}
