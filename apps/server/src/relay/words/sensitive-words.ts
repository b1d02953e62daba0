import { buildAutomaton, type WordAutomaton, type WordFilter } from '@tollgate/formats'
import type { SettingsReader } from '../../settings/settings.ts'
import type { ChangeBus } from '../../store/change-events.ts'

/** The operator's words, ready to be looked for. */
export interface SensitiveWords {
  /** What prompts are looked through for; `undefined` while they are not. */
  prompts(): WordAutomaton | undefined
  /** The same of answers. */
  responses(): WordFilter | undefined
}

interface Dependencies {
  readonly settings: SettingsReader
  readonly bus: Pick<ChangeBus, 'subscribe'>
}

/** Building goes on for so long before calls are served in between. */
const sliceMs = 5

/** Words are made ready once for each change of them; until that is done, those before are looked for. */
export async function createSensitiveWords({ settings, bus }: Dependencies): Promise<SensitiveWords> {
  let words = settings.current.SensitiveWords
  let automaton = await built(words)

  async function renew(): Promise<void> {
    const changed = settings.current.SensitiveWords
    words = changed
    const next = await built(changed)
    // A later change has overtaken this one.
    if (words === changed) automaton = next
  }

  bus.subscribe('options-changed', ({ keys }) => {
    if (keys.includes('SensitiveWords')) void renew()
  })

  const ready = () => (automaton.isEmpty ? undefined : automaton)
  return {
    prompts() {
      const { CheckSensitiveEnabled, CheckSensitiveOnPromptEnabled } = settings.current
      return CheckSensitiveEnabled && CheckSensitiveOnPromptEnabled ? ready() : undefined
    },
    responses() {
      const { CheckSensitiveEnabled, CheckSensitiveOnCompletionEnabled } = settings.current
      const found = CheckSensitiveEnabled && CheckSensitiveOnCompletionEnabled ? ready() : undefined
      return found && { automaton: found, stop: settings.current.StopOnSensitiveEnabled }
    },
  }
}

async function built(words: readonly string[]): Promise<WordAutomaton> {
  const building = buildAutomaton(words)
  for (let since = performance.now(); ; ) {
    const { done, value } = building.next()
    if (done === true) return value
    if (performance.now() - since < sliceMs) continue
    await new Promise((resolve) => setImmediate(resolve))
    since = performance.now()
  }
}
