import type { PageSource } from './page-source.ts'
import { decodeRecord, readVarint, type StoredValue } from './record.ts'

/** A row as a page holds it. */
export interface StoredRow {
  /** Absent in a table without row ids. */
  readonly rowid?: number
  readonly values: readonly StoredValue[]
}

/** Content of a page of a b-tree, as far as it can be read. */
export interface TreePage {
  /** Kind of the tree: of a table, or of an index; a table without row ids is stored as one. */
  readonly kind: 'table' | 'index'
  readonly isLeaf: boolean
  readonly children: readonly number[]
  readonly rows: readonly StoredRow[]
  /** Some cells could not be read. */
  readonly isTorn: boolean
}

const pageKinds: Readonly<Record<number, Pick<TreePage, 'kind' | 'isLeaf'>>> = {
  2: { kind: 'index', isLeaf: false },
  5: { kind: 'table', isLeaf: false },
  10: { kind: 'index', isLeaf: true },
  13: { kind: 'table', isLeaf: true },
}

/** Reads a page of a b-tree; `undefined` for what is none. Pages of large values that it used are added to `used`. */
export function readTreePage(source: PageSource, number: number, used: Set<number>): TreePage | undefined {
  const bytes = source.read(number)
  // The head of the file stands before the first page's own.
  const start = number === 1 ? 100 : 0
  const kind = pageKinds[bytes[start] ?? 0]
  if (kind === undefined) return undefined
  const cells = bytes.readUInt16BE(start + 3)
  const pointers = start + (kind.isLeaf ? 8 : 12)
  if (pointers + cells * 2 > source.usable) return undefined
  const children: number[] = []
  const rows: StoredRow[] = []
  let isTorn = false
  for (let index = 0; index < cells; index += 1) {
    const cell = readCell({ source, bytes, kind, used }, bytes.readUInt16BE(pointers + index * 2))
    if (cell === undefined) isTorn = true
    if (cell?.child !== undefined) children.push(cell.child)
    if (cell?.row !== undefined) rows.push(cell.row)
  }
  if (!kind.isLeaf) children.push(bytes.readUInt32BE(start + 8))
  return { ...kind, children, rows, isTorn }
}

interface Position {
  readonly source: PageSource
  readonly bytes: Buffer
  readonly kind: Pick<TreePage, 'kind' | 'isLeaf'>
  readonly used: Set<number>
}

interface Cell {
  readonly child?: number
  readonly row?: StoredRow
}

function readCell(position: Position, at: number): Cell | undefined {
  const { source, bytes, kind } = position
  if (at < 8 || at + 4 > source.usable) return undefined
  if (kind.isLeaf) {
    const row = readRow(position, at)
    return row && { row }
  }
  const child = bytes.readUInt32BE(at)
  if (kind.kind === 'table') return { child }
  const row = readRow(position, at + 4)
  return row === undefined ? undefined : { child, row }
}

function readRow({ source, bytes, kind, used }: Position, at: number): StoredRow | undefined {
  const length = readVarint(bytes, at)
  if (length === undefined || length.value < 1) return undefined
  const rowid = kind.kind === 'table' ? readVarint(bytes, length.next) : undefined
  if (kind.kind === 'table' && rowid === undefined) return undefined
  const start = rowid?.next ?? length.next
  const payload = readPayload(source, bytes, start, length.value, kind.kind, used)
  const values = payload && decodeRecord(payload)
  if (values === undefined) return undefined
  return rowid === undefined ? { values } : { rowid: rowid.value, values }
}

/** A payload with what of it stands on pages of its own. https://www.sqlite.org/fileformat2.html#cellformat */
function readPayload(
  source: PageSource,
  bytes: Buffer,
  start: number,
  length: number,
  kind: TreePage['kind'],
  used: Set<number>,
): Buffer | undefined {
  const local = localBytes(source.usable, length, kind)
  if (start + local > source.usable) return undefined
  const first = bytes.subarray(start, start + local)
  if (local === length) return first
  // No value is larger than the whole file.
  if (length > source.count * source.pageSize || start + local + 4 > source.usable) return undefined
  return withOverflow(source, first, length, bytes.readUInt32BE(start + local), used)
}

function localBytes(usable: number, length: number, kind: TreePage['kind']): number {
  const max = kind === 'table' ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23
  if (length <= max) return length
  const minLocal = Math.floor(((usable - 12) * 32) / 255) - 23
  const retained = minLocal + ((length - minLocal) % (usable - 4))
  return retained <= max ? retained : minLocal
}

function withOverflow(
  source: PageSource,
  first: Buffer,
  length: number,
  from: number,
  used: Set<number>,
): Buffer | undefined {
  const parts = [first]
  const pages: number[] = []
  let missing = length - first.length
  let number = from
  while (missing > 0) {
    if (number < 2 || number > source.count || used.has(number)) return undefined
    pages.push(number)
    const page = source.read(number)
    parts.push(page.subarray(4, Math.min(source.usable, 4 + missing)))
    missing -= source.usable - 4
    number = page.readUInt32BE(0)
  }
  for (const page of pages) used.add(page)
  return Buffer.concat(parts)
}
