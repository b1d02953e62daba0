import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useRef } from 'react'
import { cx } from '../../../lib/cx.ts'

export interface VirtualListProps<Item> {
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string
  /** About how high an entry is, in pixels; each is measured when it is drawn. */
  readonly estimate: number
  /** Its `max-height`. */
  readonly className: string
  readonly children: (item: Item) => ReactNode
}

/** A list that scrolls in a box of its own and draws only the entries near what is in sight, however many there are. */
export function VirtualList<Item>(props: VirtualListProps<Item>) {
  const { items, keyOf, estimate, className, children } = props
  const box = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: () => estimate,
    getItemKey: (index) => {
      const item = items[index]
      return item === undefined ? index : keyOf(item)
    },
    overscan: 8,
  })
  return (
    <div ref={box} className={cx('overflow-y-auto overscroll-contain', className)}>
      <ul className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, key, start }) => {
          const item = items[index]
          return (
            item !== undefined && (
              <li
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                aria-setsize={items.length}
                aria-posinset={index + 1}
                className="absolute inset-x-0 top-0"
                style={{ transform: `translateY(${start}px)` }}
              >
                {children(item)}
              </li>
            )
          )
        })}
      </ul>
    </div>
  )
}
