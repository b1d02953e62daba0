import {
  type CallArguments,
  type CallData,
  type calls,
  incidentKinds,
  type ManagedIncident,
  publicIncidentLimits,
  visibleIncidentKinds,
} from '@tollgate/api'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { ChannelDirectory } from '../../channels/routing/routing-types.ts'
import { editOver, refuseConflicts } from '../../lib/merge-edit.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Actor, AuditLog } from '../../records/audit-log/audit-log.ts'
import type { AuditRecord } from '../../store/log/audit-log.ts'
import type { Page, PageOf } from '../../store/queries.ts'
import type { Store } from '../../store/store.ts'
import type { IncidentRow } from '../../store/work/incidents.ts'
import type {
  PublicIncidentChange,
  PublicIncidentFilter,
  PublicIncidentRow,
} from '../../store/work/public-incidents.ts'
import { publicIncidentOf } from './read-status-page.ts'

export interface PublicIncidentDeps {
  readonly store: Pick<Store, 'publicIncidents' | 'incidents' | 'transaction'>
  readonly auditLog: Pick<AuditLog, 'record'>
  readonly directory: Pick<ChannelDirectory, 'snapshot'>
  /** Models of the page as a visitor sees it. */
  readonly visibleModels: () => ReadonlySet<string>
  /** Hears of each change. */
  readonly changed: () => void
  readonly clock: Clock
}

type Calls = (typeof calls)['statusPage']
type CreateBody = CallArguments<Calls['create']>['body']
type UpdateBody = CallArguments<Calls['update']>['body']
type AddUpdateBody = CallArguments<Calls['addUpdate']>['body']
type Draft = CallData<Calls['draft']>
type Change = (row: PublicIncidentRow) => PublicIncidentChange

/** Publishes incidents on the status page, and changes them. Each change has an entry in the audit log, in its transaction. */
export interface PublicIncidents {
  list(filter: PublicIncidentFilter, page: Page): Promise<PageOf<ManagedIncident>>
  /** @throws Refusal for an incident that the actor may not see */
  draft(actor: Actor, incidentId: number): Promise<Draft>
  /** @throws Refusal where its cause is published already, or the actor may not see that */
  create(actor: Actor, body: CreateBody): Promise<ManagedIncident>
  /** @throws Refusal where somebody has changed a field since `base` */
  update(actor: Actor, id: number, body: UpdateBody): Promise<ManagedIncident>
  /** @throws Refusal for one that holds as many updates as it may */
  addUpdate(actor: Actor, id: number, body: AddUpdateBody): Promise<ManagedIncident>
  setPublished(actor: Actor, id: number, published: boolean): Promise<ManagedIncident>
  /** Takes a recorded change back. @throws Refusal where the same was changed again since */
  revert(actor: Actor, record: AuditRecord): Promise<void>
}

export function createPublicIncidents(deps: PublicIncidentDeps): PublicIncidents {
  const { store, auditLog, directory, visibleModels, changed, clock } = deps

  async function change(
    actor: Actor,
    id: number,
    action: 'status-incident.publish' | 'status-incident.update' | 'status-incident.unpublish',
    changeOf: Change,
  ): Promise<ManagedIncident> {
    const after = await store.transaction(async (tx) => {
      const row = await tx.publicIncidents.lock(id)
      if (row === undefined) throw new Refusal('record_not_found')
      const changes = changeOf(row)
      const next = { ...row, ...changes }
      const states = { before: auditState(row), after: auditState(next) }
      if (JSON.stringify(states.before) === JSON.stringify(states.after)) return row
      await tx.publicIncidents.change(id, changes)
      await auditLog.record(actor, { action, target: targetOf(next), ...states }, tx)
      return next
    })
    changed()
    return managedOf(after)
  }

  async function findCause(tx: Pick<Store, 'incidents'>, actor: Actor, id: number): Promise<IncidentRow> {
    const row = await tx.incidents.lock(id)
    if (row === undefined || !visibleIncidentKinds(actor).includes(row.kind))
      throw new Refusal('record_not_found')
    return row
  }

  return {
    async list(filter, page) {
      const { rows, total } = await store.publicIncidents.page(filter, page)
      return { rows: rows.map(managedOf), total }
    },
    async draft(actor, incidentId) {
      const row = await store.transaction((tx) => findCause(tx, actor, incidentId))
      const visible = visibleModels()
      const models = modelsOf(row, directory).filter((model) => visible.has(model))
      return {
        models: [...new Set(models)].sort().slice(0, publicIncidentLimits.models),
        started_at: row.openedAt,
        ended_at: row.endedAt,
      }
    },
    async create(actor, body) {
      const incident = newIncident(body, unixSeconds(clock))
      const { incidentId } = incident
      const row = await store.transaction(async (tx) => {
        if (incidentId > 0) await findCause(tx, actor, incidentId)
        const id = await tx.publicIncidents.add(incident)
        if (id === undefined) throw new Refusal('status_incident_published')
        const added = { ...incident, id }
        const states = { before: { published: false }, after: auditState(added) }
        const event = { action: 'status-incident.publish', target: targetOf(added), ...states } as const
        await auditLog.record(actor, event, tx)
        return added
      })
      changed()
      return managedOf(row)
    },
    update: (actor, id, body) => change(actor, id, 'status-incident.update', (row) => editOf(row, body)),
    addUpdate: (actor, id, { state, text }) =>
      change(actor, id, 'status-incident.update', (row) =>
        withUpdate(row, { state, text }, unixSeconds(clock)),
      ),
    setPublished: (actor, id, published) =>
      change(actor, id, published ? 'status-incident.publish' : 'status-incident.unpublish', () => ({
        published,
      })),
    async revert(actor, record) {
      const { action, targetId: id } = record
      if (action === 'status-incident.update')
        await change(actor, id, action, (row) => changeBefore(row, record))
      else {
        const wasPublished = action === 'status-incident.unpublish'
        await change(
          actor,
          id,
          wasPublished ? 'status-incident.publish' : 'status-incident.unpublish',
          (row) => {
            if (row.published === wasPublished) throw new Refusal('audit_changed_since')
            return { published: wasPublished }
          },
        )
      }
    },
  }
}

