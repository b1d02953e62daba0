import type { TaskPlatform } from '@tollgate/api'
import type { Task } from './entities.ts'

export interface TaskFilter {
  readonly platform?: TaskPlatform | readonly TaskPlatform[]
  readonly userId?: number
  readonly channelId?: number
  /** The id by which its user knows it, whole. */
  readonly upstreamId?: string
  readonly status?: Task['status']
  readonly action?: string
  /** By the time of submission, in milliseconds; both inclusive. */
  readonly fromMs?: number
  readonly toMs?: number
}

/** What changes of a task on its way. */
export type TaskProgress = Pick<
  Task,
  'id' | 'status' | 'progress' | 'startedMs' | 'updatedMs' | 'failReason' | 'result' | 'properties'
>

export type TaskChange = Partial<Omit<Task, 'id' | 'platform' | 'userId' | 'tokenId' | 'holdId'>>

/** Tasks of one platform that one account at an upstream works on. */
export interface TaskAccount {
  readonly channelId: number
  readonly platform: TaskPlatform
  readonly keyHash: string
}

/** An account with tasks that have not ended. */
export interface OpenAccount extends TaskAccount {
  readonly count: number
  /** When the last of them was submitted. */
  readonly latestMs: number
}

/** As much of a task as asking about it needs: ten thousand are read again and again. */
export type OpenTaskRow = Pick<Task, 'id' | 'reference' | 'upstreamModel' | 'submittedMs' | 'updatedMs'>

/** Work that an upstream finishes later. */
export interface TaskRepository {
  /** Throws `DuplicateError` when another task has the hold. */
  create(task: Omit<Task, 'id'>): Promise<Task>
  find(id: number): Promise<Task | undefined>
  /** Those that have not ended, by id. */
  findOpen(ids: readonly number[]): Promise<ReadonlyMap<number, Task>>
  /**
   * By the ids by which users know them; of several with one id the newest. Those without one are never found.
   * @param userId whose they are; anybody's when not given
   */
  findByUpstreamIds(
    platform: TaskPlatform,
    upstreamIds: readonly string[],
    userId?: number,
  ): Promise<ReadonlyMap<string, Task>>
  /** Newest first, with the filter's total. */
  page(
    filter: TaskFilter,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<{ rows: Task[]; total: number }>
  /** Writes what changed of a task that is not finished; false, and nothing is written, when it is. */
  update(id: number, change: TaskChange): Promise<boolean>
  /** The same for many at once; those that are finished stay as they are. */
  updateMany(changes: readonly TaskProgress[]): Promise<void>
  /** Takes away a task that no upstream was handed. */
  discard(id: number): Promise<void>
  openAccounts(): Promise<OpenAccount[]>
  /** Tasks of an account that have not ended, oldest first, behind the one named. */
  listOpen(
    account: TaskAccount,
    page: { readonly afterId: number; readonly limit: number },
  ): Promise<OpenTaskRow[]>
}
