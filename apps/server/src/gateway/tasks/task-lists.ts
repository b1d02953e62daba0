import {
  type Drawing,
  drawingResource,
  type TaskEntry,
  taskPlatforms,
  taskResource,
  taskStatuses,
} from '@tollgate/api'
import type { UserRepository } from '../../store/accounts/users.ts'
import type { Task, TaskFilter, TaskRepository } from '../../store/work/tasks.ts'
import type { ImageAddresses } from './midjourney/midjourney-object.ts'
import { videoProperties } from './video.ts'

interface Paging {
  /** Counts from 0. */
  readonly p: number
  readonly page_size: number
}

interface Listed<Row> {
  readonly rows: Row[]
  readonly total: number
}

/** Lists Midjourney images and other tasks: those of all users, or those of `userId`. */
export interface TaskLists {
  drawings(query: MidjourneyQuery & Paging, userId?: number): Promise<Listed<Drawing>>
  others(query: OtherTaskQuery & Paging, userId?: number): Promise<Listed<TaskEntry>>
}

interface TaskListDependencies {
  readonly tasks: Pick<TaskRepository, 'page'>
  readonly users: Pick<UserRepository, 'listByIds' | 'findByLogin'>
  /** The addresses under which callers get images now. */
  readonly pictures: () => ImageAddresses
  /** Recognises a video whose address at the upstream works without credentials. */
  readonly isPublic: (task: Task) => boolean
}

export function createTaskLists({ tasks, users, pictures, isPublic }: TaskListDependencies): TaskLists {
  async function page(
    filter: TaskFilter | undefined,
    { p, page_size, username }: Paging & Pick<TaskQuery, 'username'>,
    userId: number | undefined,
  ): Promise<Listed<Task>> {
    const scoped = filter && (await scopeOf(filter, username, userId))
    if (scoped === undefined) return { rows: [], total: 0 }
    const offset = Math.min(p * page_size, Number.MAX_SAFE_INTEGER)
    return tasks.page(scoped, { offset, limit: page_size })
  }

  /** Narrows a filter to its owner, who filters by nobody, or to the user whom an administrator names; `undefined` for a name of nobody. */
  async function scopeOf(
    filter: TaskFilter,
    username: string | undefined,
    userId: number | undefined,
  ): Promise<TaskFilter | undefined> {
    const { channelId: _channel, ...ownFilter } = filter
    if (userId !== undefined) return { ...ownFilter, userId }
    if (!username) return filter
    const user = await users.findByLogin(username)
    // Addresses of mail are for those who may see users.
    return user?.username === username ? { ...filter, userId: user.id } : undefined
  }

  async function readerOf(rows: readonly Task[], userId: number | undefined): Promise<Reader> {
    if (userId !== undefined) return owner
    const found = await users.listByIds([...new Set(rows.map((task) => task.userId))])
    return {
      username: (task) => found.get(task.userId)?.username ?? '',
      channelId: (task) => task.channelId,
    }
  }

  return {
    async drawings(query, userId) {
      const { rows, total } = await page(midjourneyFilter(query), query, userId)
      const reader = await readerOf(rows, userId)
      return { rows: rows.map((task) => midjourneyView(task, reader, pictures())), total }
    },
    async others(query, userId) {
      const { rows, total } = await page(otherTaskFilter(query), query, userId)
      const reader = await readerOf(rows, userId)
      return { rows: rows.map((task) => taskView(task, reader, isPublic(task))), total }
    },
  }
}

/** Filters as consoles send them; 0 or blank for any. */
interface TaskQuery {
  readonly start_timestamp?: number | undefined
  readonly end_timestamp?: number | undefined
  readonly channel_id?: number | undefined
  readonly username?: string | undefined
}

interface MidjourneyQuery extends TaskQuery {
  readonly mj_id?: string | undefined
}

interface OtherTaskQuery extends TaskQuery {
  readonly task_id?: string | undefined
  readonly platform?: string | undefined
  readonly action?: string | undefined
  readonly status?: string | undefined
}

