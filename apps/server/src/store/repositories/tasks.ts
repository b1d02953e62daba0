import { type Insertable, type RawBuilder, sql, type Updateable } from 'kysely'
import type { Connection } from '../database.ts'
import type { Task } from '../entities.ts'
import type { TaskRow } from '../tables.ts'
import type { TaskFilter, TaskRepository } from '../task-repository.ts'
import { storableText } from '../text.ts'
import { type Fields, integer, readEntity, text, writeColumns } from './fields.ts'

const fields: Fields<Task> = {
  id: integer('id'),
  // The contract's own words are all that is ever written there.
  platform: text('platform') as Fields<Task>['platform'],
  action: text('action'),
  upstreamId: text('upstream_id'),
  userId: integer('user_id'),
  tokenId: integer('token_id'),
  channelId: integer('channel_id'),
  group: text('group'),
  model: text('model'),
  holdId: text('hold_id'),
  quota: integer('quota'),
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

export function createTaskRepository({ db }: Connection): TaskRepository {
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
  }
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
