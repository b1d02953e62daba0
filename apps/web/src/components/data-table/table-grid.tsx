import type { RowData } from '@tanstack/react-table'
import { ChevronRight } from 'lucide-react'
import { Fragment, type KeyboardEvent, type MouseEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cx } from '../../lib/cx.ts'
import { Checkbox } from '../ui/choice.tsx'
import { Skeleton } from '../ui/states.tsx'
import { actionsColumn, type DataColumn } from './columns.ts'
import { HeaderCell, headCell } from './header-cell.tsx'
import { hasTextSelected, isForControl, onRowKey } from './row-events.ts'
import type { TableBodyProps } from './table-props.ts'

/** The table on a desk: sticky header, first column and actions, scrolling inside its own box. */
export function TableGrid<Row extends RowData>(props: TableBodyProps<Row>) {
  const { table, view, rows, label, refreshing, selection, renderDetail } = props
  const { t } = useTranslation()
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const columns = visibleColumns(view.columns, view.visibility)
  const leading = (selection ? 1 : 0) + (renderDetail ? 1 : 0)
  const stickyFirst = renderDetail ? '' : selection ? 'sticky left-10' : 'sticky left-0'
  const grows = columns.some((column) => column.grow)

  function toggle(id: string): void {
    const next = new Set(open)
    if (!next.delete(id)) next.add(id)
    setOpen(next)
  }

  return (
    <div
      className="relative min-h-0 flex-1 overflow-auto rounded-lg border bg-surface [scrollbar-gutter:auto]"
      aria-busy={rows === undefined || refreshing}
    >
      <table aria-label={label} className="w-full border-separate border-spacing-0 text-sm">
        <thead>
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
        </thead>
        <tbody className={cx('transition-opacity', refreshing && 'opacity-60')}>
          {rows === undefined
            ? skeletonIds.map((id) => (
                <SkeletonRow key={id} columns={columns} leading={leading} density={view.density} />
              ))
            : table.getRowModel().rows.map((row) => (
                <Fragment key={row.id}>
                  <BodyRow
                    {...props}
                    row={row.original}
                    leading={
                      <>
                        {selection && (
                          <td className={cx(bodyCell, selectCell, stickyBody)}>
                            {row.getCanSelect() && (
                              <Checkbox
                                aria-label={t('table.selectRow', { id: row.id })}
                                checked={row.getIsSelected()}
                                onCheckedChange={(checked) => row.toggleSelected(checked)}
                              />
                            )}
                          </td>
                        )}
                        {renderDetail && (
                          <td className={cx(bodyCell, 'w-9 pr-0!')}>
                            <button
                              type="button"
                              aria-label={t('table.details')}
                              aria-expanded={open.has(row.id)}
                              className="grid size-6 place-items-center rounded-sm text-muted hover:bg-hover hover:text-text"
                              onClick={() => toggle(row.id)}
                            >
                              <ChevronRight
                                className={cx(
                                  'size-3.5 transition-transform',
                                  open.has(row.id) && 'rotate-90',
                                )}
                                aria-hidden
                              />
                            </button>
                          </td>
                        )}
                      </>
                    }
                    selected={row.getIsSelected()}
                    onOpen={renderDetail && !props.onRowClick ? () => toggle(row.id) : undefined}
                    stickyFirst={stickyFirst}
                  >
                    {row.getVisibleCells().map((cell) => (
                      <table.FlexRender key={cell.id} cell={cell} />
                    ))}
                  </BodyRow>
                  {renderDetail && open.has(row.id) && (
                    <tr>
                      <td colSpan={columns.length + leading} className="border-b bg-sunken px-5 py-4">
                        {renderDetail(row.original)}
                      </td>
                    </tr>
                  )}
                </Fragment>
              ))}
        </tbody>
      </table>
    </div>
  )
}

/** About as many rows as the screen has room for. */
const skeletonRows = 10
const skeletonIds = Array.from({ length: skeletonRows }, (_, index) => `skeleton-${index}`)
const bodyCell = 'border-b bg-inherit px-3 whitespace-nowrap'
const selectCell = 'sticky left-0 w-10 min-w-10 pr-0! leading-none'
/** Over the cells that scroll under it; opaque, because it takes the row's own colour. */
const stickyBody = 'z-[5]'

function visibleColumns<Row extends RowData>(
  columns: readonly DataColumn<Row>[],
  visibility: Readonly<Record<string, boolean>>,
) {
  return columns.filter((column) => visibility[column.id] !== false)
}

interface BodyRowProps<Row extends RowData> extends TableBodyProps<Row> {
  readonly row: Row
  readonly leading: ReactNode
  readonly selected: boolean
  readonly stickyFirst: string
  readonly onOpen: (() => void) | undefined
  readonly children: readonly ReactNode[]
}

function BodyRow<Row extends RowData>(props: BodyRowProps<Row>) {
  const { row, view, leading, selected, stickyFirst, isMuted, onRowClick, onOpen, children } = props
  const open = onRowClick ? () => onRowClick(row) : onOpen
  const columns = visibleColumns(view.columns, view.visibility)
  const muted = isMuted?.(row) ?? false
  return (
    <tr
      {...(open && {
        tabIndex: 0,
        onClick: (event: MouseEvent<HTMLTableRowElement>) =>
          !isForControl(event) && !hasTextSelected(event.currentTarget) && open(),
        onKeyDown: (event: KeyboardEvent<HTMLTableRowElement>) => onRowKey(event, open),
      })}
      className={cx(
        'group/row bg-surface outline-none hover:bg-row-hover focus-visible:bg-hover',
        open && 'cursor-pointer',
        selected && 'bg-accent-soft! hover:bg-accent-soft!',
        muted && 'text-muted',
      )}
    >
      {leading}
      {columns.map((column, index) => (
        <td
          key={column.id}
          className={cellClass(column, view.density, index === 0 ? stickyFirst : undefined)}
        >
          {children[index]}
        </td>
      ))}
    </tr>
  )
}

/** `sticky` is given for the first column only. */
function cellClass<Row extends RowData>(
  column: DataColumn<Row>,
  density: string,
  sticky: string | undefined,
): string {
  return cx(
    bodyCell,
    density === 'compact' ? 'h-8' : 'h-10',
    column.numeric && 'figures text-right',
    column.id === actionsColumn && `sticky right-0 text-right ${stickyBody}`,
    sticky !== undefined && 'font-medium',
    sticky && `${sticky} ${stickyBody}`,
    column.grow && 'max-w-0 truncate',
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
