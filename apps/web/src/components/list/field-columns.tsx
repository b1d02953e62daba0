import type { ColumnOfPage } from '@tollgate/api'
import { type ReactNode, useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useGridBelow } from '../../lib/browser/media-query.ts'
import { actionsColumn, type DataColumn } from '../data-table/index.ts'
import { Money } from '../ui/money.tsx'
import { RelativeTime } from '../ui/relative-time.tsx'

interface ListedRow {
  readonly id: number
}

/** Traits of a column that a page has otherwise than its field. */
type OwnColumn<Row extends ListedRow> = Partial<Omit<DataColumn<Row>, 'id' | 'header' | 'cell'>>

export interface FieldColumnsOptions<Row extends ListedRow> {
  /** Steady. */
  readonly fields: readonly Partial<ColumnOfPage>[]
  /** Name of a column, already translated. Steady while the language stays. */
  readonly label: (name: string) => string
  /** Cells of fields that are shown in another way than their kind. Steady. */
  readonly cells: Readonly<Partial<Record<string, (row: Row, isTight: boolean) => ReactNode>>>
  /** Buttons and menu of a row. Steady. */
  readonly actions: (row: Row) => ReactNode
  /** Traits by names of fields. Steady. */
  readonly own?: Readonly<Record<string, OwnColumn<Row>>>
  /** Columns that are no field. Steady. */
  readonly others?: readonly DataColumn<Row>[]
  /** Ids in reading order; those that are not among them come last. Steady. */
  readonly order?: readonly string[]
}

/** The columns of a resource, as its fields declare them. A card has the name, the status, and what `actions` adds. */
export function useFieldColumns<Row extends ListedRow>(
  options: FieldColumnsOptions<Row>,
): readonly DataColumn<Row>[] {
  const { fields, label, cells, actions, own, others = none, order = none } = options
  const isNarrowerThan = useWidths()
  return useMemo(() => {
    const columns = fields.flatMap((field): DataColumn<Row>[] =>
      isColumn(field)
        ? [{ ...columnOf<Row>(field, { label, cells, isNarrowerThan }), ...own?.[field.name] }]
        : [],
    )
    return [...inOrder([...columns, ...others], order), { id: actionsColumn, header: '', cell: actions }]
  }, [fields, label, cells, actions, own, others, order, isNarrowerThan])
}

const none = [] as const

function isColumn(field: Partial<ColumnOfPage>): field is ColumnOfPage {
  return field.column !== undefined
}

type Widths = Readonly<Record<NonNullable<ColumnOfPage['column']['from']>, boolean>>

function useWidths(): Widths {
  const [is768, is820, is960] = [useGridBelow(768), useGridBelow(820), useGridBelow(960)]
  const [is1280, is1360, is1440] = [useGridBelow(1280), useGridBelow(1360), useGridBelow(1440)]
  return useMemo(
    () => ({ 768: is768, 820: is820, 960: is960, 1280: is1280, 1360: is1360, 1440: is1440 }),
    [is768, is820, is960, is1280, is1360, is1440],
  )
}

interface Drawing<Row extends ListedRow> extends Pick<FieldColumnsOptions<Row>, 'label' | 'cells'> {
  readonly isNarrowerThan: Widths
}

function columnOf<Row extends ListedRow>(
  { name, kind, column }: ColumnOfPage,
  { label, cells, isNarrowerThan }: Drawing<Row>,
): DataColumn<Row> {
  const isTight = isNarrowerThan[1360]
  const ownCell = cells[name]
  const cell = (row: Row): ReactNode =>
    ownCell ? (
      ownCell(row, isTight)
    ) : (
      <PlainCell kind={kind} value={row[name as keyof Row]} isTight={isTight} />
    )
  return {
    id: name,
    header: label(name),
    ...(name === 'name'
      ? { card: 'title', cell: cells[name] ? cell : nameCell }
      : { card: cardOf(name), cell }),
    ...(column.sort && { sortable: true }),
    ...((kind === 'quota' || (kind === 'integer' && ownCell === undefined)) && { numeric: true }),
    ...((column.hidden || column.from) && { hidden: column.hidden ?? isNarrowerThan[column.from ?? 768] }),
  }
}

const cardOf = (name: string) => (name === 'status' ? 'corner' : 'none')

function inOrder<Row extends ListedRow>(
  columns: readonly DataColumn<Row>[],
  order: readonly string[],
): readonly DataColumn<Row>[] {
  const rank = ({ id }: DataColumn<Row>) => (order.includes(id) ? order.indexOf(id) : order.length)
  return columns.toSorted((a, b) => rank(a) - rank(b))
}

/** The name: whole on hover, the title of a card. */
function nameCell(row: object): ReactNode {
  const name = 'name' in row ? String(row.name) : ''
  return (
    <span className="block max-w-48 truncate max-sm:max-w-full" title={name}>
      {name}
    </span>
  )
}

interface PlainCellProps extends Pick<ColumnOfPage, 'kind'> {
  readonly value: unknown
  readonly isTight: boolean
}

/** Shows a value by the kind of its field, and nothing for a row that sums others up. */
function PlainCell({ kind, value, isTight }: PlainCellProps) {
  if (value === undefined) return null
  switch (kind) {
    case 'quota':
      return <Money quota={Number(value)} single={isTight} />
    case 'time':
      return <RelativeTime at={Number(value)} />
    case 'integer':
      return <span className="figures text-muted">{String(value)}</span>
    default:
      return <span className="block max-w-40 truncate">{String(value)}</span>
  }
}

/** Returns a list's name of a field: a text of its page, or the name that all pages share. */
export function useColumnLabel(page: 'channels' | 'users'): (name: string) => string {
  const { t, i18n } = useTranslation([page, 'fields'])
  return useCallback(
    (name) =>
      i18n.exists(`column.${name}`, { ns: page })
        ? t(`${page}:column.${name as 'status'}`)
        : t(`fields:${name as 'status'}`),
    [t, i18n, page],
  )
}
