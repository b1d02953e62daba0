import { noUsage } from '@tollgate/formats'
import { costOf } from '../../billing/pricing/charge.ts'
import type { Price } from '../../billing/pricing/price.ts'
import { pricedName } from '../../billing/pricing/price-table.ts'
import type { DisabledKey, RoutedChannel } from '../../channels/routing/routing-types.ts'
import type { Quota } from '../../store/units.ts'
import type { Task } from '../../store/work/tasks.ts'
import { refuseGroup, refuseModel } from '../relay/admission.ts'
import { firstSuccess, type SuccessfulAttempt } from '../relay/attempts/attempts.ts'
import { costFactorOf, type FindCost } from '../relay/charge/call-cost.ts'
import { explain } from '../relay/charge/log-other.ts'
import { refusalOf, refuseClosed } from '../relay/charge/reserve.ts'
import { refuseBlockedPrompt } from '../relay/content-filter.ts'
import { countAttempts } from '../relay/count-attempts.ts'
import { acquireLimits } from '../relay/limits/limits.ts'
import { logged } from '../relay/relay.ts'
import type { RelayDependencies } from '../relay/relay-dependencies.ts'
import { RelayError } from '../relay/relay-error.ts'
import type { ChannelRequirements } from '../relay/routing/candidates.ts'
import type { RoutePlan } from '../relay/routing/plan.ts'
import { planOne } from '../relay/routing/plan.ts'
import { route } from '../relay/routing/route.ts'
import { type AcceptedTask, dispatchTask } from './dispatch-task.ts'
import type { TaskCall, TaskOrder } from './task-order.ts'
import { taskPrice } from './task-order.ts'
import type { LogFacts } from './task-row.ts'
import { accountKey } from './task-row.ts'
import type { TaskStore } from './task-store.ts'

export interface TaskDependencies extends RelayDependencies {
  readonly taskStore: TaskStore
  readonly hashKey: (key: string) => string
}

export interface SubmittedTask<Reply> {
  readonly task: Task
  readonly reply: Reply
}

/**
 * Takes an order all the way to an upstream: route, price, limits, hold, attempts. The hold lasts until the task has ended.
 * The error it throws (always a `RelayError`) holds nothing and has left a row in the log.
 */
export async function submitTask<Service, Reply>(
  call: TaskCall,
  order: TaskOrder<Service, Reply>,
  deps: TaskDependencies,
): Promise<SubmittedTask<Reply>> {
  try {
    return await submit(call, order, deps)
  } catch (error) {
    throw logged(call, error, deps)
  }
}

async function submit<Service, Reply>(
  call: TaskCall,
  order: TaskOrder<Service, Reply>,
  deps: TaskDependencies,
): Promise<SubmittedTask<Reply>> {
  const { caller, request } = call
  refuseModel(caller, request.model)
  refuseGroup(caller, deps)
  const routePlan = plannedFor(call, order, deps)
  const price = taskPrice(call, deps)
  call.trace.routedMs = Math.round(deps.clock.now() - call.startedAt)
  const grant = await acquireLimits(deps.rateLimits, call)
  let succeeded = false
  try {
    refuseBlockedPrompt(call, deps.contentFilter)
    refuseClosed(deps)
    const task = await open(call, order, { price, routePlan }, deps)
    const success = await attempts(call, order, { routePlan, task, grant }, deps)
    succeeded = true
    return await recordDispatch(call, { task, price, success }, deps)
  } finally {
    grant.release({ succeeded })
  }
}

function plannedFor<Service, Reply>(
  call: TaskCall,
  { origin }: TaskOrder<Service, Reply>,
  deps: TaskDependencies,
): RoutePlan {
  if (origin === undefined) return route(call, deps)
  const channel = deps.channels.snapshot.channel(origin.channelId)
  if (channel?.status === 'enabled')
    return planOne(withOneKey(channel, accountKey(channel, origin.keyHash, deps.hashKey)))
  throw new RelayError('channel_disabled', 'The channel that has the task is disabled. Begin a new one.')
}

/** The channel as if all its other keys were disabled. */
function withOneKey(channel: RoutedChannel, keyIndex: number): RoutedChannel {
  const others = channel.keys.map((_, index): [number, DisabledKey] => [index, { reason: '', at: 0 }])
  const own = channel.disabledKeys.get(keyIndex)
  const disabledKeys = new Map(others.filter(([index]) => index !== keyIndex))
  if (own !== undefined) disabledKeys.set(keyIndex, own)
  return { ...channel, disabledKeys }
}

