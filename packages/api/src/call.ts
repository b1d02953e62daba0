import type { z } from 'zod'

/**
 * Who may use a call. One word per call, and this table is the whole authorisation of the console:
 * - `public` needs nothing,
 * - `user`, `admin` and `root` need a session (or a system access token) of at least that role,
 * - `signature` needs a signature over the request, which the route's own verifier checks: nobody else is let in,
 *   whatever session they have (payment callbacks),
 * - `relay-key` needs an API key (`sk-…`) as a relayed call does, and no session.
 */
export type Access = 'public' | 'user' | 'admin' | 'root' | 'signature' | 'relay-key'

/** The HTTP methods of the console's calls. */
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** How long a log-in or a call of `proofs` counts as recent. */
export const recentProofSeconds = 600

/** Changes to how an account is opened. The gateway mails each to the owner. */
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
/** A change to how an account is opened, by the name that picks its mail. */
export type SecurityAlert = (typeof securityAlerts)[number]

/** Asks for a recent proof only in some uses of a call. */
export interface FieldProof {
  /** Only where this field of the body is not empty. */
  readonly forField?: string
  /** A field of the body that is a proof itself, which the handler verifies: where it is not empty, no other is asked for. */
  readonly provenBy?: string
}

interface CallBasics {
  readonly method: Method
  /** Path as the console calls it. Both spellings, with and without a trailing slash, are answered. */
  readonly path: `/${string}`
  readonly access: Access
  /** Only a browser session may use it; a system access token is refused. */
  readonly sessionOnly?: true
  /**
   * Tests a secret: failed tries are counted by a stricter limiter, per address. Successes are not, so that an office
   * behind one address can log in.
   */
  readonly critical?: true
  /** Of a critical call that is worth making without end (an account, a mail): what succeeds is counted too. */
  readonly countsSuccess?: true
  /** Changes something although it is a GET: other sites must not be able to have a browser make it. */
  readonly changes?: true
  /**
   * The session cookie alone says who calls: a page that a provider sent the browser to cannot add the user header. Other
   * sites are refused instead, as on a public call that changes something.
   */
  readonly cookieOnly?: true
  /**
   * Changes how an account is opened. The session must have proven within `recentProofSeconds` whose it is, so that a stolen
   * one cannot; an access token is refused, because it proves nothing. A public call asks it of callers who are logged in.
   */
  readonly recentProof?: true | FieldProof
  /** The mail to the owner after success, sent to the address from before the change. */
  readonly securityAlert?: SecurityAlert
  readonly params?: z.ZodType
  readonly query?: z.ZodType
}

/** A body of JSON, or of the fields of a form (urlencoded or multipart, texts only, each name once). */
interface FieldsBody {
  readonly accepts?: 'json' | 'form'
  readonly body?: z.ZodType
}

/** A body as the bytes that were sent, of whatever type. */
interface RawBody {
  readonly accepts: 'raw'
  readonly maxBodyBytes: number
  readonly body?: undefined
}

/** Answered in the envelope: `{ success, message, data }`. */
interface RespondsWithEnvelope {
  readonly response?: 'envelope'
  /** Shape of `data` in the envelope. */
  readonly data: z.ZodType
  /** Fields that stand beside `data` in the envelope (`time`, `balance`, …). */
  readonly extra?: z.ZodType
}

/**
 * Answered as wallets of this kind do: `message` is `success` or `error`, and `data` what was asked for or the sentence
 * of the refusal; `success` and `code` stand beside.
 */
interface RespondsWithWallet {
  readonly response: 'wallet'
  readonly data: z.ZodType
  readonly extra?: z.ZodType
}

/** Answered by sending the browser elsewhere (302). */
interface RespondsWithRedirect {
  readonly response: 'redirect'
  /** The console's page that a refusal leads to, as `<errorPage>?error=<code>`; without one it is answered as text. */
  readonly errorPage?: `/${string}`
  readonly data?: undefined
}

/** Answered with content of its own; refusals are plain text with the status of the error. */
interface RespondsWithContent {
  readonly response: 'text' | 'page' | 'bytes' | 'stream'
  readonly data?: undefined
  /** What a refusal says instead of its sentence, where the other side knows one word for it. */
  readonly refusalText?: string
}

/** One console call: what it is named on the wire, who may use it, and the shape of everything that crosses. */
export type Call = CallBasics &
  (FieldsBody | RawBody) &
  (RespondsWithEnvelope | RespondsWithWallet | RespondsWithRedirect | RespondsWithContent)
/** A call that responds with `{ success, message, data }`. */
export type EnvelopeCall = CallBasics & (FieldsBody | RawBody) & RespondsWithEnvelope
/** A call whose answer is JSON that says whether it succeeded. */
export type JsonCall = CallBasics & (FieldsBody | RawBody) & (RespondsWithEnvelope | RespondsWithWallet)

/** What a call responds with instead of the usual envelope. */
export type ResponseKind = NonNullable<Call['response']>

type Place = 'params' | 'query' | 'body'
type Shape<C extends Call, K extends Place> = C[K] extends z.ZodType ? C[K] : never
type RawOf<C extends Call> = C extends RawBody ? { readonly body: Uint8Array } : unknown

/** What a caller may send (before defaults are filled in). */
export type CallInput<C extends Call> = {
  readonly [K in Place as C[K] extends z.ZodType ? K : never]: z.input<Shape<C, K>>
} & RawOf<C>

/** What a handler receives (after parsing and defaults). */
export type CallArguments<C extends Call> = {
  readonly [K in Place as C[K] extends z.ZodType ? K : never]: z.output<Shape<C, K>>
} & RawOf<C>

/** The `data` of a successful response, as its schema parses it. */
export type CallData<C extends Call> = C extends { readonly data: z.ZodType } ? z.output<C['data']> : never
/** Members beside `data` in a successful response; `undefined` where the call has none. */
export type CallExtra<C extends Call> = C extends { readonly extra: z.ZodType }
  ? z.output<C['extra']>
  : undefined
