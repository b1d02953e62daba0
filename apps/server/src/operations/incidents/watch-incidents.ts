import type { Channel, Fault, ModelChannelCost, RefusedModel, RefusedUser } from '@tollgate/api'
import { quartersOf } from '@tollgate/api/calendar'
import { type Clock, monotonicClock, unixSeconds } from '@tollgate/base'
import type { Logger } from '../../lib/logger.ts'
import type { AttemptCountRepository } from '../../store/channels/attempt-counts.ts'
import type { StatisticsRepository } from '../../store/log/statistics.ts'
import type { UsageRepository } from '../../store/log/usage.ts'
import { type IncidentRepository, type IncidentRow, notAccepted } from '../../store/work/incidents.ts'
import { callTotalsOf } from '../../telemetry/statistics/attempt-totals.ts'
import { addressOf, type Cause, causesOf, unexplainedCause } from './causes.ts'
import { joinConcerned, type Loss, lossesOf, noLoss } from './losses.ts'

export interface IncidentWatchDeps {
  readonly incidents: IncidentRepository
  /** Channels that need a person. */
  readonly problemChannels: () => Promise<readonly Channel[]>
  readonly unpriced: () => Promise<readonly RefusedModel[]>
  readonly losing: () => readonly ModelChannelCost[]
  /** Channels in service, healthy or not. */
  readonly enabledChannels: () => readonly Pick<Channel, 'id' | 'type' | 'base_url'>[]
  readonly refusedUsers: () => Promise<readonly RefusedUser[]>
  /** Models of a channel, served or not. */
  readonly modelsOf: (channelId: number) => ReadonlySet<string> | undefined
  /** Party at fault for a call that failed by a reason of the log. */
  readonly faultOf: (reason: string) => Fault | undefined
  /** The log with every call of this node that has ended. */
  readonly usage: Pick<UsageRepository, 'failures'>
  readonly attemptCounts: Pick<AttemptCountRepository, 'calls'>
  readonly statistics: Pick<StatisticsRepository, 'margins' | 'modelTotals'>
  /** Set where no other node sees channels or writes calls. */
  readonly isAlone: () => boolean
  readonly clock: Clock
  readonly logger: Pick<Logger, 'warn'>
}

const quarter = 900
const hour = 3600
const week = 7 * 24 * hour
/** Ended incidents are deleted after this. */
const storedSeconds = 180 * 24 * hour
/** A cause that comes back so soon goes on with its incident. */
const reopenSeconds = 900
/** Nodes see channels a little differently: where there are several, a cause is over when none has seen it for so long. */
const unseenSeconds = 75
/** Other nodes write their calls behind by this. */
const writeBehindSeconds = 5
const refreshMs = 2000

/** Looks at the gateway, and writes its problems as incidents. */
export interface IncidentWatch {
  look(): Promise<void>
  /** Looks, unless somebody has just done so; a failure is logged, and the incidents stay as they were. */
  refresh(): Promise<void>
}

export function createIncidentWatch(deps: IncidentWatchDeps): IncidentWatch {
  let looking: Promise<void> | undefined
  let lookedAt = Number.NEGATIVE_INFINITY

  const look = (): Promise<void> => {
    looking ??= lookOnce(deps).finally(() => {
      looking = undefined
      lookedAt = monotonicClock.now()
    })
    return looking
  }
  return {
    look,
    async refresh() {
      if (monotonicClock.now() - lookedAt < refreshMs) return
      await look().catch((error: unknown) =>
        deps.logger.warn(
          { err: error },
          'the incidents are not up to date: the next look is in half a minute, see err for the cause',
        ),
      )
    },
  }
}

async function lookOnce(deps: IncidentWatchDeps): Promise<void> {
  const { incidents, clock, isAlone } = deps
  const now = unixSeconds(clock)
  const causes = await observeCauses(deps, now)
  await openNew(deps, causes, now)
  const open = await incidents.listOpen()
  const until = now - (isAlone() ? 1 : writeBehindSeconds)
  const lossOf = await readLosses(deps, open, causes, until)
  for (const row of open) {
    const cause = causes.find(isOf(row))
    if (cause !== undefined) await goOn(deps, row, cause, { now, until, loss: lossOf(row, cause) })
    else if (isAlone() || row.seenAt < now - unseenSeconds)
      await incidents.observe(row, { endedAt: Math.max(row.seenAt, row.openedAt, 1) })
  }
  await incidents.deleteEndedBefore(now - storedSeconds)
}

const isOf =
  (row: Pick<IncidentRow, 'kind' | 'subject'>) =>
  ({ kind, subject }: Pick<Cause, 'kind' | 'subject'>) =>
    kind === row.kind && subject === row.subject

async function observeCauses(deps: IncidentWatchDeps, now: number): Promise<readonly Cause[]> {
  const [channels, unpriced, refusedUsers] = await Promise.all([
    deps.problemChannels(),
    deps.unpriced(),
    deps.refusedUsers(),
  ])
  const failing = new Set(channels.map(({ id }) => id))
  const healthy = deps.enabledChannels().filter(({ id }) => !failing.has(id))
  const respondingAt = new Set(healthy.map(addressOf))
  const causes = causesOf({ channels, unpriced, refusedUsers, losing: deps.losing(), respondingAt, now })
  const from = now - hour
  const [{ groups }, calls] = await Promise.all([
    deps.usage.failures({ from }),
    deps.attemptCounts.calls(quartersOf({ from, to: now }).from, 0),
  ])
  const facts = { modelsOf: deps.modelsOf, faultOf: deps.faultOf }
  const losses = lossesOf(groups, causes, facts, () => 0)
  const unexplained = losses.get(undefined) ?? noLoss
  const errors = unexplainedCause(unexplained.calls, callTotalsOf(calls), Math.min(unexplained.since, now))
  // Refusals are since the first of them; a channel says itself when it worked last.
  const dated = causes.map((cause) =>
    refusing.has(cause.kind)
      ? { ...cause, since: Math.min(cause.since, losses.get(cause)?.since ?? now) }
      : cause,
  )
  return errors === undefined ? dated : [...dated, errors]
}

