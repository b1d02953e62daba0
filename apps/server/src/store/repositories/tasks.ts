import { type Insertable, type RawBuilder, sql, type Updateable } from 'kysely'
import type { Connection } from '../database.ts'
import type { RowColumns } from '../dialects/sql-dialect.ts'
import type { Task } from '../entities.ts'
import type { TaskRow } from '../tables.ts'
import type { TaskFilter, TaskProgress, TaskRepository } from '../task-repository.ts'
import { storableText } from '../text.ts'
import { type Fields, integer, readEntity, text, writeColumns } from './fields.ts'

const fields: Fields<Task> = {
  id: integer('id'),
  // The contract's own words are all that is ever written there.
  platform: text('platform') as Fields<Task>['platform'],
  action: text('action'),
  upstreamId: text('upstream_id'),
  reference: text('reference'),
  upstreamModel: text('upstream_model'),
  keyHash: text('key_hash'),
  userId: integer('user_id'),
  tokenId: integer('token_id'),
  channelId: integer('channel_id'),
  group: text('group'),
  model: text('model'),
  holdId: text('hold_id'),
  quota: integer('quota'),
  charge: text('charge'),
  status: text('status') as Fields<Task>['status'],
  progress: integer('progress'),
  submittedMs: integer('submitted_ms'),
  startedMs: integer('started_ms'),
  finishedMs: integer('finished_ms'),
  updatedMs: integer('updated_ms'),
  prompt: text('prompt'),
  failReason: text('fail_reason'),
  result: text('result'),
  properties: text('properties'),
}

const progressFields = [
  'id',
  'status',
  'progress',
  'startedMs',
  'updatedMs',
  'failReason',
  'result',
  'properties',
] as const satisfies readonly (keyof TaskProgress)[]

const progressColumns: RowColumns = {
  id: 'integer',
  status: 'text',
  progress: 'integer',
  started_ms: 'integer',
  updated_ms: 'integer',
  fail_reason: 'text',
  result: 'text',
  properties: 'text',
}

export function createTaskRepository({ db, dialect, batch }: Connection): TaskRepository {
  const matching = (filter: TaskFilter) =>
    conditionsOf(filter).reduce((found, condition) => found.where(condition), db.selectFrom('tasks'))
  const find = async (id: number) => {
    const row = await db.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirst()
    return row && readEntity(fields, row)
  }

  return {
    async create(task) {
      const row = writeColumns<Task, Insertable<TaskRow>>(fields, { ...task })
      const created = db.insertInto('tasks').values(row).returningAll()
      return readEntity(fields, await created.executeTakeFirstOrThrow())
    },
    find,
    async findOpen(ids) {
      const wanted = db.selectFrom('tasks').selectAll().where('finished_ms', '=', 0)
      const rows = await wanted.where(dialect.isOneOf('id', ids)).execute()
      return new Map(rows.map((row) => [row.id, readEntity(fields, row)]))
    },
    async findByUpstreamIds(platform, upstreamIds, userId) {
      const ids = upstreamIds.filter((id) => id !== '').map(storableText)
      if (ids.length === 0) return new Map()
      const named = db.selectFrom('tasks').selectAll().where('platform', '=', platform)
      const wanted = named.where(sql<boolean>`upstream_id <> '' and ${dialect.isOneOf('upstream_id', ids)}`)
      const owned = userId === undefined ? wanted : wanted.where('user_id', '=', userId)
      const rows = await owned.orderBy('id').execute()
      return new Map(rows.map((row) => [row.upstream_id, readEntity(fields, row)]))
    },
    async page(filter, { offset, limit }) {
      const [rows, { total }] = await Promise.all([
        matching(filter).selectAll().orderBy('id', 'desc').offset(offset).limit(limit).execute(),
        matching(filter)
          .select((count) => count.fn.countAll<number>().as('total'))
          .executeTakeFirstOrThrow(),
      ])
      return { rows: rows.map((row) => readEntity(fields, row)), total: Number(total) }
    },
    async update(id, change) {
      const row = writeColumns<Task, Updateable<TaskRow>>(fields, change)
      const changed = db.updateTable('tasks').set(row).where('id', '=', id).where('finished_ms', '=', 0)
      return (await changed.returning('id').executeTakeFirst()) !== undefined
    },
    async updateMany(changes) {
      if (changes.length === 0) return
      const rows = changes.map((change) => progressFields.map((name) => stored(change[name])))
      await batch([dialect.updateRows('tasks', progressColumns, setWhileOpen, rows)])
    },
    async discard(id) {
      await db.deleteFrom('tasks').where('id', '=', id).where('reference', '=', '').execute()
    },
    async openAccounts() {
      const accounts = await sql<OpenAccountRow>`
        select channel_id, platform, key_hash, count(*) as count, max(submitted_ms) as latest_ms
        from tasks where finished_ms = 0 group by channel_id, platform, key_hash`.execute(db)
      return accounts.rows.map((row) => ({
        channelId: row.channel_id,
        platform: row.platform,
        keyHash: row.key_hash,
        count: Number(row.count),
        latestMs: Number(row.latest_ms),
      }))
    },
    async listOpen({ channelId, platform, keyHash }, { afterId, limit }) {
      const open = db
        .selectFrom('tasks')
        .select(['id', 'reference', 'upstream_model', 'submitted_ms', 'updated_ms'])
        .where('finished_ms', '=', 0)
        .where('channel_id', '=', channelId)
        .where('platform', '=', platform)
        .where('key_hash', '=', keyHash)
        .where('id', '>', afterId)
      const rows = await open.orderBy('id').limit(limit).execute()
      return rows.map((row) => ({
        id: row.id,
        reference: row.reference,
        upstreamModel: row.upstream_model,
        submittedMs: row.submitted_ms,
        updatedMs: row.updated_ms,
      }))
    },
  }
}

function stored(value: string | number): string | number {
  return typeof value === 'string' ? storableText(value) : value
}

function setWhileOpen(given: (name: string) => string): string {
  const names = Object.keys(progressColumns).filter((name) => name !== 'id')
  const kept = (name: string) => `case when tasks.finished_ms = 0 then ${given(name)} else tasks.${name} end`
  return names.map((name) => `${name} = ${kept(name)}`).join(', ')
}

interface OpenAccountRow {
  channel_id: number
  platform: Task['platform']
  key_hash: string
  count: number
  latest_ms: number
}

function conditionsOf(filter: TaskFilter): RawBuilder<boolean>[] {
  const { platform, userId, channelId, upstreamId, status, action, fromMs, toMs } = filter
  const platforms = typeof platform === 'string' ? [platform] : platform
  const conditions = [
    platforms && sql<boolean>`platform in (${sql.join(platforms)})`,
    userId !== undefined && sql<boolean>`user_id = ${userId}`,
    channelId !== undefined && sql<boolean>`channel_id = ${channelId}`,
    // Said twice, so that the index of those that have one is used.
    upstreamId !== undefined && sql<boolean>`upstream_id <> '' and upstream_id = ${storableText(upstreamId)}`,
    status !== undefined && sql<boolean>`status = ${status}`,
    action !== undefined && sql<boolean>`action = ${storableText(action)}`,
    fromMs !== undefined && sql<boolean>`submitted_ms >= ${fromMs}`,
    toMs !== undefined && sql<boolean>`submitted_ms <= ${toMs}`,
  ]
  return conditions.filter((condition) => typeof condition === 'object')
}
