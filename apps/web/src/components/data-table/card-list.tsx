import type { RowData } from '@tanstack/react-table'
import { ChevronRight } from 'lucide-react'
import { Fragment, type KeyboardEvent, type MouseEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cx } from '../../lib/cx.ts'
import { Checkbox } from '../ui/field/choice.tsx'
import { Skeleton } from '../ui/states.tsx'
import { actionsColumn, type DataColumn } from './columns.ts'
import { isForControl, rowsId } from './row-events.ts'
import type { TableBodyProps } from './table-props.ts'

/** The table on a phone: each row a card, each value with its label. */
export function CardList<Row extends RowData>(props: TableBodyProps<Row>) {
  const { table, view, rows, label, refreshing } = props
  if (rows === undefined) return <SkeletonCards />
  return (
    <ul
      id={rowsId}
      tabIndex={-1}
      aria-label={label}
      className={cx('flex flex-col gap-2 transition-opacity', refreshing && 'opacity-60')}
    >
      {table.getRowModel().rows.map((row) => (
        <RowCard
          key={row.id}
          {...props}
          row={row.original}
          id={row.id}
          columns={view.columns.filter((column) => view.visibility[column.id] !== false)}
          selectable={row.getCanSelect()}
          selected={row.getIsSelected()}
          onSelect={(selected) => row.toggleSelected(selected)}
        />
      ))}
    </ul>
  )
}

interface RowCardProps<Row extends RowData> extends TableBodyProps<Row> {
  readonly row: Row
  readonly id: string
  readonly columns: readonly DataColumn<Row>[]
  readonly selectable: boolean
  readonly selected: boolean
  readonly onSelect: (selected: boolean) => void
}

function RowCard<Row extends RowData>(props: RowCardProps<Row>) {
  const { row, id, columns, selected, onSelect, selection, onRowClick, isMuted, renderDetail } = props
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const position = (name: DataColumn<Row>['card']) =>
    columns.filter((column, index) => positionOf(column, index) === name && (column.onCard?.(row) ?? true))
  const subtitles = position('subtitle')
  const actions = columns.find((column) => column.id === actionsColumn)
  const press = onRowClick ? () => onRowClick(row) : undefined
  return (
    <li
      {...(press && {
        tabIndex: 0,
        onClick: (event: MouseEvent) => !isForControl(event) && press(),
        onKeyDown: (event: KeyboardEvent) =>
          event.key === 'Enter' && event.target === event.currentTarget && press(),
      })}
      className={cx(
        'rounded-lg border bg-surface px-3.5 py-3 text-sm',
        selected && 'border-accent! bg-accent-soft',
        isMuted?.(row) && 'text-muted',
      )}
    >
      <div className={cx('flex items-center gap-2', subtitles.length > 0 ? 'min-h-6' : 'min-h-8')}>
        {props.selectable && selection && (
          <Checkbox
            aria-label={t('table.selectRow', { id })}
            checked={selected}
            onCheckedChange={onSelect}
            className="-my-2 -ml-2 size-10"
          />
        )}
        <div className="min-w-0 flex-1 truncate font-semibold">
          {position('title').map((column) => (
            <Fragment key={column.id}>{column.cell(row)}</Fragment>
          ))}
        </div>
        {position('corner').map((column) => (
          <div key={column.id} className="shrink-0">
            {column.cell(row)}
          </div>
        ))}
      </div>
      {subtitles.map((column) => (
        <div key={column.id} className="min-w-0">
          <span className="sr-only">{column.header}</span> {column.cell(row)}
        </div>
      ))}
      <Figures columns={position('figure')} row={row} />
      <Lines columns={position('line')} row={row} />
      {(actions || renderDetail) && (
        <div className="mt-2 -mb-1 flex items-center justify-end gap-1 border-t pt-1.5">
          {renderDetail && (
            <button
              type="button"
              aria-expanded={open}
              className="mr-auto flex h-control items-center gap-1 text-muted text-xs"
              onClick={() => setOpen(!open)}
            >
              <ChevronRight className={cx('size-4 transition-transform', open && 'rotate-90')} aria-hidden />
              {t('table.details')}
            </button>
          )}
          {actions?.cell(row)}
        </div>
      )}
      {open && renderDetail && <div className="mt-2 border-t pt-3">{renderDetail(row)}</div>}
    </li>
  )
}

interface CardPartProps<Row extends RowData> {
  readonly columns: readonly DataColumn<Row>[]
  readonly row: Row
}

function positionOf<Row extends RowData>(
  column: DataColumn<Row>,
  index: number,
): NonNullable<DataColumn<Row>['card']> {
  if (column.id === actionsColumn) return 'none'
  return column.card ?? (index === 0 ? 'title' : 'line')
}

/** Everything else, a line each with its label. */
function Lines<Row extends RowData>({ columns, row }: CardPartProps<Row>) {
  if (columns.length === 0) return null
  return (
    <dl className="mt-2 grid grid-cols-[max-content_minmax(0,1fr)] items-center gap-x-4 gap-y-1.5">
      {columns.map((column) => (
        <div key={column.id} className="contents">
          <dt className="text-muted text-xs leading-6">{column.header}</dt>
          <dd className={cx('flex min-w-0 justify-end text-right', column.numeric && 'figures')}>
            <span className="min-w-0 break-words">{column.cell(row)}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The main figures, large, two a line: the left one may take more than half where it is long. */
function Figures<Row extends RowData>({ columns, row }: CardPartProps<Row>) {
  if (columns.length === 0) return null
  return (
    <dl className="mt-1.5 grid grid-cols-[minmax(50%,max-content)_minmax(0,1fr)] gap-x-3 gap-y-2">
      {columns.map((column) => (
        <div key={column.id} className="min-w-0">
          <dt className="text-muted text-xs">{column.header}</dt>
          <dd className="figures truncate font-semibold text-base">{column.cell(row)}</dd>
        </div>
      ))}
    </dl>
  )
}

const skeletonCards = ['a', 'b', 'c', 'd', 'e']

function SkeletonCards() {
  return (
    <div className="flex flex-col gap-2" aria-busy>
      {skeletonCards.map((id) => (
        <div key={id} className="flex flex-col gap-3 rounded-lg border bg-surface px-3.5 py-4">
          <Skeleton className="w-1/2!" />
          <Skeleton className="h-6! w-1/3!" />
          <Skeleton />
          <Skeleton />
        </div>
      ))}
    </div>
  )
}
