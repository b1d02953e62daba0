import { isObject, WireResponse } from '@tollgate/formats'
import type { Polling, UpstreamEndpoint } from '@tollgate/providers'
import type { Deadline, Deadlines } from '../../../upstream/deadlines.ts'
import type { ExchangeEnd } from '../../../upstream/exchange.ts'
import { readSmall } from '../../../upstream/query.ts'
import { channelTarget } from '../../../upstream/request-target.ts'
import type { ResponseHold } from '../../../upstream/response-body/response-memory.ts'
import type { UpstreamCall, Upstreams } from '../../../upstream/upstreams.ts'
import type { EndableExchange, InFlightEntry } from '../in-flight.ts'
import type { AttemptDependencies, FailedAttempt } from './attempt-result.ts'

const firstPauseMs = 500
/** Each pause is half as long again as the one before. */
const growth = 1.5
/** Timeout of one poll; a result may be an image in base64. */
const questionMs = 30_000
/** Consecutive polls that may fail before the task is given up. */
const patience = 5
const cancelLimits = { timeoutMs: 5000, maxBytes: 64 * 1024 }

/** A task that an upstream has accepted, with the way to poll its result. */
export interface PolledResult {
  readonly outgoing: Pick<UpstreamCall, 'channel' | 'keyIndex'>
  readonly polling: Polling
  /** The upstream's response when it accepted the task. */
  readonly first: WireResponse
}

/**
 * Polls a task until it has a result or `limits.firstResponseMs` are over, also after the caller has disconnected. Returns the
 * response that holds the result, or the failure. Never throws: a task that an upstream accepted and then lost ends the call,
 * because another attempt would pay twice.
 */
export async function taskResult(
  task: PolledResult,
  deps: Pick<AttemptDependencies, 'upstreams' | 'deadlines' | 'limits'>,
  entry: Pick<InFlightEntry, 'opened'>,
  enter: () => ResponseHold,
): Promise<WireResponse | FailedAttempt> {
  const wait = new TaskWait(deps.deadlines, deps.limits.firstResponseMs)
  entry.opened(wait)
  const latest = { response: task.first }
  try {
    await untilDone(task, latest, wait, deps, enter)
    return latest.response
  } catch {
    if (wait.endedBy === 'timeout') cancel(task, latest.response, deps.upstreams)
    return lostResult(
      wait.endedBy === 'timeout' ? 'The upstream did not finish in time.' : untold,
      wait.endedBy,
    )
  } finally {
    wait.done()
  }
}

const untold = 'The upstream took the task, and then could not be asked for its result.'

/**
 * Ends a call whose task gave no result: the upstream has worked and may charge for it, as with a timeout that it reports itself.
 */
export function lostResult(message: string, endedBy?: ExchangeEnd): FailedAttempt {
  const error = { type: 'upstream_error', code: 'upstream_timeout', param: null }
  return { ok: false, error: { kind: 'timeout', status: 504, message, ...error }, endedBy }
}

async function untilDone(
  { outgoing, polling, first }: PolledResult,
  latest: { response: WireResponse },
  wait: TaskWait,
  { upstreams, limits }: Pick<AttemptDependencies, 'upstreams' | 'limits'>,
  enter: () => ResponseHold,
): Promise<void> {
  const target = channelTarget(outgoing.channel, outgoing.keyIndex)
  let pauseMs = firstPauseMs
  let noResponseError = 0
  let endpoint = polling.next(first.json, target)
  while (endpoint !== undefined) {
    await wait.pause(Math.min(pauseMs, polling.pauseMs))
    pauseMs *= growth
    const response = await ask(outgoing, endpoint, upstreams, {
      maxBytes: limits.responseBytes,
      signal: wait.signal,
      enter,
    })
    noResponseError = response === undefined ? noResponseError + 1 : 0
    if (noResponseError >= patience) throw new Error('the upstream of the task does not respond')
    if (response === undefined) continue
    latest.response = response
    endpoint = polling.next(response.json, target)
  }
}

/** Polls once; `undefined` when the caller should poll again. Throws for a refusal. */
async function ask(
  { channel, keyIndex }: PolledResult['outgoing'],
  endpoint: UpstreamEndpoint,
  upstreams: Upstreams,
  limits: { readonly maxBytes: number; readonly signal: AbortSignal; readonly enter: () => ResponseHold },
): Promise<WireResponse | undefined> {
  const send = () => upstreams.ask({ channel, keyIndex, endpoint, body: '' })
  const response = await readSmall(send, { timeoutMs: questionMs, ...limits }).catch(() => undefined)
  limits.signal.throwIfAborted()
  if (response === undefined || response.status === 429 || response.status >= 500) return undefined
  if (response.status > 299) throw new Error('the upstream refused to tell of the task')
  const wire = new WireResponse(Buffer.from(response.body), response.headers['content-type'] ?? '')
  return isObject(wire.json) ? wire : undefined
}

/** Cancels the task upstream, without waiting for the response. */
function cancel({ outgoing, polling }: PolledResult, { json }: WireResponse, upstreams: Upstreams): void {
  const { channel, keyIndex } = outgoing
  const endpoint = polling.cancel?.(json, channelTarget(channel, keyIndex))
  if (endpoint === undefined) return
  readSmall(() => upstreams.ask({ channel, keyIndex, endpoint, body: '' }), cancelLimits).catch(() => {})
}

/** The wait for a task: it can be ended like an exchange, whether it is polling or pausing. */
class TaskWait implements EndableExchange {
  readonly isSent = true
  endedBy: ExchangeEnd | undefined
  readonly #controller = new AbortController()
  readonly #deadline: Deadline

  constructor(deadlines: Deadlines, limitMs: number) {
    this.#deadline = deadlines.start(limitMs, () => this.end('timeout'))
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  end(reason: ExchangeEnd): void {
    if (this.endedBy !== undefined) return
    this.endedBy = reason
    this.done()
    this.#controller.abort()
  }

  done(): void {
    this.#deadline.clear()
  }

  /** Rejects when it is ended. */
  async pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    this.signal.addEventListener('abort', () => resolve(), { once: true })
    await promise
    clearTimeout(timer)
    this.signal.throwIfAborted()
  }
}
