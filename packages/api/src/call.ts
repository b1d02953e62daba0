import type { z } from 'zod'

/**
 * Who may use a call. One word per call, and this table is the whole authorisation of the console:
 * `public` needs nothing, the others need a session (or a system access token) of at least that role.
 */
export type Access = 'public' | 'user' | 'admin' | 'root'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** One console call: what it is named on the wire, who may use it, and the shape of everything that crosses. */
export interface Call {
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
  /** Changes something although it is a GET: other sites must not be able to have a browser make it. */
  readonly changes?: true
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** Shape of `data` in the envelope. */
  readonly data: z.ZodType
  /** Fields that stand beside `data` in the envelope (`time`, `balance`, …). */
  readonly extra?: z.ZodType
}

/** Keeps the literal types of a call so that client and server are checked against it. */
export function defineCall<const C extends Call>(call: C): C {
  return call
}

type Shape<C extends Call, K extends 'params' | 'query' | 'body'> = C[K] extends z.ZodType ? C[K] : never

/** What a caller may send (before defaults are filled in). */
export type CallInput<C extends Call> = {
  readonly [K in 'params' | 'query' | 'body' as C[K] extends z.ZodType ? K : never]: z.input<Shape<C, K>>
}

/** What a handler receives (after parsing and defaults). */
export type CallArguments<C extends Call> = {
  readonly [K in 'params' | 'query' | 'body' as C[K] extends z.ZodType ? K : never]: z.output<Shape<C, K>>
}

export type CallData<C extends Call> = z.output<C['data']>
export type CallExtra<C extends Call> = C['extra'] extends z.ZodType ? z.output<C['extra']> : undefined
