import { deadline } from '../../../scripts/deadline/deadline.mjs'
import type { ConsoleCall, ConsoleContract } from './console-calls.ts'
import { type Hint, sampleOf } from './sample-values.ts'

/** Response of a call, whatever its kind. */
export interface Seen {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Empty where the response is not an envelope. */
  readonly envelope: {
    readonly success?: boolean
    readonly message?: string
    readonly code?: string
    readonly error?: unknown
    readonly data?: unknown
  }
}

export interface Arguments {
  /** Path and query. */
  readonly target: string
  readonly body?: string | Uint8Array<ArrayBuffer>
  readonly contentType?: string
}

/** The least that a call takes, so that it reaches its handler. */
export function argumentsOf(
  contract: ConsoleContract,
  call: ConsoleCall,
  hint: Hint = () => undefined,
): Arguments {
  const { resolve } = contract
  const path = call.path.replace(/\{(\w+)\}/g, (_slot, name: string) => {
    const parameter = call.parameters.find((each) => each.in === 'path' && each.name === name)
    return encodeURIComponent(String(sampleOf(resolve, parameter?.schema ?? {}, hint, name)))
  })
  const query = new URLSearchParams()
  for (const { in: position, name, required, schema } of call.parameters) {
    if (position !== 'query') continue
    const value = required ? sampleOf(resolve, schema, hint, name) : hint(name, resolve(schema))
    if (value !== undefined) query.set(name, String(value))
  }
  const target = query.size === 0 ? path : `${path}?${query}`
  return { target, ...bodyOf(contract, call, hint) }
}

function bodyOf({ resolve }: ConsoleContract, { body }: ConsoleCall, hint: Hint): Omit<Arguments, 'target'> {
  if (body === undefined) return {}
  if (body.type === 'raw') return { body: new Uint8Array(), contentType: 'application/octet-stream' }
  const value = sampleOf(resolve, body.schema, hint)
  if (body.type === 'json') return { body: JSON.stringify(value), contentType: 'application/json' }
  const form = new URLSearchParams()
  for (const [name, field] of Object.entries(value as object)) form.set(name, String(field))
  return { body: form.toString(), contentType: 'application/x-www-form-urlencoded' }
}

/** Time limit of one call, far above what any call of the console takes. */
const callMs = 10_000

/** Makes one call. Redirects are not followed: where they lead is the response. */
export async function send(
  url: string,
  { method }: Pick<ConsoleCall, 'method'>,
  { target, body, contentType }: Arguments,
  headers: Readonly<Record<string, string>> = {},
): Promise<Seen> {
  const response = await fetch(url + target, {
    method,
    redirect: 'manual',
    headers: { ...headers, ...(contentType !== undefined && { 'content-type': contentType }) },
    ...(body !== undefined && { body }),
    signal: AbortSignal.timeout(deadline(callMs)),
  }).catch((cause: unknown) => {
    throw new Error(`${method} ${target} was not answered`, { cause })
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, envelope: envelopeOf(response, text) }
}

function envelopeOf(response: Response, text: string): Seen['envelope'] {
  if (response.headers.get('content-type')?.startsWith('application/json') !== true) return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