const refusing: ReadonlySet<Cause['kind']> = new Set(['unpriced', 'balance'])

async function openNew(deps: IncidentWatchDeps, causes: readonly Cause[], now: number): Promise<void> {
  const { incidents } = deps
  const open = await incidents.listOpen()
  const unknown = causes.filter((cause) => !open.some((row) => isOf(row)(cause)))
  if (unknown.length === 0) return
  const ended = await incidents.listEndedSince(now - hour)
  for (const cause of unknown) {
    const former = ended.findLast((row) => isOf(row)(cause))
    if (former !== undefined && former.endedAt >= now - reopenSeconds)
      await incidents.observe(former, { endedAt: 0, seenAt: now })
    // What was lost before its end is with the former one.
    else
      await incidents.open(newIncident({ ...cause, since: Math.max(cause.since, former?.endedAt ?? 0) }, now))
  }
}

function newIncident({ since, ...cause }: Cause, now: number): Omit<IncidentRow, 'id'> {
  return {
    ...cause,
    ...notAccepted,
    concerned: { models: [], users: [] },
    openedAt: since,
    seenAt: now,
    endedAt: 0,
    countedTo: since - 1,
    callsLost: 0,
    moneyLost: 0,
  }
}

type LossOf = (row: IncidentRow, cause: Cause) => Loss

/** Reads what each incident has cost since it was counted last. */
async function readLosses(
  deps: IncidentWatchDeps,
  open: readonly IncidentRow[],
  causes: readonly Cause[],
  until: number,
): Promise<LossOf> {
  const facts = { modelsOf: deps.modelsOf, faultOf: deps.faultOf }
  const marks = [...new Set(open.map(({ countedTo }) => countedTo))].filter((mark) => mark < until)
  const groups = new Map(
    await Promise.all(
      marks.map(
        async (mark) => [mark, (await deps.usage.failures({ from: mark + 1, to: until })).groups] as const,
      ),
    ),
  )
  const isAny = [...groups.values()].some((those) => those.length > 0)
  const chargeOf = isAny ? await readCharges(deps, until) : () => 0
  const losses = new Map(
    [...groups].map(([mark, those]) => [mark, lossesOf(those, causes, facts, chargeOf)] as const),
  )
  return ({ countedTo }, cause) =>
    losses.get(countedTo)?.get(cause.kind === 'errors' ? undefined : cause) ?? noLoss
}

/** Reads the mean charge of a call by model, of the last week. */
async function readCharges(
  { statistics }: IncidentWatchDeps,
  now: number,
): Promise<(model: string) => number> {
  const totals = await statistics.modelTotals(quartersOf({ from: now - week, to: now }).from, 0)
  const byModel = new Map(
    totals.filter(({ count }) => count > 0).map(({ model, count, quota }) => [model, quota / count] as const),
  )
  return (model) => byModel.get(model) ?? 0
}

interface Look {
  readonly now: number
  /** End of the time whose losses are counted. */
  readonly until: number
  readonly loss: Loss
}

async function goOn(
  deps: IncidentWatchDeps,
  row: IncidentRow,
  cause: Cause,
  { now, until, loss }: Look,
): Promise<void> {
  const { name, level, members, detail } = cause
  const isWritten = await deps.incidents.observe(row, {
    ...{ name, level, members, detail },
    concerned: joinConcerned(row.concerned, loss),
    seenAt: now,
    countedTo: Math.max(row.countedTo, until),
    callsLost: row.callsLost + loss.calls,
    moneyLost:
      cause.kind === 'below-cost' ? await lostBelowCost(deps, row, cause) : row.moneyLost + loss.quota,
  })
  if (isWritten && isWorse(row, cause)) await deps.incidents.endAcceptance(row)
}

/** Decides whether a cause has outgrown what an administrator accepted. */
export function isWorse(
  { acceptedUntil, acceptedLevel, acceptedMembers }: IncidentRow,
  { level, members }: Pick<Cause, 'level' | 'members'>,
): boolean {
  if (acceptedUntil === notAccepted.acceptedUntil) return false
  const accepted = new Set(acceptedMembers)
  return level > acceptedLevel || members.some((member) => !accepted.has(member))
}

const maxMargins = 1000

/** Sums up the cost of a cause's models beyond their charges, since the quarter hour of its beginning. */
async function lostBelowCost(
  { statistics, clock }: IncidentWatchDeps,
  { openedAt }: IncidentRow,
  { members }: Cause,
): Promise<number> {
  const { end } = quartersOf({ from: openedAt, to: unixSeconds(clock) })
  const from = openedAt - (openedAt % quarter)
  const { rows } = await statistics.margins({ by: 'model', from, end, limit: maxMargins })
  const models = new Set(members)
  return rows
    .filter(({ model }) => models.has(model))
    .reduce((sum, { cost, costedQuota }) => sum + Math.max(0, cost - costedQuota), 0)
}
