import { type TaskPlatform, taskRecord } from '@tollgate/api'
import { type RawBuilder, sql } from 'kysely'
import type { Connection } from '../database.ts'
import { type Page, type PageOf, readPage } from '../queries.ts'
import { columnsOf } from '../schema/resource-columns.ts'
import { defineTable, type EntityOf, integer, type RowOf, text } from '../schema/table.ts'
import { storableText } from '../schema/text.ts'

export interface TaskFilter {
  readonly platform?: TaskPlatform | readonly TaskPlatform[]
  readonly userId?: number
  readonly channelId?: number
  /** The full public id. */
  readonly upstreamId?: string
  readonly status?: Task['status']
  readonly action?: string
  /** Times of submission, in milliseconds; both inclusive. */
  readonly fromMs?: number
  readonly toMs?: number
}

export type TaskChange = Partial<Omit<Task, 'id' | 'platform' | 'userId' | 'tokenId' | 'holdId'>>

export const taskTable = defineTable('tasks', {
  ...columnsOf(taskRecord),
  /** The upstream's id; empty until the upstream has accepted it. */
  reference: text(),
  /** The upstream's name for the model. */
  upstreamModel: text(),
  /** Keyed hash of the channel's key that submitted it: other accounts at the upstream do not know the task. */
  keyHash: text(),
  /** 0 when no key paid for it. */
  tokenId: integer(),
  group: text(),
  model: text(),
  /** The open hold that pays for it; empty without one. */
  holdId: text(),
  /** JSON text: the details of its log row beside the cost. */
  charge: text(),
  /** JSON text: the upstream's last response. */
  result: text(),
  /** JSON text: a platform's own properties, such as buttons or the translated prompt. */
  properties: text(),
})

/** Work that an upstream accepts and finishes later: an image, music, a video. Times in milliseconds. */
export type Task = EntityOf<typeof taskTable>

const progress = taskTable.pick([
  'id',
  'status',
  'progress',
  'startedMs',
  'updatedMs',
  'failReason',
  'result',
  'properties',
])
/** The fields of a task that change while it is open. */
export type TaskProgress = EntityOf<typeof progress>

const openTask = taskTable.pick(['id', 'reference', 'upstreamModel', 'submittedMs', 'updatedMs'])
/** The fields of a task that polling needs: the poller reads ten thousand again and again. */
export type OpenTaskRow = EntityOf<typeof openTask>

const taskAccount = taskTable.pick(['channelId', 'platform', 'keyHash'])
/** Tasks of one platform that one account at an upstream works on. */
export type TaskAccount = EntityOf<typeof taskAccount>

/** An account with tasks that have not ended. */
export interface OpenAccount extends TaskAccount {
  readonly count: number
  /** Time when the last of them was submitted. */
  readonly latestMs: number
}

