import type { ProfileEntry } from './target-profile.ts'

/** Decides by the profile whether a provider takes `stream_options`, which requests the usage of streams. */
export function takesStreamOptions(entry: ProfileEntry): boolean {
  if ('chat' in entry || typeof entry.fields === 'string') return true
  const { takes, drops = [] } = entry.fields.value
  return !drops.includes('stream_options') && (takes === 'any' || takes.includes('stream_options'))
}