/** A smaller time is in seconds: as milliseconds it would be before March 1973. */
const minMilliseconds = 10 ** 11
const lastMillisecond = 999

/** The filter that a query means; `undefined` when no task can match. */
export function midjourneyFilter({ mj_id, ...query }: MidjourneyQuery): TaskFilter {
  return { ...commonFilter(query), platform: 'mj', ...(mj_id && { upstreamId: mj_id }) }
}

export function otherTaskFilter({ task_id, action, ...query }: OtherTaskQuery): TaskFilter | undefined {
  const others = taskPlatforms.filter((known) => known !== 'mj')
  const platform = query.platform ? others.find((known) => known === query.platform) : others
  const status = query.status ? taskStatuses.find((known) => known === query.status) : undefined
  if (platform === undefined || (query.status && status === undefined)) return undefined
  return {
    ...commonFilter(query),
    platform,
    ...(task_id && { upstreamId: task_id }),
    ...(action && { action }),
    ...(status !== undefined && { status }),
  }
}

function commonFilter({ start_timestamp, end_timestamp, channel_id }: TaskQuery): TaskFilter {
  return {
    ...(channel_id && { channelId: channel_id }),
    ...(start_timestamp && { fromMs: inMilliseconds(start_timestamp, 0) }),
    ...(end_timestamp && { toMs: inMilliseconds(end_timestamp, lastMillisecond) }),
  }
}

/** Converts a time to milliseconds: a second ends with its last millisecond. */
function inMilliseconds(time: number, within: number): number {
  return Math.abs(time) < minMilliseconds ? time * 1000 + within : time
}

/** Columns that administrators see and owners do not. */
interface Reader {
  username(task: Task): string
  channelId(task: Task): number
}

const owner: Reader = { username: () => '', channelId: () => 0 }

const submitted = 1

/**
 * A Midjourney image on the wire. Fields that only images have come from the task's properties.
 * @param pictures which address of the image callers get
 */
function midjourneyView(task: Task, reader: Reader, pictures: ImageAddresses): Drawing {
  const own = parsed(task.properties)
  const textOf = (name: string) => (typeof own[name] === 'string' ? own[name] : '')
  return {
    ...drawingResource.toWire({ ...task, channelId: reader.channelId(task) }),
    code: typeof own['code'] === 'number' ? own['code'] : submitted,
    username: reader.username(task),
    prompt_en: textOf('prompt_en'),
    description: textOf('description'),
    state: textOf('state'),
    created_at: seconds(task.submittedMs),
    image_url: visiblePicture(task, textOf('image_url'), pictures),
    buttons: jsonText(own['buttons']),
    properties: jsonText(own['properties']),
  }
}

/** A page shows images of this site under an address without a host, too. */
function visiblePicture({ upstreamId }: Task, original: string, { site, forwards }: ImageAddresses): string {
  const isForwarded = forwards && original !== '' && upstreamId !== ''
  return isForwarded ? `${site}/mj/image/${encodeURIComponent(upstreamId)}` : original
}

/** Any other task on the wire: times are seconds. */
function taskView(task: Task, reader: Reader, isPublic: boolean): TaskEntry {
  const { seconds: length, size, url } = videoProperties(task)
  return {
    ...taskResource.toWire({ ...task, channelId: reader.channelId(task) }),
    created_at: seconds(task.submittedMs),
    username: reader.username(task),
    properties: {
      input: task.prompt,
      model: task.model,
      url: task.status === 'SUCCESS' && isPublic ? url : '',
      seconds: length,
      size,
    },
    data: resultOf(task.result),
  }
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  const value = resultOf(text)
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

/** `undefined` for a text that is not JSON, as in an imported row. */
function resultOf(text: string): unknown {
  try {
    return text === '' ? null : (JSON.parse(text) as unknown)
  } catch {
    return null
  }
}

function jsonText(value: unknown): string {
  return value === undefined || value === null ? '' : JSON.stringify(value)
}
