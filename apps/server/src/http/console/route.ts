import type { Call, CallArguments, CallData, CallExtra, Language, Role } from '@tollgate/api'

/** Who is calling, as of now: role, status and group are live, never taken from a cookie. */
export interface Caller {
  readonly userId: number
  readonly username: string
  readonly role: Role
  readonly group: string
  readonly via: 'session' | 'access-token'
}

export interface CallContext<C extends Call> {
  /** `undefined` only on public calls. */
  readonly caller: C['access'] extends 'public' ? Caller | undefined : Caller
  readonly language: Language
  readonly clientAddress: string
  /** Value of the session cookie, when one was sent. */
  readonly sessionId: string | undefined
  /** Whether the browser reached us over https (directly or through a trusted proxy). */
  readonly secure: boolean
  /** Headers of the answer, for cookies. */
  readonly responseHeaders: Headers
}

/** What a handler gives back: the data, with `extra` beside it in the envelope when the call has it. */
export interface Answer<C extends Call> {
  readonly data: CallData<C>
  readonly extra?: CallExtra<C>
}

/** A call with the function that serves it. Parsing, access and the envelope happen around it, once. */
export interface ConsoleRoute {
  readonly call: Call
  readonly handle: (args: never, context: never) => Promise<Answer<Call>>
}

/** Binds a handler to its call; types of arguments and answer come from the contract. */
export function route<const C extends Call>(
  call: C,
  handle: (args: CallArguments<C>, context: CallContext<C>) => Promise<Answer<C>>,
): ConsoleRoute {
  return { call, handle: handle as ConsoleRoute['handle'] }
}
