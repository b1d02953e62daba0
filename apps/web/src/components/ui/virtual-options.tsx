import { Combobox } from '@base-ui/react/combobox'
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type Ref, useImperativeHandle, useRef } from 'react'
import { cx } from '../../lib/cx.ts'
import { optionClass, optionListClass } from './option.ts'

/** Scrolls an option into sight that may not be drawn yet. */
export interface OptionScroller {
  readonly show: (index: number) => void
}

export interface VirtualOptionsProps {
  readonly scroller: Ref<OptionScroller>
  readonly mono: boolean
  readonly children: (value: string) => ReactNode
}

const optionHeight = 32
const listPadding = 4

/** The list of a `virtualized` combobox: only those near what is in sight are drawn, each says which of how many it is. */
export function VirtualOptions({ scroller, mono, children }: VirtualOptionsProps) {
  const values: readonly string[] = Combobox.useFilteredItems<string>()
  const box = useRef<HTMLDivElement>(null)
  const virtualizer: Virtualizer<HTMLDivElement, Element> = useVirtualizer({
    count: values.length,
    getScrollElement: () => box.current,
    estimateSize: () => optionHeight,
    overscan: 10,
    paddingStart: listPadding,
    paddingEnd: listPadding,
    scrollPaddingStart: listPadding,
    scrollPaddingEnd: listPadding,
  })
  useImperativeHandle(scroller, () => ({ show: (index) => virtualizer.scrollToIndex(index) }), [virtualizer])
  return (
    <Combobox.List ref={box} className={cx(optionListClass, 'py-0!')}>
      <div
        role="presentation"
        className="relative"
        style={{ height: values.length === 0 ? 0 : virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const value = values[index]
          return (
            value !== undefined && (
              <Combobox.Item
                key={value}
                ref={virtualizer.measureElement}
                data-index={index}
                index={index}
                value={value}
                aria-setsize={values.length}
                aria-posinset={index + 1}
                className={cx(optionClass, 'absolute inset-x-0 top-0', mono && 'font-mono text-xs')}
                style={{ transform: `translateY(${start}px)` }}
              >
                {children(value)}
              </Combobox.Item>
            )
          )
        })}
      </div>
    </Combobox.List>
  )
}
