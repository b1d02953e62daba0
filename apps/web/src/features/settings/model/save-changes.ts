import { type Failure, failuresOf, runSequentially } from '../../../lib/api/run-sequentially.ts'
import type { VisibleKey } from './catalogue.ts'

/** One setting and the text that it is to have. */
export interface SettingChange {
  readonly key: VisibleKey
  readonly value: string
  /** The text that it was made on; of a secret there is none. */
  readonly base?: string
}

export interface SaveOutcome {
  readonly saved: readonly SettingChange[]
  readonly failures: readonly Failure<SettingChange>[]
}

const isSwitch = ({ key }: SettingChange): boolean => /enabled$/i.test(key)
const isOn = ({ value }: SettingChange): boolean => value === 'true'

/**
 * Saves each change with a call of its own: switches one after the other up to the first that is refused, everything
 * else at once. What is switched off goes before the others and what is switched on after them, because a switch needs
 * what it switches on: a provider its client, for one. A switch that needs another stands after it in the catalogue, so
 * those that are switched off go from the last to the first.
 */
export async function saveChanges(
  changes: readonly SettingChange[],
  save: (change: SettingChange) => Promise<unknown>,
): Promise<SaveOutcome> {
  const { signal } = new AbortController()
  const switches = changes.filter(isSwitch)
  const inTurn = (some: readonly SettingChange[]) =>
    runSequentially(some, save, { signal, stopAtFailure: true })
  const off = await inTurn(switches.filter((change) => !isOn(change)).toReversed())
  const others = await Promise.all(
    changes
      .filter((change) => !isSwitch(change))
      .map((change) => runSequentially([change], save, { signal })),
  )
  const isRefused = failuresOf(off).length > 0
  const on = isRefused ? [] : await inTurn(switches.filter(isOn))
  const outcomes = [...off, ...others.flat(), ...on]
  return {
    saved: outcomes.flatMap((outcome) => (outcome.ok ? [outcome.item] : [])),
    failures: failuresOf(outcomes),
  }
}
