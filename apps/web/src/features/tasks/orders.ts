import { playgroundRoot } from '@tollgate/api'
import { requestHeaders } from '../../lib/api/api-client.ts'
import { type Fields, fieldsOf, listOf, parseJson, textOf } from '../../lib/format/json.ts'
import type { Job } from './job.ts'

/** A submission that the console makes with the session of its user, who pays for it. */
export interface Order {
  readonly path: string
  readonly body: object
}

/** The order of a job again; `undefined` where its row does not record all of it. */
export function sameOrder(job: Job): Order | undefined {
  if ('mj_id' in job)
    return job.action === 'IMAGINE' && job.prompt !== ''
      ? { path: '/mj/submit/imagine', body: { prompt: job.prompt } }
      : undefined
  const { input, model, seconds, size } = job.properties
  if (input === '') return undefined
  switch (job.action) {
    case 'TEXT_TO_VIDEO':
      return {
        path: '/v1/videos',
        body: {
          model,
          prompt: input,
          ...(seconds > 0 && { seconds: String(seconds) }),
          ...(size !== '' && { size }),
        },
      }
    case 'LYRICS':
      return { path: '/suno/submit/lyrics', body: { prompt: input } }
    case 'MUSIC':
      return { path: '/suno/submit/music', body: { prompt: input } }
    default:
      return undefined
  }
}

/** A step that the upstream offers for a finished drawing: upscale, vary, reroll. */
export interface DrawingButton {
  readonly customId: string
  readonly label: string
}

/** The buttons of a drawing, as its upstream named them. */
export function buttonsOf(job: Job): readonly DrawingButton[] {
  const listed = 'buttons' in job && job.status === 'SUCCESS' ? parseJson(job.buttons) : undefined
  return listOf(listed).flatMap((button) => {
    const { customId, label, emoji } = fieldsOf(button)
    const words = [textOf(emoji), textOf(label)].filter((word) => word !== '')
    return typeof customId === 'string' && words.length > 0 ? [{ customId, label: words.join(' ') }] : []
  })
}

export function buttonOrder(drawing: Job, { customId }: DrawingButton): Order {
  const taskId = 'mj_id' in drawing ? drawing.mj_id : ''
  return { path: '/mj/submit/action', body: { taskId, customId } }
}

/** Submits an order and returns the id of the new job; throws an `Error` with the gateway's own words. */
export async function submitOrder({ path, body }: Order): Promise<string> {
  const response = await fetch(playgroundRoot + path, {
    method: 'POST',
    credentials: 'same-origin',
    headers: requestHeaders(true),
    body: JSON.stringify(body),
  })
  const reply = fieldsOf(parseJson(await response.text()))
  // Drawings return `result`, songs `data`, videos `id`.
  const id = [reply['result'], reply['data'], reply['id']].map((value) => textOf(value)).find(Boolean)
  if (response.ok && id !== undefined) return id
  throw new Error(reasonOf(reply) || statusOf(response))
}

/** The gateway's own words, in the form of each dialect. */
function reasonOf(reply: Fields): string {
  return (
    textOf(fieldsOf(reply['error'])['message']) || textOf(reply['message']) || textOf(reply['description'])
  )
}

function statusOf({ status, statusText }: Response): string {
  return `${status} ${statusText}`
}

/** Fetches a video that only the gateway can reach; the object URL belongs to the caller. */
export async function loadVideo(id: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(`${playgroundRoot}/v1/videos/${encodeURIComponent(id)}/content`, {
    credentials: 'same-origin',
    headers: requestHeaders(false),
    signal,
  })
  if (response.ok) return URL.createObjectURL(await response.blob())
  throw new Error(reasonOf(fieldsOf(parseJson(await response.text()))) || statusOf(response))
}
