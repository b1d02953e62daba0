import type { Vault } from '../../lib/crypto.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Store } from '../../store/store.ts'
import type { Seconds } from '../../store/units.ts'
import type { ImportedKind } from '../../store/work/imports.ts'
import type { ImportSource, Unit } from './import-source.ts'

/** Choices of the operator. */
export interface ImportChoices {
  /** The super admin of the source becomes one here too, though there is one. */
  readonly asRoot: boolean
  /** Options are taken that the console would ask about first. */
  readonly isConfirmed: boolean
}

export interface ImportContext extends ImportChoices {
  /** The name under which rows are noted as taken. */
  readonly name: string
  readonly source: ImportSource
  /** Store of the import; in a dry run all of it is one transaction, which is rolled back. */
  readonly store: Store
  readonly settings: Settings
  readonly vault: Vault
  /** The moment of this run, which no other run of the source has. */
  readonly now: Seconds
  readonly ids: TakenIds
}

/** Units of quota in a dollar, by the options in force. */
export function unitOf({ settings }: Pick<ImportContext, 'settings'>): Unit {
  return { quotaPerUnit: settings.current.QuotaPerUnit }
}

/** Ids here of the rows that were taken, by this run or an earlier one. */
export class TakenIds {
  readonly #name: string
  readonly #known = new Map<string, number>()

  constructor(name: string) {
    this.#name = name
  }

  /** `undefined` for a row that was not taken. */
  async of(tx: Pick<Store, 'imports'>, kind: ImportedKind, sourceId: string): Promise<number | undefined> {
    if (sourceId === '') return undefined
    const known = this.#known.get(`${kind} ${sourceId}`)
    if (known !== undefined) return known
    const stored = (await tx.imports.known(this.#name, kind, [sourceId])).get(sourceId)?.targetId
    if (stored !== undefined) this.add(kind, sourceId, stored)
    return stored
  }

  add(kind: ImportedKind, sourceId: string, targetId: number): void {
    this.#known.set(`${kind} ${sourceId}`, targetId)
  }
}
