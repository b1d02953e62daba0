import type { FieldOfPage } from '@tollgate/api'
import { type ReactNode, useMemo } from 'react'
import { useGridBelow } from '../../lib/browser/media-query.ts'
import { actionsColumn, type DataColumn } from '../data-table/index.ts'
import { Money } from '../ui/money.tsx'
import { RelativeTime } from '../ui/relative-time.tsx'

export interface FieldColumnsOptions<Row> {
  readonly fields: readonly FieldOfPage[]
  /** Name of a column, already translated. Steady while the language stays. */
  readonly label: (name: string) => string
  /** Cells of fields that are shown in another way than their kind. Steady. */
  readonly cells: Readonly<Partial<Record<keyof Row, (row: Row, isTight: boolean) => ReactNode>>>
  /** Buttons and menu of a row. Steady. */
  readonly actions: (row: Row) => ReactNode
}

/** The columns of a resource, as its fields declare them. A card has the name, the status, and what `actions` adds. */
export function useFieldColumns<Row extends { readonly id: number; readonly name: string }>(
  options: FieldColumnsOptions<Row>,
): readonly DataColumn<Row>[] {
  const { fields, label, cells, actions } = options
  const below820 = useGridBelow(820)
  const below960 = useGridBelow(960)
  const below1280 = useGridBelow(1280)
  const isTight = useGridBelow(1360)
  return useMemo(() => {
    const isNarrowerThan = { 820: below820, 960: below960, 1280: below1280, 1360: isTight }
    const columns = fields.flatMap(({ name, kind, column }): DataColumn<Row>[] => {
      if (column === undefined) return []
      if (name === 'name') return [nameColumn(label(name))]
      const own = cells[name as keyof Row]
      const cell = (row: Row): ReactNode =>
        own ? own(row, isTight) : <PlainCell kind={kind} value={row[name as keyof Row]} isTight={isTight} />
      return [
        {
          id: name,
          header: label(name),
          card: name === 'status' ? 'corner' : 'none',
          cell,
          ...(column.sort && { sortable: true }),
          ...((kind === 'quota' || kind === 'integer') && own === undefined && { numeric: true }),
          ...(kind === 'quota' && { numeric: true }),
          ...(column.from && { hidden: isNarrowerThan[column.from] }),
        },
      ]
    })
    return [...columns, { id: actionsColumn, header: '', cell: actions }]
  }, [fields, label, cells, actions, below820, below960, below1280, isTight])
}

/** The name: whole on hover, the title of a card. */
function nameColumn<Row extends { readonly name: string }>(header: string): DataColumn<Row> {
  return {
    id: 'name',
    sortable: true,
    header,
    card: 'title',
    cell: ({ name }) => (
      <span className="block max-w-48 truncate max-sm:max-w-full" title={name}>
        {name}
      </span>
    ),
  }
}

interface PlainCellProps extends Pick<FieldOfPage, 'kind'> {
  readonly value: unknown
  readonly isTight: boolean
}

function PlainCell({ kind, value, isTight }: PlainCellProps) {
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
