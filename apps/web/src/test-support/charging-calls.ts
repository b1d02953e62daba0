import { chargingOptions } from '@tollgate/api'
import type { NamedCall } from '@tollgate/api/test-support'

/** Calls of who sets prices that charge nobody otherwise. */
const chargesAlike = {
  'groups.rename': 'members, keys and channels keep their ratio under the new name',
  'modelNames.rename': 'prices go with the name, and its preview says whose calls are concerned',
} as const

/**
 * Decides whether a call may charge callers otherwise: whatever page makes it asks first, with `channels.stops`. A revert is not among these, as its
 * record alone says what it changes, and *Undo* leads back to what was in force a moment ago.
 */
export function chargesOtherwise({ name, call }: NamedCall, body: unknown): boolean {
  if (Object.hasOwn(chargesAlike, name) || call.method === 'GET' || call.recentProof === 'reads') return false
  if (![call.part].flat().includes('prices')) return false
  return !name.startsWith('options.set') || optionsIn(body).some(isCharging)
}

function optionsIn(body: unknown): readonly string[] {
  const { key, options = [] } = body as { key?: string; options?: readonly { key: string }[] }
  return key === undefined ? options.map((option) => option.key) : [key]
}

function isCharging(key: string): boolean {
  return chargingOptions.some((known) => known === key)
}
