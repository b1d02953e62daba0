import type { z } from 'zod'
import type { AdminPart, CallPart } from './admin-parts.ts'
import type { RecentProof } from './recent-proof.ts'

/**
 * Rights that a call requires. One word per call, and this table is the complete authorisation of the console:
 * - `public` needs nothing,
 * - `user`, `admin` and `root` need a session (or a system access token) of at least that role; an administrator also needs the `part` of
 * the call,
 * - `signature` needs a signature over the request, which the route's own verifier checks; a session does not help
 * (payment callbacks),
 * - `relay-key` needs an API key (`sk-…`) as a relayed call does, and no session.
 */
export type Access = 'public' | 'user' | 'admin' | 'root' | 'signature' | 'relay-key'

/** The HTTP methods that calls use. */
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Changes to the ways into an account. The gateway mails each to the owner. */
export const securityAlerts = [
  'email',
  'password',
  'second-factor-on',
  'second-factor-off',
  'recovery-codes',
  'passkey-added',
  'passkey-removed',
  'identity-bound',
  'binding-removed',
  'access-token',
] as const
/** A change of credentials that the owner of the account hears of by mail. */
export type SecurityAlert = (typeof securityAlerts)[number]

interface CallBasics {
  readonly method: Method
  /** Path as the console calls it. The server serves both spellings, with and without a trailing slash. */
  readonly path: `/${string}`
  readonly access: Access
  /** Part that an administrator needs for a call with access `admin`. The guard refuses all but root where it is absent. */
  readonly part?: CallPart
  /** The part that some uses need besides, by what the handler finds: `requirePart` of its actor. */
  readonly partForEffect?: {
    readonly part: AdminPart
    readonly effect: 'moves-a-balance' | 'changes-a-channel'
  }
  /** Only a browser session may use it; a system access token is refused. */
  readonly sessionOnly?: true
  /**
   * Tests a secret: a stricter limiter counts failed attempts, per address. It does not count successes, so that an
   * office behind one address can log in.
   */
  readonly critical?: true
  /** Counts successes too: for a critical call that is worth repeating without end (an account, a mail). */
  readonly countsSuccess?: true
  /**
   * The session cookie alone identifies the caller: a page that a provider sent the browser to cannot add the user
   * header. Other sites are refused instead, as on a public call that changes something.
   */
  readonly cookieOnly?: true
  /**
   * Permits the query of a call with a relay key to hold it as `key`, as key checkers send it. The gateway writes queries nowhere.
   */
  readonly keyInQuery?: true
  /**
   * Demand for a proof of identity within `recentProofSeconds` by the session's owner, or the reason for none: no call can be added
   * without it. It guards whatever carries an account, an administrator's rights or the installation's secrets, so that a stolen
   * session leads to none of them. An access token proves nothing and is refused. A public call demands it of callers who are logged
   * in. `reads` also marks a call that does not act (`acts`).
   */
  readonly recentProof: RecentProof
  /** The mail to the owner after success, sent to the address from before the change. */
  readonly securityAlert?: SecurityAlert
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  /**
   * Parameter by which programs request the form of a list that counts from 1, where its pages count from 0 and are plain arrays.
   */
  readonly zeroBased?: ZeroBasedList
}

/**
 * A list that the console pages from 0. Newer programs know such lists as pages from 1 in `{ items, total, page, page_size }`; the
 * two forms share names of the query.
 */
export interface ZeroBasedList {
  /** The console's name for the size of a page; the newer form has `page_size`. */
  readonly size: 'size' | 'page_size'
  /** Fields of the query that the console always sends and the newer form does without. */
  readonly marks: readonly string[]
}

/** The member in which programs send a body of fields, with `mode` beside it, and the body's own word for each of their modes. */
export interface WrappedBody {
  readonly member: string
  readonly modes: Readonly<Record<string, string>>
}

/** A body of JSON, or of the fields of a form (urlencoded or multipart, texts only, each name once). */
interface FieldsBody {
  readonly accepts?: 'json' | 'form'
  readonly body?: z.ZodType
  readonly wrapped?: WrappedBody
}

/** A body as the bytes that were sent, of whatever type. */
interface RawBody {
  readonly accepts: 'raw'
  readonly maxBodyBytes: number
  readonly body?: undefined
}

/** The response is the envelope: `{ success, message, data }`. */
interface RespondsWithEnvelope {
  readonly response?: 'envelope'
  /** Shape of `data` in the envelope. */
  readonly data: z.ZodType
  /** Fields that stand beside `data` in the envelope (`time`, `balance`, …). */
  readonly extra?: z.ZodType
}

/**
 * The response has the form of such wallets: `message` is `success` or `error`, and `data` the result or the sentence
 * of the refusal; `code` stands beside. There is no `success`.
 */
interface RespondsWithWallet {
  readonly response: 'wallet'
  readonly data: z.ZodType
  readonly extra?: z.ZodType
}

/** The response sends the browser elsewhere (302). */
interface RespondsWithRedirect {
  readonly response: 'redirect'
  /** The console's page for a refusal, as `<errorPage>?error=<code>`; without one the refusal is plain text. */
  readonly errorPage?: `/${string}`
  readonly data?: undefined
}

/** The response has content of its own; refusals are plain text with the status of the error. */
interface RespondsWithContent {
  readonly response: 'text' | 'page' | 'bytes' | 'stream'
  readonly data?: undefined
  /** The text of a refusal in place of its sentence, where the other side knows one word for it. */
  readonly refusalText?: string
}

/** One console call: its name on the wire, who may use it, and the shape of everything that it sends and receives. */
export type Call = CallBasics &
  (FieldsBody | RawBody) &
  (RespondsWithEnvelope | RespondsWithWallet | RespondsWithRedirect | RespondsWithContent)
/** A call whose response is the envelope `{ success, message, data }`. */
export type EnvelopeCall = CallBasics & (FieldsBody | RawBody) & RespondsWithEnvelope
/** A call whose response is JSON that says whether it succeeded. */
export type JsonCall = CallBasics & (FieldsBody | RawBody) & (RespondsWithEnvelope | RespondsWithWallet)

/** Form of a call's response; an envelope by default. */
export type ResponseKind = NonNullable<Call['response']>

type ArgumentPart = 'params' | 'query' | 'body'
type Shape<C extends Call, K extends ArgumentPart> = C[K] extends z.ZodType ? C[K] : never
type RawOf<C extends Call> = C extends RawBody ? { readonly body: Uint8Array } : unknown

/** Arguments that a caller may send (before defaults are filled in). */
export type CallInput<C extends Call> = {
  readonly [K in ArgumentPart as C[K] extends z.ZodType ? K : never]: z.input<Shape<C, K>>
} & RawOf<C>

/** Arguments that a handler receives (after parsing and defaults). */
export type CallArguments<C extends Call> = {
  readonly [K in ArgumentPart as C[K] extends z.ZodType ? K : never]: z.output<Shape<C, K>>
} & RawOf<C>

/** `data` of a call’s response. */
export type CallData<C extends Call> = C extends { readonly data: z.ZodType } ? z.output<C['data']> : never
/** Members beside `data` in a call’s response. */
export type CallExtra<C extends Call> = C extends { readonly extra: z.ZodType }
  ? z.output<C['extra']>
  : undefined
