import { profiles } from './profiles.ts'
import type { ProfileEntry } from './target-profile.ts'

/** The profile of a provider. @throws TypeError for an id that the table does not have */
export function profileOf(id: string): ProfileEntry {
  const entry = Object.hasOwn(profiles, id) ? profiles[id] : undefined
  if (entry === undefined) throw new TypeError(`the provider ${id} has no profile`)
  return entry
}