export function createTaskRepository({ db, dialect, batch }: Connection) {
  const matching = (filter: TaskFilter) =>
    conditionsOf(filter).reduce((found, condition) => found.where(condition), db.selectFrom('tasks'))
  return {
    /** Throws `DuplicateError` when another task has the hold. */
    async create(task: Omit<Task, 'id'>): Promise<Task> {
      const row = taskTable.insertion({ ...task })
      const created = db.insertInto('tasks').values(row).returningAll()
      return taskTable.read(await created.executeTakeFirstOrThrow())
    },
    find: (id: number) => taskTable.first(db.selectFrom('tasks').selectAll().where('id', '=', id)),
    /** The open ones of these ids. */
    async findOpen(ids: readonly number[]): Promise<ReadonlyMap<number, Task>> {
      const wanted = db.selectFrom('tasks').selectAll().where('finished_ms', '=', 0)
      return taskTable.byId(wanted.where(dialect.isOneOf('id', ids)))
    },
    /**
     * Finds tasks by their public ids; of several with one id the newest. Never finds tasks without one.
     * @param userId their owner; any when absent
     */
    async findByUpstreamIds(
      platform: TaskPlatform,
      upstreamIds: readonly string[],
      userId?: number,
    ): Promise<ReadonlyMap<string, Task>> {
      const ids = upstreamIds.filter((id) => id !== '').map(storableText)
      if (ids.length === 0) return new Map()
      const named = db.selectFrom('tasks').selectAll().where('platform', '=', platform)
      const wanted = named.where(sql<boolean>`upstream_id <> '' and ${dialect.isOneOf('upstream_id', ids)}`)
      const owned = userId === undefined ? wanted : wanted.where('user_id', '=', userId)
      const rows = await owned.orderBy('id').execute()
      return new Map(rows.map((row) => [row.upstream_id, taskTable.read(row)]))
    },
    /** Newest first, with the filter's total. */
    async page(filter: TaskFilter, page: Page): Promise<PageOf<Task>> {
      return await readPage(taskTable, matching(filter).selectAll().orderBy('id', 'desc'), page)
    },
    /** Writes the changes of an open task; false, and nothing is written, when it is finished. */
    async update(id: number, change: TaskChange): Promise<boolean> {
      const row = taskTable.change(change)
      const changed = db.updateTable('tasks').set(row).where('id', '=', id).where('finished_ms', '=', 0)
      return (await changed.returning('id').executeTakeFirst()) !== undefined
    },
    /** The same for many at once; finished ones stay as they are. */
    async updateMany(changes: readonly TaskProgress[]): Promise<void> {
      if (changes.length === 0) return
      const rows = changes.map((change) => progress.values(change))
      await batch([dialect.updateRows('tasks', progress.columnTypes, setWhileOpen, rows)])
    },
    /** Deletes a task that was dispatched to no upstream. */
    async discard(id: number): Promise<void> {
      await db.deleteFrom('tasks').where('id', '=', id).where('reference', '=', '').execute()
    },
    async openAccounts(): Promise<OpenAccount[]> {
      const accounts = await sql<{ readonly count: number; readonly latest_ms: number }>`
        select channel_id, platform, key_hash, count(*) as count, max(submitted_ms) as latest_ms
        from tasks where finished_ms = 0 group by channel_id, platform, key_hash`.execute(db)
      return accounts.rows.map((row) => ({
        ...taskAccount.read(row),
        count: Number(row.count),
        latestMs: Number(row.latest_ms),
      }))
    },
    /** Open tasks of an account, oldest first, after the one named. */
    async listOpen(
      { channelId, platform, keyHash }: TaskAccount,
      { afterId, limit }: { readonly afterId: number; readonly limit: number },
    ): Promise<OpenTaskRow[]> {
      const open = db
        .selectFrom('tasks')
        .select(openTask.columnNames)
        .where('finished_ms', '=', 0)
        .where('channel_id', '=', channelId)
        .where('platform', '=', platform)
        .where('key_hash', '=', keyHash)
        .where('id', '>', afterId)
      return await openTask.all(open.orderBy('id').limit(limit))
    },
  }
}

function setWhileOpen(incoming: (name: string) => string): string {
  const names = progress.columnNames.filter((name) => name !== 'id')
  const retained = (name: string) =>
    `case when tasks.finished_ms = 0 then ${incoming(name)} else tasks.${name} end`
  return names.map((name) => `${name} = ${retained(name)}`).join(', ')
}

function conditionsOf(filter: TaskFilter): RawBuilder<boolean>[] {
  const { platform, userId, channelId, upstreamId, status, action, fromMs, toMs } = filter
  const platforms = typeof platform === 'string' ? [platform] : platform
  const conditions = [
    platforms && sql<boolean>`platform in (${sql.join(platforms)})`,
    userId !== undefined && sql<boolean>`user_id = ${userId}`,
    channelId !== undefined && sql<boolean>`channel_id = ${channelId}`,
    // A redundant condition, so that the partial index is used.
    upstreamId !== undefined && sql<boolean>`upstream_id <> '' and upstream_id = ${storableText(upstreamId)}`,
    status !== undefined && sql<boolean>`status = ${status}`,
    action !== undefined && sql<boolean>`action = ${storableText(action)}`,
    fromMs !== undefined && sql<boolean>`submitted_ms >= ${fromMs}`,
    toMs !== undefined && sql<boolean>`submitted_ms <= ${toMs}`,
  ]
  return conditions.filter((condition) => typeof condition === 'object')
}

declare module '../schema/tables.ts' {
  interface Tables {
    tasks: RowOf<typeof taskTable>
  }
}

/** Work that an upstream finishes later. */
export type TaskRepository = ReturnType<typeof createTaskRepository>
