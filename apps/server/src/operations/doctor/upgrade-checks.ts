import { programName, thisProgram } from '../../lib/program.ts'
import { stateText } from '../../store/engine/upgrade/refusals.ts'
import { requireUsableSchema } from '../../store/engine/upgrade/require-current.ts'
import type { SchemaState } from '../../store/engine/upgrade/schema-state.ts'
import type { CopyChoice } from '../../store/engine/upgrade/upgrade-report.ts'
import { type Finding, fail, warn } from './finding.ts'

const copyTexts: Readonly<Record<CopyChoice, string>> = {
  tables: 'copies every table but the usage log to',
  all: 'copies everything to',
  none: 'makes no copy (UPGRADE_COPY=none) in',
}

/**
 * Checks what a start would do to a database of an older version, or why it would refuse; finds nothing for one of this version.
 */
export function checkUpgrade(
  state: SchemaState | undefined,
  { folder, copyChoice }: { readonly folder: string; readonly copyChoice: CopyChoice },
): readonly Finding[] {
  if (state === undefined || state.applied.length === 0) return []
  try {
    const { pending } = requireUsableSchema(state)
    if (pending.length === 0) return []
    const text = `the database is of ${stateText(state)}. A start of ${programName(thisProgram)} ${copyTexts[copyChoice]} ${folder}, then runs ${pending.join(', ')}; there is no way back but a backup: make one first ("tollgate backup FILE")`
    return [warn('upgrade', text)]
  } catch (error) {
    return [fail('upgrade', error instanceof Error ? error.message : String(error))]
  }
}
