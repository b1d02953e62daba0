import type { JsonObject, VideoOrder } from '@tollgate/formats'
import type { ChannelTarget, Target, UpstreamEndpoint } from './channel-target.ts'

export type { VideoOrder }

/** Work that an upstream finishes later, by its result. Each mode has a public format of its own. */
export type TaskMode = 'drawing' | 'music' | 'video'

/** The state of a task. `MODAL`: it waits for more input of its user. `SUCCESS` and `FAILURE` are final. */
export type TaskState =
  | 'NOT_START'
  | 'SUBMITTED'
  | 'QUEUED'
  | 'IN_PROGRESS'
  | 'MODAL'
  | 'SUCCESS'
  | 'FAILURE'
  | 'UNKNOWN'

/** A request about a task, before its credential is added. */
export interface TaskRequest extends UpstreamEndpoint {
  /** JSON, or empty for no body. */
  readonly body: string
}

/** A task that has not ended, as its upstream knows it. */
export interface OpenTask {
  /** The upstream's id of the task. */
  readonly reference: string
  /** The upstream's name for the model that works on it. */
  readonly model: string
}

/** An upstream's report on a task. Absent members have not changed. */
export interface TaskReport {
  readonly state: TaskState
  /** Percent, from 0 to 100. */
  readonly progress?: number
  /** The reason of a failure, in the upstream's words; meaningless while the task continues. */
  readonly failReason?: string
  readonly startedMs?: number
  readonly finishedMs?: number
  /** The upstream's response, as the task's user may see it. */
  readonly result?: unknown
  /** Further properties of the mode (`image_url`, `buttons`, …), merged into the stored ones. */
  readonly properties?: JsonObject
}

/** The reports of a response on the requested tasks, or the next request that leads to them. */
export type TaskResponse =
  /** Reports by reference. A requested task without a report is unknown to the upstream; readers ignore other references. */
  { readonly reports: ReadonlyMap<string, TaskReport> } | { readonly next: TaskRequest }

/** Requests for the state of tasks at an upstream. */
export interface TaskPolling {
  /** Most tasks that one request may name; 1 where each needs its own request. */
  readonly batch: number
  /** A new task may be missing from its lists for a while. */
  readonly listsNewTasksLate?: true
  /** A member of responses that holds complete videos as text; `read` receives only its beginning. */
  readonly shortened?: string
  question(tasks: readonly OpenTask[], target: ChannelTarget): TaskRequest
  /**
   * `undefined` for a response of another shape, or one without the tasks: the poller repeats the request later.
   * @param body the parsed response of a 200
   */
  read(body: unknown, tasks: readonly OpenTask[], target: ChannelTarget): TaskResponse | undefined
}

/** Tasks of a kind at one upstream. */
export interface TaskService {
  readonly polling: TaskPolling
}

/**
 * Midjourney's images and music: submissions pass as their callers wrote them.
 * `path` begins with the form's own root, as in `/mj/submit/imagine` and `/suno/submit/MUSIC`; query included.
 */
export interface ForwardedTaskService extends TaskService {
  endpoint(path: string, target: ChannelTarget): UpstreamEndpoint
}

/** The terms of an order that decide its price, with the upstream's defaults for those that the order leaves open. */
export interface VideoTerms {
  readonly seconds: number
  /** The vertical resolution, as vendors name it: `480p`, `720p`, `768p`, `1080p`, `4k`. */
  readonly resolution: string
  /** Absent without sound; `ordered` where the upstream adds sound on request only. */
  readonly sound?: 'usual' | 'ordered'
}

/** A request for the bytes of a finished result, before its credential is added. */
export interface ContentRequest extends UpstreamEndpoint {
  /** JSON, or empty for no body. */
  readonly body?: string
  /** Member that holds the bytes in base64, for an upstream whose response is JSON. */
  readonly base64?: { readonly member: string; readonly mediaType: string }
}

/** Videos at one upstream. Pure. */
export interface VideoService extends TaskService {
  /**
   * The request that orders a video.
   * @throws RequestFault that names the public field (`seconds`, `size`, `input_reference`, `metadata`, …) whose value this
   *   upstream or model does not support, with the supported values
   */
  submit(order: VideoOrder, target: Target): TaskRequest
  /** Returns the terms of an order that `submit` takes, with those of its `metadata`. */
  terms(order: VideoOrder, target: Target): VideoTerms
  /**
   * The upstream's id of the task; `undefined` when the response did not accept the order (the provider's `decodeError` then
   * reads its error).
   * @param body the parsed response of a 2xx
   * @param sent the order as sent: it holds what a later request needs beside the task's id
   */
  reference(body: unknown, sent: TaskRequest): string | undefined
  /**
   * The request for the bytes of a finished video, where its address needs the channel's credential. Absent where
   * `properties.url` of a report is always a public address, and `undefined` for a public one.
   * @param url empty where the report has none
   */
  content?(task: OpenTask, url: string, target: ChannelTarget): ContentRequest | undefined
}

/** The tasks that an upstream supports; a mode is absent where it does not. */
export interface TaskServices {
  readonly drawing?: ForwardedTaskService
  readonly music?: ForwardedTaskService
  /** `undefined` for a model that makes no videos. */
  readonly video?: (model: string) => VideoService | undefined
}
