import { type Failure, failuresOf, runInOrder } from '../../../lib/run-in-order.ts'
import type { ShownKey } from './catalogue.ts'

/** One setting and the text that it is to have. */
export interface SettingChange {
  readonly key: ShownKey
  readonly value: string
}

export interface SaveOutcome {
  readonly saved: readonly SettingChange[]
  readonly failures: readonly Failure<SettingChange>[]
}

const isSwitch = ({ key }: SettingChange): boolean => /enabled$/i.test(key)

/**
 * Saves each change with a call of its own: switches one after the other up to the first that is refused, everything
 * else at once.
 */
export async function saveChanges(
  changes: readonly SettingChange[],
  save: (change: SettingChange) => Promise<unknown>,
): Promise<SaveOutcome> {
  const signal = new AbortController().signal
  const switches = await runInOrder(changes.filter(isSwitch), save, { signal, stopAtFailure: true })
  const others = await Promise.all(
    changes.filter((change) => !isSwitch(change)).map((change) => runInOrder([change], save, { signal })),
  )
  const outcomes = [...switches, ...others.flat()]
  return {
    saved: outcomes.flatMap((outcome) => (outcome.ok ? [outcome.item] : [])),
    failures: failuresOf(outcomes),
  }
}
