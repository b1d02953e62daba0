import type { TaskPlatform } from '@tollgate/api'
import { isObject, parseJson, type UpstreamErrorKind } from '@tollgate/formats'
import type { OpenTask, TaskMode, TaskReport, TaskRequest, TaskService } from '@tollgate/providers'
import { redactUpstream } from '../../channels/redaction.ts'
import type { RoutedChannel } from '../../channels/routing/routing-types.ts'
import { OutboundError } from '../../lib/outbound/outbound-fetch.ts'
import type { OpenTaskRow } from '../../store/repositories/tasks.ts'
import { readSmall, type SmallResponse } from '../../upstream/query.ts'
import { channelTarget } from '../../upstream/request-target.ts'
import type { Upstreams } from '../../upstream/upstreams.ts'

/** What is made on a platform. */
const modeOfPlatform: Readonly<Record<TaskPlatform, TaskMode>> = {
  mj: 'drawing',
  suno: 'music',
  video: 'video',
}

/** How tasks of a platform are asked about at a channel; `undefined` where it does not make such things (any more). */
export function serviceOf(
  { provider }: Pick<RoutedChannel, 'provider'>,
  platform: TaskPlatform,
  model: string,
): TaskService | undefined {
  const mode = modeOfPlatform[platform]
  return mode === 'video' ? provider.tasks?.video?.(model) : provider.tasks?.[mode]
}

/** Whom to ask, and about what. */
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
/** Of a response with whole videos in it. */
const longTimeoutMs = 120_000
/** Questions that lead from one to the next, at most. */
const maxSteps = 4

/** What became of a question. */
export type PollOutcome =
  /** By reference. The upstream knows no task that is not named. */
  | { readonly kind: 'answered'; readonly reports: ReadonlyMap<string, TaskReport> }
  | ({ readonly kind: 'failed' } & PollFailure)

export interface PollFailure {
  /** Whether any question of the account would fail as this one did, rather than for the tasks that it names. */
  readonly ofAccount: boolean
  readonly isTimeout: boolean
  /** Whether the upstream is there: it answered, and what it answered is no breakdown of its own. */
  readonly isResponse: boolean
  readonly reason: string
  /** For the log. */
  readonly cause?: unknown
}

/**
 * Asks an upstream what became of tasks.
 * @throws what `signal` was aborted with
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

/** Refusals that any other question of the account would get, too. */
const ofAccount: readonly UpstreamErrorKind[] = ['unauthorized', 'forbidden', 'quota', 'rate_limited']

/**
 * What an answer says that tells nothing of the tasks. Where each task is asked about alone, a refusal may be of that one:
 * what was made of it broke a rule, or it is not known. Some vendors refuse within an answer of status 200.
 */
function refusal(
  channel: RoutedChannel,
  { batch }: TaskService['polling'],
  tasks: readonly OpenTask[],
  response: SmallResponse,
): PollOutcome {
  const { kind, message } = channel.provider.decodeError(response)
  const reason = isSuccess(response) ? 'nothing that can be read' : `status ${response.status}`
  if (ofAccount.includes(kind)) return failure(reason, { ofAccount: true, isResponse: true })
  const isJson = isObject(parseJson(response.body))
  const [task] = tasks
  // A page that is no JSON may be of a proxy in between, which knows nothing of tasks.
  if (batch === 1 && task !== undefined && isJson) {
    if (kind === 'not_found') return { kind: 'answered', reports: new Map() }
    if (kind === 'content_policy') return { kind: 'answered', reports: failed(task, message, channel) }
  }
  return failure(reason, { isResponse: response.status < 500 && isJson })
}

function failed({ reference }: OpenTask, failReason: string, channel: RoutedChannel) {
  return withoutSecrets(new Map([[reference, { state: 'FAILURE', failReason }]]), channel)
}

/** Answers that are too large, or lead elsewhere, may be so for one task; nothing else gets through either. */
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

/** Reasons are the upstream's own words, for callers to read. */
function withoutSecrets(
  reports: ReadonlyMap<string, TaskReport>,
  channel: RoutedChannel,
): ReadonlyMap<string, TaskReport> {
  const told = ([reference, report]: readonly [string, TaskReport]): [string, TaskReport] => {
    const { failReason } = report
    if (!failReason) return [reference, report]
    return [reference, { ...report, failReason: redactUpstream(failReason, channel) }]
  }
  return new Map([...reports].map(told))
}

function pollTarget({ reference, upstreamModel }: OpenTaskRow): OpenTask {
  return { reference, model: upstreamModel }
}
