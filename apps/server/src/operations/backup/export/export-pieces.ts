import { createHash, type Hash } from 'node:crypto'
import { readOption, readTables, type TableShape } from '../../../store/engine/copy/catalogue.ts'
import type { CopySource } from '../../../store/engine/copy/copy-source.ts'
import { type OpenTable, openTables } from '../../../store/engine/copy/open-formats.ts'
import { readSourceState } from '../../../store/engine/copy/source-state.ts'
import { BackupError } from '../errors.ts'
import { type Open, openRowOf } from './open-row.ts'

export interface Exporting {
  readonly source: CopySource
  /** Absent where secrets stay out. */
  readonly open: Open | undefined
  readonly version: string
  readonly now: Date
}

/** Some bytes of a file. Pieces of one file follow each other, and an empty file has one, too. */
export interface ExportPiece {
  readonly name: string
  readonly bytes: Uint8Array
  /** Rows of a table in it. */
  readonly rows: number
}

interface ExportedFile {
  readonly name: string
  readonly what: string
  readonly rows: number
  readonly sha256: string
}

const defaultQuotaPerUnit = 500_000

/**
 * Everything that another system can use, as of one moment: a file of JSON lines for each kind of rows, then `about.json`, which says
 * what they are, and `SHA256SUMS`.
 * @throws BackupError or StoreOpenError with one sentence
 */
export async function* exportPieces(exporting: Exporting): AsyncGenerator<ExportPiece> {
  const { source } = exporting
  const { isUsed } = await readSourceState(source)
  if (!isUsed) throw new BackupError('The database holds no installation yet.')
  const shapes = await source.read(readTables(source.kind))
  const files: ExportedFile[] = []
  for (const table of openTables) files.push(yield* tablePieces(exporting, table, shapes))
  const about = hashed('about.json', await aboutText(exporting, files))
  yield about.piece
  const sums = [...files, { name: about.piece.name, sha256: about.sha256 }]
  yield hashed('SHA256SUMS', sums.map(({ sha256, name }) => `${sha256}  ${name}\n`).join('')).piece
  source.requireUndisturbed()
}

async function* tablePieces(
  { source, open }: Exporting,
  { table, joined, file, what }: OpenTable,
  shapes: ReadonlyMap<string, TableShape>,
): AsyncGenerator<ExportPiece, ExportedFile> {
  const others = joined === undefined ? undefined : shapeOf(shapes, joined)
  const name = `${file}.jsonl`
  const hash = createHash('sha256')
  let rows = 0
  for await (const batch of source.batches(shapeOf(shapes, table), others)) {
    const lines = batch.map((row) => `${JSON.stringify(openRowOf(table, row, open))}\n`)
    rows += batch.length
    yield pieceOf(name, lines.join(''), hash, batch.length)
  }
  if (rows === 0) yield pieceOf(name, '', hash, 0)
  return { name, what, rows, sha256: hash.digest('hex') }
}

function shapeOf(shapes: ReadonlyMap<string, TableShape>, table: string): TableShape {
  const shape = shapes.get(table)
  if (shape === undefined) throw new Error(`the schema has no table ${table}`)
  return shape
}

function pieceOf(name: string, text: string, hash: Hash, rows: number): ExportPiece {
  const bytes = Buffer.from(text)
  hash.update(bytes)
  return { name, bytes, rows }
}

function hashed(name: string, text: string): { readonly piece: ExportPiece; readonly sha256: string } {
  const hash = createHash('sha256')
  const piece = pieceOf(name, text, hash, 0)
  return { piece, sha256: hash.digest('hex') }
}

/** Says what the files hold, and what their numbers mean. */
async function aboutText(
  { source, open, version, now }: Exporting,
  files: readonly ExportedFile[],
): Promise<string> {
  const quotaPerUnit = Number((await source.read(readOption('QuotaPerUnit'))) ?? defaultQuotaPerUnit)
  const about = {
    product: 'Tollgate',
    version,
    createdAt: now.toISOString(),
    withSecrets: open !== undefined,
    quotaPerUnit,
    units: {
      quota: `balances and charges are integers; ${quotaPerUnit} are one unit of currency`,
      times: 'seconds since 1970, UTC; names that end with _ms: milliseconds',
      flags: '0 and 1',
      lists: 'lists and objects inside of a member are JSON texts',
    },
    files: files.map(({ name, what, rows }) => ({ name, what, rows })),
  }
  return `${JSON.stringify(about, undefined, 2)}\n`
}
