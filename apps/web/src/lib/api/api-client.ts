import type {
  JsonCall as Call,
  CallData,
  CallExtra,
  CallInput,
  ConfirmationRequest,
  Consent,
  Call as ContentCall,
  EditConflict,
  Envelope,
} from '@tollgate/api'
import { compareClocks } from '../server-clock.ts'
import { currentUser, isActingAs } from '../session/session.ts'
import { connectionFound, connectionLost } from './connection.ts'
import { joinUnderway } from './underway.ts'

interface RefusalDetails {
  readonly conflicts?: readonly EditConflict[]
  readonly confirmation?: ConfirmationRequest | undefined
}

/** A call that did not succeed. `message` is fit to be shown as it stands, in the console's language. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** The server's stable name of the refusal, or one of the client's own: see `ClientErrorCode`. */
  readonly code: string
  /** HTTP status; 200 for business refusals, 0 without a response. */
  readonly status: number
  /** Changes of somebody else since the refused edit was begun. */
  readonly conflicts: readonly EditConflict[]
  /** Request for a confirmation before the change is saved. */
  readonly confirmation: ConfirmationRequest | undefined

  constructor(message: string, code: string, status: number, details: RefusalDetails = {}) {
    super(message)
    this.code = code
    this.status = status
    this.conflicts = details.conflicts ?? []
    this.confirmation = details.confirmation
  }
}

/** Failures that the client names itself, because their response is unreadable. */
export type ClientErrorCode =
  | 'offline'
  | 'unauthorized'
  | 'forbidden'
  | 'demo_only'
  | 'too_many_requests'
  | 'server_error'
  | 'unexpected_answer'

/** Functions of the application that the client needs. */
export interface ApiClientContext {
  language(): string
  /** The sentence for a failure the client names itself. */
  text(code: ClientErrorCode, details: { readonly status: number; readonly message: string }): string
  /** Ends the session; called before the error is thrown. */
  onUnauthorized(): void
  /** Asks the person to prove once more who they are; whether they did. */
  prove(): Promise<boolean>
  /** Asks the person about the consequences of a change; `undefined` where they would rather not. */
  consent(message: string, request: ConfirmationRequest): Promise<Consent | undefined>
}

let context: ApiClientContext = {
  language: () => 'en',
  text: (code) => code,
  onUnauthorized: () => {},
  prove: async () => false,
  consent: async () => undefined,
}

/** Called once at start, so that this file knows neither router nor translations. */
export function connectApiClient(next: ApiClientContext): void {
  context = next
}

/** `query` may be left out when every one of its fields may. */
export type RequestInput<C extends Call> = Relaxed<CallInput<C>> & { readonly signal?: AbortSignal }
type Relaxed<Input> = Omit<Input, 'query'> &
  (Input extends { readonly query: infer Query }
    ? object extends Query
      ? { readonly query?: Query }
      : { readonly query: Query }
    : unknown)
type InputArguments<C extends Call> =
  object extends RequestInput<C> ? [input?: RequestInput<C>] : [input: RequestInput<C>]

/** Makes a console call and returns its `data`; throws `ApiError` for everything else. */
export async function request<const C extends Call>(
  call: C,
  ...input: InputArguments<C>
): Promise<CallData<C>> {
  const envelope = await sendUnlessUnderway(call, input[0] ?? {})
  return envelope.data as CallData<C>
}

/** Sends a call as `request` does, for calls that report their outcome by a word. */
export async function requestWithMessage<const C extends Call>(
  call: C,
  ...input: InputArguments<C>
): Promise<{ readonly data: CallData<C>; readonly message: string }> {
  const { data, message } = await sendUnlessUnderway(call, input[0] ?? {})
  return { data: data as CallData<C>, message }
}

/** Sends a call as `request` does, for calls with fields beside `data` (`time` of a channel test, …). */
export async function requestWithExtra<const C extends Call>(
  call: C,
  ...input: InputArguments<C>
): Promise<{ readonly data: CallData<C>; readonly extra: CallExtra<C> }> {
  const {
    success: _success,
    message: _message,
    code: _code,
    data,
    ...extra
  } = await sendUnlessUnderway(call, input[0] ?? {})
  return { data: data as CallData<C>, extra: extra as CallExtra<C> }
}

/** The statuses a proxy returns for a server that is down. The server itself responds with an envelope. */
const proxyAlone: ReadonlySet<number> = new Set([502, 503, 504])

/** Makes a call that is answered with content of its own, such as a file; throws `ApiError` for refusals. */
export async function requestContent<const C extends ContentCall>(
  call: C,
  input: Pick<CallInput<C>, keyof CallInput<C> & ('params' | 'query')> & { readonly signal?: AbortSignal },
): Promise<Response> {
  const requestedBy = currentUser()?.id
  const response = await fetchCall(call, input)
  if (response.ok) return response
  throw failureOf(response, await readRefusal(response), requestedBy)
}

/** Refusals of such calls are plain text. */
async function readRefusal(response: Response): Promise<Envelope | undefined> {
  const message = await response.text().catch(() => '')
  return message === '' ? undefined : { success: false, message, data: undefined }
}

interface LooseInput {
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
  readonly signal?: AbortSignal
}

/** Sends a call, but a change that is on its way not a second time. One with a signal is its caller's own. */
function sendUnlessUnderway(call: Call, input: LooseInput): ReturnType<typeof send> {
  // Queries of the page, which may be cancelled.
  if (input.signal !== undefined) return send(call, input)
  const name = JSON.stringify([call.method, addressOf(call, input), input.body, currentUser()?.id])
  return joinUnderway(name, call.method, () => send(call, input))
}

