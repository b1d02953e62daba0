import type { TaskPlatform } from '@tollgate/api'
import { isObject, isOperatorMatter, parseJson } from '@tollgate/formats'
import type { OpenTask, TaskMode, TaskReport, TaskRequest, TaskService } from '@tollgate/providers'
import { redactUpstream } from '../../../channels/redaction.ts'
import type { RoutedChannel } from '../../../channels/routing/routing-types.ts'
import { OutboundError } from '../../../lib/outbound/outbound-fetch.ts'
import type { OpenTaskRow } from '../../../store/work/tasks.ts'
import { readSmall, type SmallResponse } from '../../../upstream/query.ts'
import { channelTarget } from '../../../upstream/request-target.ts'
import type { Upstreams } from '../../../upstream/upstreams.ts'

/** The mode of each platform's tasks. */
const modeOfPlatform: Readonly<Record<TaskPlatform, TaskMode>> = {
  mj: 'drawing',
  suno: 'music',
  video: 'video',
}

/**
 * Finds the service that polls tasks of a platform at a channel; `undefined` where the channel does not offer them (any more).
 */
export function serviceOf(
  { provider }: Pick<RoutedChannel, 'provider'>,
  platform: TaskPlatform,
  model: string,
): TaskService | undefined {
  const mode = modeOfPlatform[platform]
  return mode === 'video' ? provider.tasks?.video?.(model) : provider.tasks?.[mode]
}

/** One poll: an account and its tasks. */
export interface AccountPoll {
  readonly channel: RoutedChannel
  readonly keyIndex: number
  readonly service: TaskService
  readonly rows: readonly OpenTaskRow[]
}

interface Dependencies {
  readonly upstreams: Pick<Upstreams, 'ask'>
}

const limits = { timeoutMs: 15_000, maxBytes: 64 * 1024 * 1024 }
/** Timeout of a response that contains videos. */
const longTimeoutMs = 120_000
/** Most requests of one poll, each following from the one before. */
const maxSteps = 4

/** The outcome of a poll. */
export type PollOutcome =
  /** Reports by reference. The upstream does not know a task that is missing. */
  | { readonly kind: 'answered'; readonly reports: ReadonlyMap<string, TaskReport> }
  | ({ readonly kind: 'failed' } & PollFailure)

export interface PollFailure {
  /** Set for a failure that every poll of the account would have, whatever tasks it names. */
  readonly ofAccount: boolean
  readonly isTimeout: boolean
  /** Set for an upstream that is reachable: it responded, and not with a server error. */
  readonly isResponse: boolean
  readonly reason: string
  /** Cause for the log. */
  readonly cause?: unknown
}

/**
 * Asks an upstream for the state of tasks.
 * @throws the abort reason of `signal`
 */
export async function pollAccount(
  { channel, keyIndex, service, rows }: AccountPoll,
  { upstreams }: Dependencies,
  signal: AbortSignal,
): Promise<PollOutcome> {
  const target = channelTarget(channel, keyIndex)
  const tasks = rows.map(pollTarget)
  const { polling } = service
  const { shortened } = polling
  const bounds = shortened === undefined ? limits : { ...limits, timeoutMs: longTimeoutMs, shortened }
  try {
    let request: TaskRequest = polling.question(tasks, target)
    for (let step = 0; step < maxSteps; step += 1) {
      const { body, ...endpoint } = request
      const question = { channel, keyIndex, endpoint, body }
      const response = await readSmall(() => upstreams.ask(question), { ...bounds, signal })
      const read = isSuccess(response) ? polling.read(parseJson(response.body), tasks, target) : undefined
      if (read === undefined) return refusal(channel, polling, tasks, response)
      if ('reports' in read) return { kind: 'answered', reports: withoutSecrets(read.reports, channel) }
      request = read.next
    }
    return failure('one question after the other', { isResponse: true })
  } catch (error) {
    signal.throwIfAborted()
    return unsent(error)
  }
}

function isSuccess({ status }: SmallResponse): boolean {
  return status >= 200 && status < 300
}

function failure(reason: string, change: Partial<PollFailure> = {}): PollOutcome {
  return { kind: 'failed', ofAccount: false, isTimeout: false, isResponse: false, reason, ...change }
}

/**
 * Reads a response without reports. Where each task is polled alone, a refusal may concern that task: its content broke a
 * rule, or the upstream does not know it. Some vendors refuse within a response of status 200.
 */
function refusal(
  channel: RoutedChannel,
  { batch }: TaskService['polling'],
  tasks: readonly OpenTask[],
  response: SmallResponse,
): PollOutcome {
  const { kind, message } = channel.provider.decodeError(response)
  const reason = isSuccess(response) ? 'nothing that can be read' : `status ${response.status}`
  // Every other poll of the account would get the same.
  if (kind === 'rate_limited' || isOperatorMatter(kind))
    return failure(reason, { ofAccount: true, isResponse: true })
  const isJson = isObject(parseJson(response.body))
  const [task] = tasks
  // A page that is not JSON may come from a proxy in between, which knows nothing of tasks.
  if (batch === 1 && task !== undefined && isJson) {
    if (kind === 'not_found' || kind === 'model_not_found') return { kind: 'answered', reports: new Map() }
    if (kind === 'content_policy') return { kind: 'answered', reports: failed(task, message, channel) }
  }
  return failure(reason, { isResponse: response.status < 500 && isJson })
}

function failed({ reference }: OpenTask, failReason: string, channel: RoutedChannel) {
  return withoutSecrets(new Map([[reference, { state: 'FAILURE', failReason }]]), channel)
}

/** A timeout, a redirect or a response that is too large may concern one task; without a connection every poll fails. */
function unsent(error: unknown): PollOutcome {
  const kind = error instanceof OutboundError ? error.failure : 'unreachable'
  if (kind === 'too-large' || kind === 'redirect')
    return failure(kind === 'redirect' ? 'with a redirection' : 'more than is read')
  const isTimeout = kind === 'timeout'
  return failure(isTimeout ? 'nothing in time' : 'there is no connection', {
    ofAccount: !isTimeout,
    isTimeout,
    cause: error,
  })
}

/** Redacts reasons: they are the upstream's own text, and callers read them. */
function withoutSecrets(
  reports: ReadonlyMap<string, TaskReport>,
  channel: RoutedChannel,
): ReadonlyMap<string, TaskReport> {
  const reported = ([reference, report]: readonly [string, TaskReport]): [string, TaskReport] => {
    const { failReason } = report
    if (!failReason) return [reference, report]
    return [reference, { ...report, failReason: redactUpstream(failReason, channel) }]
  }
  return new Map([...reports].map(reported))
}

function pollTarget({ reference, upstreamModel }: OpenTaskRow): OpenTask {
  return { reference, model: upstreamModel }
}
