import { isObject, type JsonObject, listOf } from '../json/value.ts'

/** A drawing as the gateway keeps it. Times are milliseconds, 0 until then. */
export interface MidjourneyTask {
  readonly id: string
  readonly action: string
  readonly prompt: string
  readonly status: string
  /** Percent. */
  readonly progress: number
  readonly submittedMs: number
  readonly startedMs: number
  readonly finishedMs: number
  readonly failReason: string
  /** Further members that stay: `prompt_en`, `description`, `state`, `image_url`, `buttons`, `properties`, …. */
  readonly own: JsonObject
}

/** Writes a drawing as clients read it; of a video, newer clients read its address, too. */
export function encodeMidjourneyTask(task: MidjourneyTask, imageUrl: string) {
  const { own } = task
  return {
    id: task.id,
    action: task.action,
    customId: text(own['custom_id']),
    botType: text(own['bot_type']),
    prompt: task.prompt,
    promptEn: text(own['prompt_en']),
    description: text(own['description']),
    state: text(own['state']),
    submitTime: task.submittedMs,
    startTime: task.startedMs,
    finishTime: task.finishedMs,
    imageUrl,
    status: task.status,
    progress: `${task.progress}%`,
    failReason: task.failReason,
    buttons: Array.isArray(own['buttons']) ? own['buttons'] : null,
    maskBase64: '',
    ...(text(own['video_url']) !== '' && { videoUrl: text(own['video_url']) }),
    properties: isObject(own['properties']) ? own['properties'] : null,
  }
}

/**
 * Address of a task's image for its owner: the upstream's, or the gateway's own in its place.
 * @param nanoseconds distinguishes the images of an unfinished task, so that no cache returns an earlier one
 */
export function midjourneyImageUrl(
  { id, status, own }: Pick<MidjourneyTask, 'id' | 'status' | 'own'>,
  server: { readonly address: string; readonly forwards: boolean },
  nanoseconds: bigint,
): string {
  const original = text(own['image_url'])
  if (!server.forwards || original === '' || id === '') return original
  const address = `${server.address.replace(/\/+$/, '')}/mj/image/${encodeURIComponent(id)}`
  return status === 'SUCCESS' ? address : `${address}?rand=${nanoseconds}`
}

/** The ids of a list that a client asks for; `undefined` when the body holds none of the kind. */
export function readTaskIds(body: unknown): readonly string[] | undefined {
  if (!isObject(body)) return undefined
  const ids = body['ids'] ?? []
  if (!Array.isArray(ids)) return undefined
  const texts = listOf(ids).map((id) => (typeof id === 'number' ? String(id) : id))
  return texts.every((id) => typeof id === 'string') ? [...new Set(texts as string[])] : undefined // Checked.
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
