import { z } from 'zod'
import { drawingResource, taskResource } from '../resources/task.ts'
import { listTotal, queryInteger, queryText, unixSeconds, zeroBasedPage } from '../wire.ts'
import { get } from './define.ts'

/** Rows of a page when a console sends no size. */
export const taskPageSize = queryInteger.transform((size) =>
  size === undefined || size < 1 ? 10 : Math.min(size, 100),
)

/** An image. Times are milliseconds, except `created_at`. */
export const drawing = drawingResource.wire.extend({
  /** Code of the submission: 1 submitted, 21 waiting, 22 duplicate, 0 not submitted. */
  code: z.number().int(),
  /** Empty for its owner, and for a user that is gone. */
  username: z.string(),
  prompt_en: z.string(),
  description: z.string(),
  state: z.string(),
  created_at: unixSeconds,
  /** Empty until there is one. */
  image_url: z.string(),
  /** JSON texts; empty without content. */
  buttons: z.string(),
  properties: z.string(),
})
/** A Midjourney image on the wire. */
export type Drawing = z.output<typeof drawing>

/** A piece of music, or another task whose times are seconds. */
export const task = taskResource.wire.extend({
  created_at: unixSeconds,
  /** Empty for its owner, and for a user that is gone. */
  username: z.string(),
  properties: z.object({
    /** The prompt. */
    input: z.string(),
    model: z.string(),
    /** Public address of a finished video; empty where there is none. */
    url: z.string(),
    /** Ordered length of a video; 0 where the order left it open. */
    seconds: z.number(),
    /** Ordered size of a video, as `1280x720`; empty where the order left it open. */
    size: z.string(),
  }),
  /** The upstream's last response; `null` before the first. */
  data: z.unknown(),
})
/** A task of music or video on the wire. */
export type TaskEntry = z.output<typeof task>

const paging = { p: zeroBasedPage, page_size: taskPageSize }
/** Seconds or milliseconds: a figure below 10^11 is seconds. */
const times = { start_timestamp: queryInteger, end_timestamp: queryInteger }
const drawingFilters = { mj_id: queryText, ...times, ...paging }
const taskFilters = {
  task_id: queryText,
  platform: queryText,
  action: queryText,
  status: queryText,
  ...times,
  ...paging,
}
/** `username` is complete. */
const ofEveryone = { channel_id: queryInteger, username: queryText }

/** The console sends no size: its pages have ten rows. */
const zeroBased = { size: 'page_size', marks: [] } as const

export const drawings = {
  list: get('admin', '/api/mj/', {
    part: 'log',
    recentProof: 'reads',
    query: z.object({ ...drawingFilters, ...ofEveryone }),
    zeroBased,
    data: z.array(drawing),
    extra: listTotal,
  }),
  listSelf: get('user', '/api/mj/self', {
    recentProof: 'reads',
    query: z.object(drawingFilters),
    zeroBased,
    data: z.array(drawing),
    extra: listTotal,
  }),
}

export const tasks = {
  list: get('admin', '/api/task/', {
    part: 'log',
    recentProof: 'reads',
    query: z.object({ ...taskFilters, ...ofEveryone }),
    zeroBased,
    data: z.array(task),
    extra: listTotal,
  }),
  listSelf: get('user', '/api/task/self', {
    recentProof: 'reads',
    query: z.object(taskFilters),
    zeroBased,
    data: z.array(task),
    extra: listTotal,
  }),
}
