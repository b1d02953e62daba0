import {
  type CallData,
  type calls,
  type ModelStatus,
  type PublicIncident,
  statusPageDays,
} from '@tollgate/api'
import { type ReaderClock, startOfDayAfter, zoneOf } from '@tollgate/api/calendar'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { HealthRegistry } from '../../channels/health/health-types.ts'
import { isRoutable } from '../../channels/routing/channel-snapshot.ts'
import type {
  ChannelDirectory,
  ChannelSnapshot,
  RoutedChannel,
} from '../../channels/routing/routing-types.ts'
import { type PriceListReader, priceList } from '../../models/price-list.ts'
import { servedOf } from '../../models/served-models.ts'
import type { SettingsReader } from '../../settings/settings.ts'
import type { AttemptCountRepository } from '../../store/channels/attempt-counts.ts'
import type { PublicIncidentRepository, PublicIncidentRow } from '../../store/work/public-incidents.ts'
import { rangeOfSteps } from '../../telemetry/statistics/steps.ts'
import { type CallsByModel, callsByModel, daysOf, stateOf } from './model-states.ts'
import { timedReads } from './timed-reads.ts'

export interface StatusPageDeps {
  readonly attemptCounts: Pick<AttemptCountRepository, 'callSteps'>
  readonly publicIncidents: Pick<PublicIncidentRepository, 'listPublished'>
  /** Writes what this node has counted. */
  readonly writeAttempts: () => Promise<void>
  readonly settings: SettingsReader
  readonly directory: Pick<ChannelDirectory, 'snapshot'>
  readonly health: Pick<HealthRegistry, 'cooldownMs'>
  readonly clock: Clock
}

type StatusPageData = CallData<(typeof calls)['statusPage']['read']>
/** Rights and groups of who reads the page. */
export type StatusPageReader = Pick<PriceListReader, 'groups' | 'acceptsUnpriced' | 'isVisitor'>

/** The status page as one reader sees it. */
export interface StatusPage {
  read(reader: StatusPageReader, readerClock: ReaderClock): Promise<StatusPageData>
  /** Lists the incidents that the reader sees there. */
  incidentsFor(reader: StatusPageReader): Promise<readonly PublicIncident[]>
  /** Lists the models that the reader sees there. */
  modelsOf(reader: StatusPageReader): ReadonlySet<string>
  /** Forgets the incidents that were read: some were changed. */
  incidentsChanged(): void
}

const quarter = 900
const daySeconds = 86_400
/** Readers whose days begin at other moments read counts of their own: so many are held, each for so long. */
const heldDays = 64
const daysTtl = 600
const recentTtl = 60
const incidentsTtl = 10
const maxIncidents = 50

