import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatInteger } from '../../lib/format/format.ts'

export interface FirstOfProps<Item> {
  readonly items: readonly Item[]
  /** Items that are drawn at first. */
  readonly max: number
  /** Length of the whole list, where `items` are its beginning. */
  readonly total?: number
  readonly children: (item: Item, index: number) => ReactNode
  /** Draws the way to so many others, where they are on another page; without it they unfold here. */
  readonly more?: (count: number) => ReactNode
  /** What the way to the others stands in. */
  readonly as?: 'li' | 'span'
}

/** Draws the first items of a list and the way to the others: nothing is cut in silence. */
export function FirstOf<Item>({
  items,
  max,
  total = items.length,
  children,
  more,
  as: Element = 'span',
}: FirstOfProps<Item>) {
  const [isOpen, setOpen] = useState(false)
  const visible = isOpen ? items : items.slice(0, max)
  const count = Math.max(0, (isOpen ? items.length : total) - visible.length)
  return (
    <>
      {visible.map(children)}
      {count > 0 &&
        (more?.(count) ?? <Unfold element={Element} count={count} onOpen={() => setOpen(true)} />)}
    </>
  )
}

interface UnfoldProps {
  readonly element: 'li' | 'span'
  readonly count: number
  readonly onOpen: () => void
}

function Unfold({ element: Element, count, onOpen }: UnfoldProps) {
  const { t } = useTranslation()
  return (
    <>
      {' '}
      <Element>
        <button
          type="button"
          onClick={onOpen}
          className="rounded-sm text-accent-text text-xs hover:underline max-sm:min-h-9"
        >
          {t('more', { count, number: formatInteger(count) })}
        </button>
      </Element>
    </>
  )
}
