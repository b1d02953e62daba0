import type { ProfileEntry } from './target-profile.ts'

/** Whether a provider takes `stream_options`, by which the usage of streams is asked for. */
export function takesStreamOptions(entry: ProfileEntry): boolean {
  if ('chat' in entry || typeof entry.fields === 'string') return true
  const { takes, drops = [] } = entry.fields.value
  return !drops.includes('stream_options') && (takes === 'any' || takes.includes('stream_options'))
}