function newIncident(body: CreateBody, now: number): Omit<PublicIncidentRow, 'id'> {
  const { title, models, state, text, incident_id: incidentId } = body
  const startedAt = body.started_at || now
  return {
    title,
    models: [...new Set(models)],
    updates: [{ at: now, state, text }],
    startedAt,
    endedAt: state === 'resolved' ? Math.max(startedAt, body.ended_at || now) : 0,
    published: true,
    incidentId,
  }
}

function withUpdate(row: PublicIncidentRow, update: AddUpdateBody, now: number): PublicIncidentChange {
  const { updates: max } = publicIncidentLimits
  if (row.updates.length >= max) throw new Refusal('status_incident_full', { max })
  const at = Math.max(now, row.updates.at(-1)?.at ?? 0)
  return { updates: [...row.updates, { ...update, at }], endedAt: update.state === 'resolved' ? at : 0 }
}

/** The models of a cause: those whose calls were lost, else those that its channels or it itself name. */
function modelsOf(
  { kind, members, concerned }: IncidentRow,
  { snapshot }: Pick<ChannelDirectory, 'snapshot'>,
): readonly string[] {
  if (concerned.models.length > 0) return concerned.models
  switch (incidentKinds[kind].members) {
    case 'model':
      return members
    case 'channel':
      return members.flatMap((id) => [...(snapshot.channel(Number(id))?.models ?? [])])
    default:
      return []
  }
}

/** @throws Refusal where an update was added since its texts were read */
function editOf(row: PublicIncidentRow, body: UpdateBody): PublicIncidentChange {
  const texts = row.updates.map(({ text }) => text)
  const current = {
    title: row.title,
    models: row.models,
    started_at: row.startedAt,
    ended_at: row.endedAt,
    texts,
  }
  const edit = editOver(body, current)
  if (edit.texts !== undefined && edit.texts.length !== texts.length)
    refuseConflicts([
      { field: 'texts', base: body.base?.['texts'] ?? null, current: texts, sent: edit.texts },
    ])
  return {
    ...(edit.title !== undefined && { title: edit.title }),
    ...(edit.models !== undefined && { models: [...new Set(edit.models)] }),
    ...(edit.started_at !== undefined && { startedAt: edit.started_at }),
    ...(edit.ended_at !== undefined &&
      row.endedAt > 0 && { endedAt: Math.max(edit.ended_at, edit.started_at ?? row.startedAt) }),
    ...(edit.texts !== undefined && {
      updates: row.updates.map((update, index) => ({ ...update, text: edit.texts?.[index] ?? update.text })),
    }),
  }
}

function managedOf(row: PublicIncidentRow): ManagedIncident {
  return { ...publicIncidentOf(row), published: row.published, incident_id: row.incidentId }
}

function targetOf({ id, title }: Pick<PublicIncidentRow, 'id' | 'title'>) {
  return { kind: 'status-incident', id, name: title } as const
}

/** The fields of an incident by the names of its record. */
const auditedFields = {
  title: 'title',
  models: 'models',
  started_at: 'startedAt',
  ended_at: 'endedAt',
  updates: 'updates',
  published: 'published',
} as const satisfies Readonly<Record<string, keyof PublicIncidentRow>>
type AuditedField = keyof typeof auditedFields

function auditState(row: PublicIncidentRow): Record<AuditedField, unknown> {
  const entries = Object.entries(auditedFields).map(([name, field]) => [name, row[field]])
  // `fromEntries` forgets the names of its entries.
  return Object.fromEntries(entries) as Record<AuditedField, unknown>
}

/** @throws Refusal where one of the fields has another value by now */
function changeBefore(row: PublicIncidentRow, record: AuditRecord): PublicIncidentChange {
  const [before, after] = [record.before, record.after].map(
    (text): Readonly<Record<string, unknown>> => JSON.parse(text || '{}'),
  )
  const now = auditState(row)
  const names = (Object.keys(auditedFields) as AuditedField[]).filter((name) => before && name in before)
  if (names.length === 0) throw new Refusal('audit_not_revertible')
  if (names.some((name) => JSON.stringify(now[name]) !== JSON.stringify(after?.[name])))
    throw new Refusal('audit_changed_since')
  return Object.fromEntries(names.map((name) => [auditedFields[name], before?.[name]]))
}
