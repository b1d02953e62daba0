import type { RowData } from '@tanstack/react-table'
import { type ReactNode, useRef } from 'react'
import { cx } from '../../lib/cx.ts'
import { Skeleton } from '../ui/states.tsx'
import { rowsId, useRowHotkeys } from './row-events.ts'
import type { TableBodyProps } from './table-props.ts'

export interface TileGridProps<Row extends RowData> extends TableBodyProps<Row> {
  /** Renders a tile of a row: words and pictures, no controls. */
  readonly tile: (row: Row) => ReactNode
}

/** The rows as tiles, for rows whose pictures people would rather look at than read about. */
export function TileGrid<Row extends RowData>(props: TileGridProps<Row>) {
  const { table, rows, label, refreshing, onRowClick, tile } = props
  const body = useRef<HTMLUListElement>(null)
  useRowHotkeys(body)
  return (
    <div className="min-h-0 flex-1 overflow-auto" aria-busy={rows === undefined || refreshing}>
      <ul
        ref={body}
        id={rowsId}
        tabIndex={-1}
        aria-label={label}
        className={cx(
          'grid grid-cols-[repeat(auto-fill,minmax(min(100%,10.5rem),1fr))] gap-3 p-0.5 transition-opacity lg:grid-cols-[repeat(auto-fill,minmax(13rem,1fr))]',
          refreshing && 'opacity-60',
        )}
      >
        {rows === undefined
          ? skeletonIds.map((id) => <SkeletonTile key={id} />)
          : table.getRowModel().rows.map((row) => (
              <li key={row.id} className={cx('min-w-0', props.isMuted?.(row.original) && 'opacity-60')}>
                <button
                  type="button"
                  data-row
                  onClick={() => onRowClick?.(row.original)}
                  className="flex w-full flex-col overflow-hidden rounded-lg border bg-surface text-left hover:border-line-strong"
                >
                  {tile(row.original)}
                </button>
              </li>
            ))}
      </ul>
    </div>
  )
}

const skeletonIds = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

function SkeletonTile() {
  return (
    <li className="flex flex-col gap-2 rounded-lg border bg-surface p-2">
      <Skeleton className="aspect-[4/3] h-auto! w-full" />
      <Skeleton className="w-2/3!" />
    </li>
  )
}
