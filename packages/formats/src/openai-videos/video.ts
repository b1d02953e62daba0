/** State of a video, in OpenAI's words. */
export type VideoStatus = 'queued' | 'in_progress' | 'completed' | 'failed'

/** Facts of a video that was ordered. Times are seconds since 1970. */
export interface VideoState {
  readonly id: string
  readonly model: string
  readonly status: VideoStatus
  /** Percent. */
  readonly progress: number
  readonly createdAt: number
  readonly completedAt: number | undefined
  readonly prompt: string
  readonly seconds: number
  /** Size as it was ordered; empty when the order left it open. */
  readonly size: string
  /** Reason why it failed. */
  readonly error: { readonly code: string; readonly message: string } | undefined
  /** Address of a finished video that everybody may fetch. */
  readonly url: string | undefined
}

/** The object that callers are answered. https://platform.openai.com/docs/api-reference/videos/object */
export function encodeVideo(video: VideoState): string {
  const { id, model, status, progress, createdAt, completedAt, prompt, seconds, size, error, url } = video
  return JSON.stringify({
    id,
    object: 'video',
    model,
    status,
    progress,
    created_at: createdAt,
    completed_at: completedAt ?? null,
    expires_at: null,
    prompt,
    seconds: String(seconds),
    ...(size !== '' && { size }),
    remixed_from_video_id: null,
    error: error ?? null,
    ...(url !== undefined && { metadata: { url } }),
  })
}
