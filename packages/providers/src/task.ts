import type { JsonObject, VideoOrder } from '@tollgate/formats'
import type { ChannelTarget, Target, UpstreamEndpoint } from './channel-target.ts'

export type { VideoOrder }

/** Work that an upstream finishes later, by what is made. Each has a public form of its own. */
export type TaskMode = 'drawing' | 'music' | 'video'

/** Where a task stands. `MODAL`: it waits for more from its user. `SUCCESS` and `FAILURE` are its ends. */
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
  /** JSON, or empty for none. */
  readonly body: string
}

/** A task that has not ended, as its upstream knows it. */
export interface OpenTask {
  /** What the upstream calls it. */
  readonly reference: string
  /** The upstream's name for the model that works on it. */
  readonly model: string
}

/** What an upstream says of a task. What is absent has not changed. */
export interface TaskReport {
  readonly state: TaskState
  /** Percent, from 0 to 100. */
  readonly progress?: number
  /** Of a failure, in the upstream's words; of a task that goes on it is none. */
  readonly failReason?: string
  readonly startedMs?: number
  readonly finishedMs?: number
  /** What the upstream answered, as its user may see it. */
  readonly result?: unknown
  /** What the mode keeps of its own beside that (`image_url`, `buttons`, …), merged into what is kept already. */
  readonly properties?: JsonObject
}

/** What a response says of the tasks that were asked about; or what must be asked next to know. */
export type TaskResponse =
  /** By reference. The upstream knows no task that is not named; names that were not asked for are passed over. */
  { readonly reports: ReadonlyMap<string, TaskReport> } | { readonly next: TaskRequest }

/** How an upstream is asked what became of tasks. Pure. */
export interface TaskPolling {
  /** So many tasks one question may name; 1 where each is asked about alone. */
  readonly batch: number
  /** A new task may be missing from its lists for a while. */
  readonly listsNewTasksLate?: true
  /** A member of responses that holds whole videos as text; `read` gets no more than its beginning. */
  readonly shortened?: string
  question(tasks: readonly OpenTask[], target: ChannelTarget): TaskRequest
  /**
   * `undefined` for a response of another shape, or one that says nothing of the tasks: asked again later.
   * @param body the parsed response of a 200
   */
  read(body: unknown, tasks: readonly OpenTask[], target: ChannelTarget): TaskResponse | undefined
}

/** Tasks of a kind at one upstream. */
export interface TaskService {
  readonly polling: TaskPolling
}

/**
 * Drawings and music: submissions pass as their callers wrote them.
 * `path` begins with the form's own root, as in `/mj/submit/imagine` and `/suno/submit/MUSIC`; query included.
 */
export interface ForwardedTaskService extends TaskService {
  endpoint(path: string, target: ChannelTarget): UpstreamEndpoint
}

/** What of an order decides its price, with the upstream's usual values where the order leaves them open. */
export interface VideoTerms {
  readonly seconds: number
  /** Lines of the picture, as vendors name them: `480p`, `720p`, `768p`, `1080p`, `4k`. */
  readonly resolution: string
  /** Absent where it has none; `ordered` where the upstream makes none unless it is asked to. */
  readonly sound?: 'usual' | 'ordered'
}

/** A request for the bytes of something finished, before its credential is added. */
export interface ContentRequest extends UpstreamEndpoint {
  /** JSON, or empty for none. */
  readonly body?: string
  /** Of an upstream whose response is JSON: the member that holds the bytes in base64. */
  readonly base64?: { readonly member: string; readonly mediaType: string }
}

/** Videos at one upstream. Pure. */
export interface VideoService extends TaskService {
  /**
   * How a video is ordered.
   * @throws RequestFault that names the public field (`seconds`, `size`, `input_reference`, `metadata`, …) that this
   *   upstream or model cannot be told, with the values that it can
   */
  submit(order: VideoOrder, target: Target): TaskRequest
  /** Of an order that `submit` takes; with what `metadata` says. */
  terms(order: VideoOrder, target: Target): VideoTerms
  /**
   * What the upstream calls the task; `undefined` when the response is none that took the order (its error is read by the
   * provider's `decodeError` then).
   * @param body the parsed response of a 2xx
   * @param sent the order as it went out: where an upstream must be asked about a task by more than its id, that says it
   */
  reference(body: unknown, sent: TaskRequest): string | undefined
  /**
   * How the bytes of a finished video are fetched, where its address needs the channel's credential. Absent where what
   * `properties.url` of a report says is an address for everybody, and `undefined` for one that is.
   * @param url empty where the report said none
   */
  content?(task: OpenTask, url: string, target: ChannelTarget): ContentRequest | undefined
}

/** What an upstream makes that takes its time; a mode is absent where it does not. */
export interface TaskServices {
  readonly drawing?: ForwardedTaskService
  readonly music?: ForwardedTaskService
  /** `undefined` for a model that makes no videos. */
  readonly video?: (model: string) => VideoService | undefined
}
