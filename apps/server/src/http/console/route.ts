import type { Call, CallArguments, CallData, CallExtra, Language, ResponseKind, Role } from '@tollgate/api'
import type { HeaderFields } from '@tollgate/http/server'
import type { Actor } from '../../audit-log/audit-log.ts'

/** Who is calling, as of now: role, status and group are live, never taken from a cookie. */
export interface Caller {
  readonly userId: number
  readonly username: string
  readonly role: Role
  readonly group: string
  readonly via: 'session' | 'access-token'
  /** When the session last proved whose it is, in Unix seconds; 0 for an access token, which proves nothing. */
  readonly provenAt: number
}

/** Who is calling with a relay API key: the key and its owner, as a relayed call would find them. */
export interface KeyCaller {
  readonly tokenId: number
  readonly tokenName: string
  readonly userId: number
  readonly username: string
  readonly role: Role
  /** The group that the key's calls are routed and priced by. */
  readonly group: string
  readonly via: 'relay-key'
}

type CallerOf<C extends Call> = C['access'] extends 'public'
  ? Caller | undefined
  : C['access'] extends 'signature'
    ? undefined
    : C['access'] extends 'relay-key'
      ? KeyCaller
      : Caller

/** Who acts, for the audit log: as `Caller`, and from where. */
type ActorOf<C extends Call> = CallerOf<C> extends Caller ? Actor : undefined

export interface CallContext<C extends Call> {
  /** On public calls `undefined` without a session; on signed calls always, because a signature is nobody's. */
  readonly caller: CallerOf<C>
  /** The caller of a call that a role guards. */
  readonly actor: ActorOf<C>
  readonly language: Language
  readonly clientAddress: string
  /** For cookies, the host, and what the browser calls itself. */
  readonly requestHeaders: HeaderFields
  /** Value of the session cookie, when one was sent. */
  readonly sessionId: string | undefined
  /** Whether the browser reached us over https, as far as we know: see `ClientAddresses`. */
  readonly secure: boolean
  /** Whether a program on this machine sent the request itself. */
  readonly isLocal: boolean
  /** Headers of the answer, for cookies. */
  readonly responseHeaders: Headers
  /** Of a critical call: this success counts as well, because it made something that is worth making without end. */
  readonly countSuccess: () => void
}

/** The data, with `extra` beside it in the envelope when the call has it. */
interface EnvelopeResult<C extends Call> {
  readonly data: CallData<C>
  readonly extra?: CallExtra<C>
  /** Empty unless told: some calls say how they went by a word. */
  readonly message?: string
}

/** A path of this site, or an address at one of the origins that the handler means to send people to. */
export type RedirectResult =
  | { readonly location: `/${string}`; readonly allowedOrigins?: undefined }
  | { readonly location: string; readonly allowedOrigins: readonly string[] }

export interface TextResult {
  readonly text: string
  /** `text/plain` unless told. */
  readonly contentType?: 'text/plain' | 'text/csv' | 'text/markdown' | 'application/json'
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
  /** Under which name a browser saves it, instead of showing it. */
  readonly filename?: string
}

/** Read no faster than the caller takes it; ended (`return`, `cancel`) when the caller hangs up. */
export interface StreamResult {
  readonly stream: AsyncIterable<Uint8Array | string> | ReadableStream<Uint8Array>
  readonly contentType: string
  readonly filename?: string
}

export interface HandlerResults<C extends Call> {
  readonly envelope: EnvelopeResult<C>
  readonly wallet: EnvelopeResult<C>
  readonly redirect: RedirectResult
  readonly text: TextResult
  readonly page: PageResult
  readonly bytes: BytesResult
  readonly stream: StreamResult
}

type KindOf<C extends Call> = C['response'] extends ResponseKind ? C['response'] : 'envelope'

/** What a handler gives back, by the kind of its call. */
export type HandlerResult<C extends Call> = HandlerResults<C>[KindOf<C>]

/** What a signature is over: the request as it was sent. */
export interface SignedRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly headers: HeaderFields
  readonly body: Uint8Array
}

/** Whether the signature of a request is right. Compares in constant time; an empty secret is never right. */
export type Verifier = (request: SignedRequest) => boolean | Promise<boolean>

/** A call with the function that serves it. Parsing, access and the shape of the answer happen around it, once. */
export interface ConsoleRoute {
  readonly call: Call
  readonly handle: (args: never, context: never) => Promise<HandlerResults<Call>[ResponseKind]>
  /** Of calls that a signature opens. */
  readonly verify?: Verifier
}

/**
 * Binds a handler to its call; types of arguments and answer come from the contract. A call that a signature opens is
 * bound together with what verifies it.
 */
export function route<const C extends Call>(
  call: C,
  handle: (args: CallArguments<C>, context: CallContext<C>) => Promise<HandlerResult<C>>,
  ...verify: C['access'] extends 'signature' ? [verify: Verifier] : []
): ConsoleRoute {
  const bound = { call, handle: handle as ConsoleRoute['handle'] }
  return verify[0] === undefined ? bound : { ...bound, verify: verify[0] }
}

/** The answer of a call that has nothing to tell but that it was done. */
export async function done(work: Promise<void>): Promise<{ readonly data: undefined }> {
  await work
  return { data: undefined }
}