/** Creates the page; counts and incidents are read when somebody reads it, and held for a while. */
export function createStatusPage(deps: StatusPageDeps): StatusPage {
  const { attemptCounts, publicIncidents, writeAttempts, settings, directory, health, clock } = deps
  const now = () => unixSeconds(clock)
  // One read at a time: a reader who asks for the days of many clocks waits for each.
  const days = timedReads<CallsByModel>({ ttl: daysTtl, max: heldDays, now })
  const recent = timedReads<CallsByModel>({ ttl: recentTtl, max: 1, now })
  const incidents = timedReads<readonly PublicIncidentRow[]>({ ttl: incidentsTtl, max: 1, now })

  async function readDays(zone: ReaderClock) {
    const at = now()
    const from = startOfDayAfter(at, 1 - statusPageDays, zoneOf(zone))
    const range = rangeOfSteps({ from: Math.max(0, from), to: at }, 'day', zoneOf(zone))
    const counts = await days.get(range.starts.join(), async () => {
      await writeAttempts()
      return callsByModel(await attemptCounts.callSteps(range), range.starts.length)
    })
    return { starts: range.starts, counts }
  }

  function readRecent(): Promise<CallsByModel> {
    return recent.get('', async () => {
      await writeAttempts()
      const from = Math.floor((now() - quarter) / quarter) * quarter
      const end = Math.floor(now() / quarter + 1) * quarter
      return callsByModel(await attemptCounts.callSteps({ from, end, starts: [from] }), 1)
    })
  }

  function readIncidents(): Promise<readonly PublicIncidentRow[]> {
    const since = now() - statusPageDays * daySeconds
    return incidents.get('', () => publicIncidents.listPublished(since, maxIncidents))
  }

  function modelsOf(reader: StatusPageReader): ReadonlyMap<string, { owner: string; isOut: boolean }> {
    const { snapshot } = directory
    const found = new Map<string, { owner: string; isOut: boolean }>()
    for (const row of priceList(settings.current, snapshot, { ...reader, seesAllGroups: false }))
      if (row.available)
        found.set(row.model_name, {
          owner: row.owner_by,
          isOut: !canServe(row.model_name, reader, snapshot, health),
        })
    const out = modelsOutOfService(snapshot, reader.groups).filter((model) => !found.has(model))
    for (const model of servedOf(out, settings.current, snapshot, reader.acceptsUnpriced))
      found.set(model, { owner: '', isOut: true })
    return found
  }

  return {
    async read(reader, readerClock) {
      const [{ starts, counts }, latest] = await Promise.all([readDays(readerClock), readRecent()])
      const models = modelsOf(reader)
      const found = await readIncidents()
      return {
        days: [...starts],
        models: [...models].sort(byName).map(([model_name, { owner, isOut }]): ModelStatus => {
          const byDay = counts.get(model_name)
          return {
            model_name,
            owner_by: owner,
            state: stateOf({
              isOut,
              recent: latest.get(model_name)?.[0],
              hasSucceeded: byDay?.slice(-2).some(({ ok }) => ok > 0) ?? false,
            }),
            days: daysOf(byDay, starts.length),
          }
        }),
        incidents: visibleIncidents(found, models),
      }
    },
    incidentsFor: async (reader) => visibleIncidents(await readIncidents(), modelsOf(reader)),
    modelsOf: (reader) => new Set(modelsOf(reader).keys()),
    incidentsChanged: () => incidents.forget(),
  }
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1
}

/** Decides whether some channel of the reader's groups would take a call with the model now. */
function canServe(
  model: string,
  { groups }: StatusPageReader,
  snapshot: ChannelSnapshot,
  health: StatusPageDeps['health'],
): boolean {
  return [...groups].some((group) =>
    snapshot
      .tiers(group, model)
      ?.some(({ channels }) => channels.some(({ id }) => health.cooldownMs(id, model) === 0)),
  )
}

/** Lists the models of channels that the gateway took out of service. Those that a person switched off are gone on purpose. */
function modelsOutOfService({ channels }: ChannelSnapshot, groups: ReadonlySet<string>): readonly string[] {
  const out = channels.filter(
    (channel) => isTakenOut(channel) && channel.groups.some((group) => groups.has(group)),
  )
  return [...new Set(out.flatMap(({ models }) => [...models]))]
}

function isTakenOut(channel: RoutedChannel): boolean {
  if (channel.status !== 'enabled') return channel.status === 'auto-disabled'
  return !isRoutable(channel) && [...channel.disabledKeys.values()].some(({ isManual }) => !isManual)
}

/**
 * Leaves out models that the reader does not see, and incidents of such models alone. A name that no channel has any more is one of them:
 * nothing says whether it was ever for this reader.
 */
function visibleIncidents(
  rows: readonly PublicIncidentRow[],
  models: ReadonlyMap<string, unknown>,
): PublicIncident[] {
  return rows.flatMap((row) => {
    const visible = row.models.filter((model) => models.has(model))
    return row.models.length > 0 && visible.length === 0
      ? []
      : [publicIncidentOf({ ...row, models: visible })]
  })
}

/** Returns an incident as everybody reads it. */
export function publicIncidentOf(row: PublicIncidentRow): PublicIncident {
  const { id, title, models, startedAt, endedAt, updates } = row
  return {
    id,
    title,
    state: updates.at(-1)?.state ?? 'investigating',
    models: [...models],
    started_at: startedAt,
    ended_at: endedAt,
    updates: updates.map((update) => ({ ...update })),
  }
}
