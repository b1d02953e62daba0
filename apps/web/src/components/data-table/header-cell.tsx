import type { RowData } from '@tanstack/react-table'
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { cx } from '../../lib/cx.ts'
import { actionsColumn, type DataColumn, nextSort, type SortState } from './columns.ts'

export const headCell =
  'sticky top-0 z-10 h-8 border-b bg-sunken px-3 text-left font-medium text-muted text-xs whitespace-nowrap'

export interface HeaderCellProps<Row extends RowData> {
  readonly column: DataColumn<Row>
  /** Classes of the first column, which stays while the others scroll. */
  readonly sticky: string
  /** Another column takes the room that is left. */
  readonly shrinks: boolean
  readonly sort?: SortState | undefined
  readonly onSortChange?: (sort: SortState | undefined) => void
}

/** Returns the width of a column; a growing one has what the table leaves it. */
function widthOf<Row extends RowData>(
  { grow, width }: DataColumn<Row>,
  shrinks: boolean,
): string | undefined {
  if (grow) return undefined
  return width ?? (shrinks ? '1px' : undefined)
}

/** Name of a column, with its sort mark. */
export function HeaderCell<Row extends RowData>(props: HeaderCellProps<Row>) {
  const { column, sticky, shrinks, sort, onSortChange } = props
  const { t } = useTranslation()
  const sorted = sort?.column === column.id ? sort : undefined
  return (
    <th
      scope="col"
      title={column.width === undefined ? undefined : column.header}
      aria-sort={sorted && (sorted.descending ? 'descending' : 'ascending')}
      style={{ width: widthOf(column, shrinks) }}
      className={cx(
        headCell,
        column.numeric && 'text-right',
        column.width && 'truncate',
        sticky && `${sticky} z-20`,
        column.id === actionsColumn && 'right-0 w-px',
      )}
    >
      {column.id === actionsColumn ? (
        <span className="sr-only">{t('table.actions')}</span>
      ) : column.sortable && onSortChange ? (
        <SortButton
          label={column.header}
          sorted={sorted}
          onPress={() => onSortChange(nextSort(column.id, sort))}
        />
      ) : (
        column.header
      )}
    </th>
  )
}

interface SortButtonProps {
  readonly label: string
  readonly sorted: SortState | undefined
  readonly onPress: () => void
}

function SortButton({ label, sorted, onPress }: SortButtonProps) {
  const Mark = sorted ? (sorted.descending ? ArrowDown : ArrowUp) : ChevronsUpDown
  return (
    <button
      type="button"
      className={cx(
        '-mx-1 inline-flex items-center gap-1 rounded-sm px-1 hover:text-text',
        sorted && 'text-text',
      )}
      onClick={onPress}
    >
      {label}
      <Mark className={cx('size-3', !sorted && 'opacity-50')} aria-hidden />
    </button>
  )
}
