import type { RowData } from '@tanstack/react-table'
import { useDeferredValue, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cx } from '../../lib/cx.ts'
import { Checkbox } from '../ui/field/choice.tsx'
import { Skeleton } from '../ui/states.tsx'
import { actionsColumn, type DataColumn, fixedWidth } from './columns.ts'
import { bodyCell, GridRow, type RowActions, selectCell } from './grid-row.tsx'
import { HeaderCell, headCell } from './header-cell.tsx'
import { skeletonRows, useRenderedRows } from './rendered-rows.ts'
import { rowsId, useRowHotkeys } from './row-events.ts'
import type { TableBodyProps } from './table-props.ts'

/** The table on a desk: sticky header, first column and actions, scrolling inside its own box. */
export function TableGrid<Row extends RowData>(props: TableBodyProps<Row>) {
  const { table, view, rows, label, refreshing, selection, renderDetail } = props
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const columns = useMemo(
    () => view.columns.filter((column) => view.visibility[column.id] !== false),
    [view.columns, view.visibility],
  )
  const leading = (selection ? 1 : 0) + (renderDetail ? 1 : 0)
  const stickyFirst = renderDetail ? '' : selection ? 'sticky left-10' : 'sticky left-0'
  const drawn = useRenderedRows(table.getRowModel().rows)
  const rendered = rows && drawn
  const selected = useDrawnSelection(selection?.ids ?? nothing)
  const minWidthHere = fixedWidth(columns)
  const body = useRef<HTMLTableSectionElement>(null)
  useRowHotkeys(body)

  const actions = useStableActions<Row>({
    select: (id, checked) => table.getRow(id).toggleSelected(checked),
    open: (row) => props.onRowClick?.(row),
    fold(id) {
      const next = new Set(open)
      if (!next.delete(id)) next.add(id)
      setOpen(next)
    },
  })

  return (
    <div
      id={rowsId}
      tabIndex={-1}
      className="relative min-h-0 flex-1 overflow-auto rounded-lg border bg-surface [scrollbar-gutter:auto]"
      aria-busy={rendered === undefined || refreshing}
    >
      <table
        aria-label={label}
        style={{ minWidth: minWidthHere }}
        className={cx(
          'w-full border-separate border-spacing-0 text-sm',
          minWidthHere !== undefined && 'table-fixed',
        )}
      >
        <thead>
          <HeaderRow {...props} columns={columns} stickyFirst={stickyFirst} />
        </thead>
        <tbody ref={body} className={cx('transition-opacity', refreshing && 'opacity-60')}>
          {rendered === undefined
            ? skeletonIds.map((id) => (
                <SkeletonRow key={id} columns={columns} leading={leading} density={view.density} />
              ))
            : rendered.map((row) => (
                <GridRow
                  key={row.id}
                  id={row.id}
                  row={row.original}
                  columns={columns}
                  density={view.density}
                  fixed={minWidthHere !== undefined}
                  stickyFirst={stickyFirst}
                  selectable={selection && row.getCanSelect()}
                  selected={selected.has(row.id)}
                  muted={props.isMuted?.(row.original) ?? false}
                  opens={props.onRowClick !== undefined}
                  unfolded={renderDetail ? open.has(row.id) : undefined}
                  detail={renderDetail && open.has(row.id) ? renderDetail(row.original) : undefined}
                  actions={actions}
                />
              ))}
        </tbody>
      </table>
    </div>
  )
}

interface HeaderRowProps<Row extends RowData> extends TableBodyProps<Row> {
  readonly columns: readonly DataColumn<Row>[]
  readonly stickyFirst: string
}

function HeaderRow<Row extends RowData>(props: HeaderRowProps<Row>) {
  const { table, columns, stickyFirst, selection, renderDetail } = props
  const { t } = useTranslation()
  const grows = columns.some((column) => column.grow)
  return (
    <tr>
      {selection && (
        <th scope="col" className={cx(headCell, selectCell, 'z-20!')}>
          <Checkbox
            aria-label={t('table.selectPage')}
            checked={table.getIsAllRowsSelected()}
            indeterminate={table.getIsSomeRowsSelected() && !table.getIsAllRowsSelected()}
            onCheckedChange={(checked) => table.toggleAllRowsSelected(checked)}
          />
        </th>
      )}
      {renderDetail && (
        <th scope="col" className={cx(headCell, 'w-9')}>
          <span className="sr-only">{t('table.details')}</span>
        </th>
      )}
      {columns.map((column, index) => (
        <HeaderCell
          key={column.id}
          {...props}
          column={column}
          sticky={index === 0 ? stickyFirst : ''}
          shrinks={grows}
        />
      ))}
    </tr>
  )
}

/** About as many rows as the screen has room for. */
const skeletonIds = Array.from({ length: skeletonRows }, (_, index) => `skeleton-${index}`)

const nothing: ReadonlySet<string> = new Set()
/** Rows that change their look in the task of the press. */
const maxAtOnce = 8

/**
 * The selection that rows show. A press on one of them shows at once; many of them change in a task that the browser may interrupt, after
 * the box above them.
 */
function useDrawnSelection(ids: ReadonlySet<string>): ReadonlySet<string> {
  const late = useDeferredValue(ids)
  return Math.abs(ids.size - late.size) > maxAtOnce ? late : ids
}

/** The same object for ever, calling what was given last: rows that did not change are not drawn again for it. */
function useStableActions<Row>(actions: RowActions<Row>): RowActions<Row> {
  const latest = useRef(actions)
  useLayoutEffect(() => {
    latest.current = actions
  })
  return useMemo(
    () => ({
      select: (id, checked) => latest.current.select(id, checked),
      open: (row) => latest.current.open(row),
      fold: (id) => latest.current.fold(id),
    }),
    [],
  )
}

interface SkeletonRowProps<Row extends RowData> {
  readonly columns: readonly DataColumn<Row>[]
  readonly leading: number
  readonly density: string
}

function SkeletonRow<Row extends RowData>({ columns, leading, density }: SkeletonRowProps<Row>) {
  return (
    <tr>
      {leading > 0 && <td colSpan={leading} className={bodyCell} />}
      {columns.map((column) => (
        <td key={column.id} className={cx(bodyCell, density === 'compact' ? 'h-8' : 'h-10')}>
          <Skeleton
            className={cx(
              'max-w-40 min-w-12',
              column.numeric && 'ml-auto',
              column.id === actionsColumn && 'ml-auto w-12!',
            )}
          />
        </td>
      ))}
    </tr>
  )
}
