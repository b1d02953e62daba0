import type { Drawing, TaskEntry } from '@tollgate/api'
import type { Task, TaskFilter, TaskRepository } from '../store/repositories/tasks.ts'
import type { ImageAddresses } from './drawing/midjourney-object.ts'
import {
  type MidjourneyQuery,
  midjourneyFilter,
  type OtherTaskQuery,
  otherTaskFilter,
} from './task-filter.ts'
import { midjourneyView, taskView } from './task-view.ts'

interface Paging {
  /** Counts from 0. */
  readonly p: number
  readonly page_size: number
}

interface Listed<Row> {
  readonly rows: Row[]
  readonly total: number
}

/** Drawings, and other tasks that an upstream finishes later; everybody's, or those of `userId`. */
export interface TaskLists {
  drawings(query: MidjourneyQuery & Paging, userId?: number): Promise<Listed<Drawing>>
  others(query: OtherTaskQuery & Paging, userId?: number): Promise<Listed<TaskEntry>>
}

/** @param pictures how pictures of drawings are told of now */
export function createTaskLists(
  tasks: Pick<TaskRepository, 'page'>,
  pictures: () => ImageAddresses,
): TaskLists {
  async function page(
    filter: TaskFilter | undefined,
    { p, page_size }: Paging,
    userId: number | undefined,
  ): Promise<Listed<Task>> {
    if (filter === undefined) return { rows: [], total: 0 }
    const { channelId: _channel, ...ownFilter } = filter
    const scoped = userId === undefined ? filter : { ...ownFilter, userId }
    const offset = Math.min(p * page_size, Number.MAX_SAFE_INTEGER)
    return tasks.page(scoped, { offset, limit: page_size })
  }

  const reader = (userId: number | undefined) => (userId === undefined ? 'admin' : 'owner')
  return {
    async drawings(query, userId) {
      const { rows, total } = await page(midjourneyFilter(query), query, userId)
      return { rows: rows.map((task) => midjourneyView(task, reader(userId), pictures())), total }
    },
    async others(query, userId) {
      const { rows, total } = await page(otherTaskFilter(query), query, userId)
      return { rows: rows.map((task) => taskView(task, reader(userId))), total }
    },
  }
}
