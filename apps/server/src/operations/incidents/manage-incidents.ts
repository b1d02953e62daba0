import {
  hasPart,
  type Incident,
  type IncidentQuery,
  type IncidentState,
  incidentKinds,
  type PartHolder,
  visibleIncidentKinds,
} from '@tollgate/api'
import { type Clock, unixSeconds } from '@tollgate/base'
import { Refusal } from '../../lib/refusal.ts'
import type { Actor, AuditLog } from '../../records/audit-log/audit-log.ts'
import type { UserRepository } from '../../store/accounts/users.ts'
import type { Page, PageOf } from '../../store/queries.ts'
import type { Store } from '../../store/store.ts'
import { type IncidentRow, notAccepted } from '../../store/work/incidents.ts'
import type { IncidentWatch } from './watch-incidents.ts'

interface Dependencies {
  readonly store: Pick<Store, 'incidents' | 'transaction'> & {
    readonly users: Pick<UserRepository, 'listByIds'>
  }
  readonly auditLog: Pick<AuditLog, 'record'>
  readonly watch: Pick<IncidentWatch, 'refresh'>
  /** Empty for a channel that no longer exists. */
  readonly channelName: (id: number) => string
  readonly clock: Clock
}

export interface Acceptance {
  /** Seconds; 0: until the incident ends. */
  readonly until: number
  readonly note: string
}

/** A page of the list, with what stands beside it. */
export interface IncidentPage extends PageOf<Incident> {
  /** Quiet ones of the same kinds. */
  readonly quiet: number
}

/** Incidents as administrators read and accept them. */
export interface Incidents {
  list(reader: PartHolder, filter: Pick<IncidentQuery, 'kind' | 'state'>, page: Page): Promise<IncidentPage>
  /** @throws Refusal for one that has ended, or that the actor may not see, and for an end that has passed */
  accept(actor: Actor, id: number, acceptance: Acceptance): Promise<Incident>
  wake(actor: Actor, id: number): Promise<Incident>
}

/** Most of the members, models and users that are sent of an incident. */
const maxListed = 5

export function createIncidents({ store, auditLog, watch, channelName, clock }: Dependencies): Incidents {
  async function toWire(reader: PartHolder, rows: readonly IncidentRow[]): Promise<Incident[]> {
    const users = await store.users.listByIds([...new Set(rows.flatMap(visibleUsers))])
    const names = {
      userName: (id: number) => users.get(id)?.username ?? '',
      channelName,
      seesUsers: hasPart(reader, 'users') || hasPart(reader, 'log'),
      now: unixSeconds(clock),
    }
    return rows.map((row) => incidentOf(row, names))
  }

  async function change(
    actor: Actor,
    id: number,
    action: 'incident.accept' | 'incident.wake',
    acceptanceOf: (row: IncidentRow) => Pick<IncidentRow, keyof typeof notAccepted>,
  ): Promise<Incident> {
    const changed = await store.transaction(async (tx) => {
      const row = await tx.incidents.lock(id)
      if (row === undefined || row.endedAt > 0 || !visibleIncidentKinds(actor).includes(row.kind))
        throw new Refusal('record_not_found')
      const acceptance = acceptanceOf(row)
      await tx.incidents.setAcceptance(id, acceptance)
      const name = [row.kind, row.subject].filter((part) => part !== '').join(' ')
      await auditLog.record(
        actor,
        {
          action,
          target: { kind: 'incident', id, name },
          before: auditState(row),
          after: auditState(acceptance),
        },
        tx,
      )
      return { ...row, ...acceptance }
    })
    const [incident] = await toWire(actor, [changed])
    if (incident === undefined) throw new Refusal('record_not_found')
    return incident
  }

  return {
    async list(reader, { kind, state }, page) {
      const visible = visibleIncidentKinds(reader)
      const kinds = visible.filter((each) => kind === undefined || each === kind)
      if (kinds.length === 0) return { rows: [], total: 0, quiet: 0 }
      if (state !== 'ended') await watch.refresh()
      const now = unixSeconds(clock)
      const [found, { total: quiet }] = await Promise.all([
        store.incidents.page({ kinds, state, now }, page),
        store.incidents.page({ kinds, state: 'quiet', now }, { offset: 0, limit: 1 }),
      ])
      return { rows: await toWire(reader, found.rows), total: found.total, quiet }
    },
    async accept(actor, id, { until, note }) {
      const now = unixSeconds(clock)
      if (until > 0 && until <= now) throw new Refusal('incident_end_passed')
      return await change(actor, id, 'incident.accept', ({ level, members }) => ({
        acceptedUntil: until,
        acceptedAt: now,
        acceptedId: actor.userId,
        acceptedBy: actor.username,
        acceptedNote: note,
        acceptedLevel: level,
        acceptedMembers: members,
      }))
    },
    wake: (actor, id) => change(actor, id, 'incident.wake', () => notAccepted),
  }
}

function auditState({ acceptedUntil, acceptedNote }: Pick<IncidentRow, 'acceptedUntil' | 'acceptedNote'>) {
  return {
    accepted: acceptedUntil !== notAccepted.acceptedUntil,
    until: Math.max(0, acceptedUntil),
    note: acceptedNote,
  }
}

interface Names {
  readonly userName: (id: number) => string
  readonly channelName: (id: number) => string
  /** Set for a reader of the users' names; others learn how many they are. */
  readonly seesUsers: boolean
  readonly now: number
}

function visibleUsers({ kind, members, concerned }: IncidentRow): number[] {
  const ids = concerned.users.slice(0, maxListed)
  return incidentKinds[kind].members === 'user' ? [...ids, ...members.slice(0, maxListed).map(Number)] : ids
}

function incidentOf(row: IncidentRow, names: Names): Incident {
  const { concerned, detail } = row
  return {
    id: row.id,
    kind: row.kind,
    state: stateOf(row, names.now),
    level: row.level,
    opened_at: row.openedAt,
    ended_at: row.endedAt,
    calls_lost: row.callsLost,
    money_lost: row.moneyLost,
    name: row.name,
    members: {
      first: row.members.slice(0, maxListed).map(memberOf(row, names)),
      count: detail.memberCount ?? row.members.length,
    },
    groups: [...(detail.groups ?? [])],
    models: { first: concerned.models.slice(0, maxListed), count: concerned.models.length },
    users: {
      first: names.seesUsers
        ? concerned.users.slice(0, maxListed).map((id) => ({ id, name: names.userName(id) }))
        : [],
      count: concerned.users.length,
    },
    reason_code: detail.reason?.code ?? '',
    reason_params: { ...detail.reason?.params },
    accepted: isQuiet(row, names.now)
      ? { at: row.acceptedAt, by: row.acceptedBy, until: row.acceptedUntil, note: row.acceptedNote }
      : null,
  }
}

function memberOf({ kind }: IncidentRow, { userName, channelName }: Names) {
  return (member: string): { id: number; name: string } => {
    const id = Number(member)
    switch (incidentKinds[kind].members) {
      case 'channel':
        return { id, name: channelName(id) }
      case 'user':
        return { id, name: userName(id) }
      default:
        return { id: 0, name: member }
    }
  }
}

function stateOf(row: IncidentRow, now: number): IncidentState {
  if (row.endedAt > 0) return 'ended'
  return isQuiet(row, now) ? 'quiet' : 'open'
}

function isQuiet({ acceptedUntil }: IncidentRow, now: number): boolean {
  return acceptedUntil === 0 || acceptedUntil > now
}