/** Repeats a change that was refused until its consequences are confirmed, with what the person answered. */
async function send(call: Call, input: LooseInput): Promise<Envelope & Record<string, unknown>> {
  try {
    return await sendProven(call, input)
  } catch (error) {
    const request = error instanceof ApiError ? error.confirmation : undefined
    if (!(error instanceof ApiError) || request === undefined) throw error
    const consent = await context.consent(error.message, request)
    if (consent === undefined) throw error
    return await send(call, withConsent(input, consent))
  }
}

/** Adds consent to a call; a change without a body takes it in its query. */
function withConsent(input: LooseInput, consent: Consent): LooseInput {
  const position = input.body === undefined ? 'query' : 'body'
  const { moves, ...confirmed } = consent
  const answers = position === 'body' ? { ...confirmed, moves } : confirmed
  return { ...input, [position]: { ...(input[position] ?? {}), ...answers } }
}

/** Repeats a call that was refused for want of a recent proof once that was given. */
async function sendProven(call: Call, input: LooseInput): Promise<Envelope & Record<string, unknown>> {
  try {
    return await sendOnce(call, input)
  } catch (error) {
    const needsProof = error instanceof ApiError && error.code === 'recent_proof_required'
    if (!needsProof || !(await context.prove())) throw error
    return await sendOnce(call, input)
  }
}

async function sendOnce(call: Call, input: LooseInput): Promise<Envelope & Record<string, unknown>> {
  const requestedBy = currentUser()?.id
  const response = await fetchCall(call, input)
  const envelope = await readEnvelope(call, response)
  if (!envelope && proxyAlone.has(response.status)) {
    connectionLost()
    throw clientError('offline', response.status, response.statusText)
  }
  connectionFound()
  if (!response.ok) throw failureOf(response, envelope, requestedBy)
  if (!envelope) throw clientError('unexpected_answer', response.status, '')
  if (!envelope.success) {
    const confirmation = confirmationIn(envelope)
    throw new ApiError(envelope.message, envelope.code ?? '', response.status, { confirmation })
  }
  return envelope
}

async function fetchCall(call: Pick<Call, 'method' | 'path'>, input: LooseInput): Promise<Response> {
  const response = await fetch(addressOf(call, input), {
    method: call.method,
    credentials: 'same-origin',
    cache: 'no-store',
    headers: requestHeaders(input.body !== undefined),
    ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
    ...(input.signal && { signal: input.signal }),
  }).catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
    connectionLost()
    throw clientError('offline', 0, cause instanceof Error ? cause.message : '')
  })
  compareClocks(response)
  return response
}

/** Headers of every call: also used by the playground's streamed call, which is not an envelope call. */
export function requestHeaders(withBody: boolean): Record<string, string> {
  return {
    Accept: 'application/json',
    'Accept-Language': context.language(),
    'Cache-Control': 'no-store',
    'New-Api-User': String(currentUser()?.id ?? -1),
    ...(withBody && { 'Content-Type': 'application/json' }),
  }
}

/** Path with `:name` slots filled and the query behind it; absent and empty values are left out. */
export function addressOf(call: Pick<Call, 'path'>, input: Pick<LooseInput, 'params' | 'query'>): string {
  const params = (input.params ?? {}) as Readonly<Record<string, unknown>>
  const path = call.path.replace(/:(\w+)/g, (_slot, name: string) =>
    encodeURIComponent(String(params[name] ?? '')),
  )
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries((input.query ?? {}) as Readonly<Record<string, unknown>>)) {
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value))
  }
  const text = query.toString()
  return text === '' ? path : `${path}?${text}`
}

async function readEnvelope(
  call: Call,
  response: Response,
): Promise<(Envelope & Record<string, unknown>) | undefined> {
  try {
    const value: unknown = await response.json()
    if (typeof value !== 'object' || value === null) return undefined
    const fields = call.response === 'wallet' ? plainFields(value) : value
    return 'success' in fields ? (fields as Envelope & Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** Wallet calls say `success` or `error` as their message, and why not in `data`. */
function plainFields(value: { readonly message?: unknown; readonly data?: unknown }): object {
  if (value.message === 'success') return { ...value, success: true }
  return value.message === 'error' ? { ...value, success: false, message: value.data } : value
}

/** Failures by status have texts of their own (spec accounts §8); any other keeps the server's sentence. */
function failureOf(
  response: Response,
  envelope: Envelope | undefined,
  requestedBy: number | undefined,
): ApiError {
  const message = envelope?.message ?? response.statusText
  switch (response.status) {
    case 401:
      // A call of a user whom another tab has replaced since is refused too: the session is not over then.
      if (isActingAs(requestedBy)) context.onUnauthorized()
      return clientError('unauthorized', 401, message)
    case 405:
      return clientError('demo_only', 405, message)
    case 429:
      return clientError('too_many_requests', 429, message)
    case 500:
      return clientError('server_error', 500, message)
    case 403:
      if (!envelope?.message) return clientError('forbidden', 403, message)
  }
  if (envelope?.message)
    return new ApiError(envelope.message, envelope.code ?? '', response.status, {
      conflicts: conflictsIn(envelope),
    })
  return clientError('unexpected_answer', response.status, message)
}

function conflictsIn(envelope: Envelope & { readonly conflicts?: unknown }): readonly EditConflict[] {
  const { code, conflicts } = envelope
  // The contract of this code.
  return code === 'edit_conflict' && Array.isArray(conflicts) ? (conflicts as readonly EditConflict[]) : []
}

function confirmationIn(envelope: Envelope & Record<string, unknown>): ConfirmationRequest | undefined {
  // The contract of this code.
  return envelope.code === 'confirmation_required' ? (envelope as unknown as ConfirmationRequest) : undefined
}

function clientError(code: ClientErrorCode, status: number, message: string): ApiError {
  return new ApiError(context.text(code, { status, message }), code, status)
}
