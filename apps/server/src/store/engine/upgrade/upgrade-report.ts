import { programName, thisProgram } from '../../../lib/program.ts'
import { stateText } from './refusals.ts'
import type { SchemaState } from './schema-state.ts'

/** Choices for the copy before an upgrade: every table except those of the usage log, all of them, or nothing. */
export const copyChoices = ['tables', 'all', 'none'] as const
export type CopyChoice = (typeof copyChoices)[number]

/** Folder of the copies, in the data folder. */
export const copyFolder = 'upgrade-copies'

/** Report of a start that upgraded a database of an older version. */
export interface UpgradeReport {
  readonly before: SchemaState
  /** Names of the migrations that ran. */
  readonly ran: readonly string[]
  /** The file with what was there before. */
  readonly copy: { readonly file: string; readonly hasLog: boolean } | undefined
  /** Nodes live that cannot read what this version writes: it waits for them to end. */
  readonly waitsForNodes: boolean
}

/** The report in sentences for the operator. */
export function upgradeText(report: UpgradeReport): string {
  const { before, ran, waitsForNodes } = report
  const wayBack = waitsForNodes
    ? 'Nodes of the version before run on beside this one; once all are of this version there is no way back but a backup.'
    : 'There is no way back but a backup: migrations are not undone, and programs that cannot read what this one writes refuse the database.'
  return `The database was carried over from ${stateText(before)} to ${programName(thisProgram)}: ${ran.join(', ')} ran. ${wayBack} ${copyText(report)}`
}

function copyText({ copy }: UpgradeReport): string {
  if (copy === undefined) return 'No copy was made before.'
  const content = copy.hasLog ? 'everything' : 'every table but the usage log'
  return `A copy of ${content}, as it was before, is ${copy.file}: remove it when you need it no more.`
}
