import type { Task } from './entities.ts'

export interface TaskFilter {
  readonly platform?: Task['platform'] | readonly Task['platform'][]
  readonly userId?: number
  readonly channelId?: number
  /** The upstream's id, whole. */
  readonly upstreamId?: string
  readonly status?: Task['status']
  readonly action?: string
  /** By the time of submission, in milliseconds; both inclusive. */
  readonly fromMs?: number
  readonly toMs?: number
}

export type TaskChange = Partial<Omit<Task, 'id' | 'platform' | 'userId' | 'tokenId' | 'holdId'>>

/** Work that an upstream finishes later. */
export interface TaskRepository {
  /** Throws `DuplicateError` when another task has the hold. */
  create(task: Omit<Task, 'id'>): Promise<Task>
  find(id: number): Promise<Task | undefined>
  /** Newest first, with the filter's total. */
  page(
    filter: TaskFilter,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<{ rows: Task[]; total: number }>
  /** Writes what changed of a task that is not finished; false, and nothing is written, when it is. */
  update(id: number, change: TaskChange): Promise<boolean>
}
