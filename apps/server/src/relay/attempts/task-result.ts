import { isObject, WireAnswer } from '@tollgate/formats'
import type { Polling, UpstreamEndpoint } from '@tollgate/providers'
import type { Deadline, Deadlines } from '../../upstream/deadlines.ts'
import type { ExchangeEnd } from '../../upstream/exchange.ts'
import { readSmall } from '../../upstream/query.ts'
import { channelTarget } from '../../upstream/upstream-channel.ts'
import type { UpstreamCall, Upstreams } from '../../upstream/upstreams.ts'
import type { EndableExchange, InFlightEntry } from '../in-flight.ts'
import type { AttemptDependencies, FailedAttempt } from './attempt-result.ts'

const firstPauseMs = 500
/** Each pause is half as long again as the one before. */
const growth = 1.5
/** Of one question; a result may be an image in base64. */
const questionMs = 30_000
/** Questions in a row that may go unanswered before the task is given up. */
const patience = 5
const cancelLimits = { timeoutMs: 5000, maxBytes: 64 * 1024 }

/** A task that an upstream has taken, whoever asks for its result. */
export interface TakenTask {
  readonly asked: Pick<UpstreamCall, 'channel' | 'keyIndex'>
  readonly polling: Polling
  /** What the upstream answered when it took the task. */
  readonly first: WireAnswer
}

/**
 * Asks for the result of a task until there is one, or `limits.firstAnswerMs` are over; for a caller who is gone, too. The answer
 * that is the result, or says why there is none. Never throws: a task that was taken and is then lost ends the call, as trying
 * elsewhere would pay twice.
 */
export async function taskResult(
  task: TakenTask,
  deps: Pick<AttemptDependencies, 'upstreams' | 'deadlines' | 'limits'>,
  entry: Pick<InFlightEntry, 'opened'>,
): Promise<WireAnswer | FailedAttempt> {
  const wait = new TaskWait(deps.deadlines, deps.limits.firstAnswerMs)
  entry.opened(wait)
  const latest = { answer: task.first }
  try {
    await untilDone(task, latest, wait, deps)
    return latest.answer
  } catch {
    if (wait.endedBy === 'timeout') cancel(task, latest.answer, deps.upstreams)
    return lostResult(
      wait.endedBy === 'timeout' ? 'The upstream did not finish in time.' : untold,
      wait.endedBy,
    )
  } finally {
    wait.done()
  }
}

const untold = 'The upstream took the task, and then could not be asked for its result.'

/** An upstream has worked, and may have been paid: its failure ends the call, as a timeout does that it reports itself. */
export function lostResult(message: string, endedBy?: ExchangeEnd): FailedAttempt {
  const error = { type: 'upstream_error', code: 'upstream_timeout', param: null }
  return { ok: false, error: { kind: 'timeout', status: 504, message, ...error }, endedBy }
}

async function untilDone(
  { asked, polling, first }: TakenTask,
  latest: { answer: WireAnswer },
  wait: TaskWait,
  { upstreams, limits }: Pick<AttemptDependencies, 'upstreams' | 'limits'>,
): Promise<void> {
  const target = channelTarget(asked.channel, asked.keyIndex)
  let pauseMs = firstPauseMs
  let unanswered = 0
  let endpoint = polling.next(first.json, target)
  while (endpoint !== undefined) {
    await wait.pause(Math.min(pauseMs, polling.pauseMs))
    pauseMs *= growth
    const answer = await ask(asked, endpoint, upstreams, {
      maxBytes: limits.answerBytes,
      signal: wait.signal,
    })
    unanswered = answer === undefined ? unanswered + 1 : 0
    if (unanswered >= patience) throw new Error('the task does not answer')
    if (answer === undefined) continue
    latest.answer = answer
    endpoint = polling.next(answer.json, target)
  }
}

/** `undefined` when it should be asked again. Throws for a refusal. */
async function ask(
  { channel, keyIndex }: TakenTask['asked'],
  endpoint: UpstreamEndpoint,
  upstreams: Upstreams,
  limits: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<WireAnswer | undefined> {
  const send = () => upstreams.ask({ channel, keyIndex, endpoint, body: '' })
  const answer = await readSmall(send, { timeoutMs: questionMs, ...limits }).catch(() => undefined)
  limits.signal.throwIfAborted()
  if (answer === undefined || answer.status === 429 || answer.status >= 500) return undefined
  if (answer.status > 299) throw new Error('the upstream refused to tell of the task')
  const wire = new WireAnswer(Buffer.from(answer.body), answer.headers['content-type'] ?? '')
  return isObject(wire.json) ? wire : undefined
}

/** Nobody waits for what comes of it. */
function cancel({ asked, polling }: TakenTask, { json }: WireAnswer, upstreams: Upstreams): void {
  const { channel, keyIndex } = asked
  const endpoint = polling.cancel?.(json, channelTarget(channel, keyIndex))
  if (endpoint === undefined) return
  readSmall(() => upstreams.ask({ channel, keyIndex, endpoint, body: '' }), cancelLimits).catch(() => {})
}

/** The wait for a task: ended like an exchange, whether it is asking or pausing. */
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
