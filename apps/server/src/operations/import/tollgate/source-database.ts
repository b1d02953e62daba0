import type { Vault } from '../../../lib/crypto.ts'
import { readTables, type TableShape } from '../../../store/engine/copy/catalogue.ts'
import type { CopySource } from '../../../store/engine/copy/copy-source.ts'
import { query, type Row, type Value } from '../../../store/program.ts'

const rowsPerRead = 500

/** The database of another Tollgate, of the schema of this program, with what opens its secrets. */
export class SourceDatabase {
  /** Address without credentials. */
  readonly origin: string
  /** Tells the installation from every other one. */
  readonly identity: string
  readonly vault: Vault
  readonly #source: CopySource

  constructor(
    source: CopySource,
    { origin, identity, vault }: Pick<SourceDatabase, 'origin' | 'identity' | 'vault'>,
  ) {
    this.#source = source
    this.origin = origin
    this.identity = identity
    this.vault = vault
  }

  /** @throws StoreOpenError when the database began to change while it was read */
  async query<Shape extends object = Row>(
    sql: string,
    parameters: readonly Value[] = [],
  ): Promise<readonly Shape[]> {
    const rows = await this.#source.read(query<Shape>(sql, parameters))
    this.#source.requireUndisturbed()
    return rows
  }

  /** The rows of a table in the order of their ids, some at a time, with the columns of one that has a row for each. */
  async *pages(table: string, joined?: string): AsyncGenerator<readonly Row[]> {
    const join = joined === undefined ? '' : `join "${joined}" on "${joined}".id = "${table}".id`
    let last = 0
    for (;;) {
      const rows = await this.query(
        `select * from "${table}" ${join} where "${table}".id > ? order by "${table}".id limit ${rowsPerRead}`,
        [last],
      )
      if (rows.length === 0) return
      yield rows
      last = Number(rows.at(-1)?.['id'])
    }
  }

  async tables(): Promise<ReadonlyMap<string, TableShape>> {
    return await this.#source.read(readTables(this.#source.kind))
  }

  /** Opens a text that was sealed for this context; `undefined` when it does not open. An empty text is none. */
  opened(sealed: unknown, context: Parameters<Vault['open']>[1]): string | undefined {
    return sealed === '' ? '' : this.vault.openIfKnown(String(sealed), context)
  }
}