/** @throws RelayError when the balance does not cover the task, or the task cannot be written */
async function open<Service, Reply>(
  call: TaskCall,
  order: TaskOrder<Service, Reply>,
  { price, routePlan }: { readonly price: Price; readonly routePlan: RoutePlan },
  deps: TaskDependencies,
): Promise<Task> {
  const { caller, request } = call
  const { platform, action, prompt, properties, reservedPrice } = order
  const opening = deps.taskStore.open(
    {
      platform,
      action,
      prompt,
      properties: JSON.stringify(properties),
      userId: caller.user.id,
      group: caller.group,
      model: pricedName(request.model),
      facts: factsOf(call, '{}'),
    },
    { token: caller.token, amount: costOf(noUsage, reservedPrice?.(price, routePlan.channels) ?? price) },
  )
  const opened = await opening.catch(notWritten)
  if (opened.ok) return opened.task
  throw refusalOf(opened, deps)
}

function notWritten(cause: unknown): never {
  const message = 'The task cannot be written down right now, and is not charged. Try again shortly.'
  throw new RelayError('database_unavailable', message, { cause })
}

interface Attempting {
  readonly routePlan: RoutePlan
  readonly task: Task
  readonly grant: Parameters<typeof firstSuccess>[3]['grant']
}

async function attempts<Service, Reply>(
  call: TaskCall,
  order: TaskOrder<Service, Reply>,
  { routePlan, task, grant }: Attempting,
  deps: TaskDependencies,
): Promise<SuccessfulAttempt<AcceptedTask<Reply>, Service>> {
  const entry = deps.inFlight.enter(call.connection, true)
  const requirements: ChannelRequirements<Service> = {
    model: deps.channels.snapshot.nameOf(call.request.model),
    isOffered: ({ provider }) => provider.tasks !== undefined,
    operation: ({ provider }, { upstreamModel }) => order.serviceOf(provider, upstreamModel),
  }
  try {
    const tryOne = (candidate: SuccessfulAttempt<unknown, Service>['candidate']) =>
      dispatchTask(order, candidate, deps, entry)
    return await firstSuccess(call, routePlan, deps, { requirements, tryOne, grant, entry })
  } catch (error) {
    // A hold that cannot be released now is released once the time to dispatch the task has passed.
    await deps.taskStore.discard(task).catch(() => undefined)
    throw error
  } finally {
    entry.leave()
  }
}

interface DispatchedTask<Service, Reply> {
  readonly task: Task
  readonly price: Price
  readonly success: SuccessfulAttempt<AcceptedTask<Reply>, Service>
}

async function recordDispatch<Service, Reply>(
  call: TaskCall,
  { task, price, success }: DispatchedTask<Service, Reply>,
  deps: TaskDependencies,
): Promise<SubmittedTask<Reply>> {
  const { candidate, started } = success
  const { channel, keyIndex, upstreamModel } = candidate
  const finalPrice = started.price?.(price) ?? price
  const doneMs = Math.round(deps.clock.now() - call.startedAt)
  const delivered = {
    usage: noUsage,
    upstreamModel,
    estimated: false,
    ended: undefined,
    implausible: undefined,
  }
  const keeping = deps.taskStore.dispatchTask(task, {
    channelId: channel.id,
    keyHash: deps.hashKey(channel.keys[keyIndex] ?? ''),
    upstreamModel,
    reference: started.reference,
    upstreamId: started.publicId,
    quota: costOf(noUsage, finalPrice),
    facts: {
      ...factsOf(call, explain(call, finalPrice, delivered, doneMs)),
      cost: costOfTask(success, call.createdAt, deps.charge.findCost),
    },
    report: started.report,
  })
  const retained = await keeping.catch(notWritten)
  const isRepeated = !countAttempts(call, { outcome: 'ok', isServed: true }, deps.charge.attempts)
  // Charged when the task ends.
  deps.charge.observer?.ended(call, {
    outcome: 'ok',
    why: undefined,
    doneMs,
    upstreamModel,
    quota: 0,
    isRepeated,
  })
  return { task: retained, reply: started.reply }
}

/** Returns the cost of a task by what its vendor lists per call: it has no tokens. */
function costOfTask<Service, Reply>(
  { candidate, started }: DispatchedTask<Service, Reply>['success'],
  atSeconds: number,
  findCost: FindCost,
): Quota | undefined {
  const cost = findCost(candidate.upstreamModel, costFactorOf(candidate.channel), atSeconds)
  const price = cost && started.cost ? started.cost(cost) : cost?.price
  return price?.terms.kind === 'per-call' ? costOf(noUsage, price) : undefined
}

function factsOf({ caller, requestId }: TaskCall, other: string): LogFacts {
  return { username: caller.user.username, tokenName: caller.tokenName, requestId, other }
}
