import type { TaskEntry } from '@tollgate/api'
import { type Fields, fieldsOf, textOf } from '../../lib/format/json.ts'
import type { Job } from './job.ts'

/** Result of a job that can be looked at or listened to. */
export type Medium =
  | { readonly kind: 'image'; readonly url: string }
  | { readonly kind: 'audio'; readonly url: string; readonly title: string; readonly cover: string }
  | { readonly kind: 'video'; readonly url: string; readonly poster: string }
  /** A video that only the gateway can fetch, under its id. */
  | { readonly kind: 'stored-video'; readonly id: string }
  | { readonly kind: 'text'; readonly title: string; readonly text: string }

/** The media of a job, as its upstream returned them; empty while there are none. */
export function mediaOf(job: Job): readonly Medium[] {
  if ('mj_id' in job) return isAddress(job.image_url) ? [{ kind: 'image', url: job.image_url }] : []
  if (job.platform === 'video') return videoOf(job)
  return clipsOf(job.data).flatMap(clipMedia)
}

/** Picture of a job where a small one stands for it; empty without one. */
export function thumbnailOf(job: Job): string {
  for (const medium of mediaOf(job)) {
    if (medium.kind === 'image') return medium.url
    if (medium.kind === 'audio' && medium.cover !== '') return medium.cover
    if (medium.kind === 'video' && medium.poster !== '') return medium.poster
  }
  return ''
}

/** Title that the upstream gave a job; empty without one. */
export function titleOf(job: Job): string {
  if ('mj_id' in job || job.platform === 'video') return ''
  return (
    clipsOf(job.data)
      .map((clip) => textOf(clip['title']))
      .find((title) => title !== '') ?? ''
  )
}

function videoOf({ status, properties, task_id }: TaskEntry): readonly Medium[] {
  if (status !== 'SUCCESS') return []
  return isAddress(properties.url)
    ? [{ kind: 'video', url: properties.url, poster: '' }]
    : [{ kind: 'stored-video', id: task_id }]
}

/** Suno returns a list of clips, or an object with one. */
function clipsOf(data: unknown): readonly Fields[] {
  return Array.isArray(data) ? data.map(fieldsOf) : [fieldsOf(data)]
}

function clipMedia(clip: Fields): readonly Medium[] {
  const cover = [clip['image_large_url'], clip['image_url']].find(isAddress) ?? ''
  const title = textOf(clip['title'])
  const text = textOf(clip['text'])
  const { audio_url: audio, video_url: video } = clip
  return [
    ...(isAddress(audio) ? [{ kind: 'audio', url: audio, title, cover } as const] : []),
    ...(isAddress(video) ? [{ kind: 'video', url: video, poster: cover } as const] : []),
    ...(text !== '' ? [{ kind: 'text', title, text } as const] : []),
  ]
}

/** A browser would run the script in an address of another form. */
function isAddress(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\/|^\//.test(value)
}
