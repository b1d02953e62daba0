import { type KeyFault, keyFault, keysIn } from '@tollgate/api/channel-types'
import type { ChannelForm } from './channel-form.ts'

const keyProblems = {
  characters: 'keyInvalid',
  format: 'keyFormat',
  'service-account': 'keyServiceAccount',
} as const satisfies Record<KeyFault, string>

/** The first key that cannot be used: which one, counted from 1, and why. */
export function firstKeyFault({ keys, type }: Pick<ChannelForm, 'keys' | 'type'>) {
  const faults = keysIn(keys, type).map((key) => keyFault(key, type))
  const index = faults.findIndex((fault) => fault !== undefined)
  const fault = faults[index]
  return fault && { line: index + 1, problem: keyProblems[fault] }
}
