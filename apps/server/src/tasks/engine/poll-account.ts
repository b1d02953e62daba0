import type { TaskPlatform } from '@tollgate/api'
import type { Clock } from '@tollgate/base'
import type { OpenTask, TaskMode, TaskReport, TaskRequest, TaskService } from '@tollgate/providers'
import type { RoutedChannel } from '../../channels/routing/routing-types.ts'
import type { OpenTaskRow } from '../../store/task-repository.ts'
import { readSmall } from '../../upstream/query.ts'
import { channelTarget } from '../../upstream/upstream-channel.ts'
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
export interface AskedAccount {
  readonly channel: RoutedChannel
  readonly keyIndex: number
  readonly service: TaskService
  readonly rows: readonly OpenTaskRow[]
}

interface Dependencies {
  readonly upstreams: Pick<Upstreams, 'ask'>
}

const limits = { timeoutMs: 15_000, maxBytes: 64 * 1024 * 1024 }
/** Questions that lead from one to the next, at most. */
const maxSteps = 4

/** An upstream gave no answer that says anything of its tasks. */
class PollError extends Error {
  override readonly name = 'PollError'
}

/**
 * Asks an upstream what became of tasks.
 * @returns what it says, by reference
 * @throws PollError, or what sending throws
 */
export async function askAccount(
  { channel, keyIndex, service, rows }: AskedAccount,
  { upstreams }: Dependencies,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, TaskReport>> {
  const target = channelTarget(channel, keyIndex)
  const tasks = rows.map(asked)
  const { polling } = service
  let request: TaskRequest = polling.question(tasks, target)
  for (let step = 0; step < maxSteps; step += 1) {
    const { body, ...endpoint } = request
    const question = { channel, keyIndex, endpoint, body }
    const answer = await readSmall(() => upstreams.ask(question), { ...limits, signal })
    if (answer.status < 200 || answer.status > 299) throw new PollError(`status ${answer.status}`)
    const read = polling.read(parsed(answer.body), tasks, target)
    if (read === undefined) throw new PollError('an answer of another shape')
    if ('reports' in read) return read.reports
    request = read.next
  }
  throw new PollError('one question leads to the next without end')
}

function asked({ reference, upstreamModel }: OpenTaskRow): OpenTask {
  return { reference, model: upstreamModel }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw new PollError('an answer that is no JSON')
  }
}

/** Longest that a task may take before it counts as lost, and that an upstream may take to accept one. */
export interface TaskLimits {
  readonly finishMs: number
  readonly handOverMs: number
}

/** Why an open task has failed by the clock alone; `undefined` while it has not. */
export function overdue(
  row: OpenTaskRow,
  { finishMs, handOverMs }: TaskLimits,
  clock: Clock,
): string | undefined {
  const now = clock.now()
  if (row.reference === '')
    return now - row.updatedMs > handOverMs ? 'The task was never taken by an upstream.' : undefined
  if (now - row.submittedMs <= finishMs) return undefined
  return `The upstream did not finish the task within ${Math.round(finishMs / 60_000)} minutes.`
}
