import type { LucideIcon } from 'lucide-react'
import { cloneElement, type ReactElement, type ReactNode, Suspense, useId, useRef, useState } from 'react'
import { lazyComponent } from '../../../lib/lazy-component.ts'
import type { MenuChoice, MenuItems } from './menu-items.ts'

export interface MenuProps {
  /** The button that opens it: a `Button`, an `IconButton` or a plain button. */
  readonly trigger: ReactElement<Record<string, unknown>>
  readonly items: MenuItems
  readonly align?: 'start' | 'center' | 'end'
}

const loadPopup = () => import('./menu-popup.tsx')
const MenuPopup = lazyComponent(loadPopup, 'MenuPopup')

/** Keeps the compile-time link between a choice's values and what it calls. */
export function menuChoice<Value extends string>(choice: {
  readonly label: string
  readonly value: Value
  readonly options: readonly {
    readonly value: Value
    readonly label: ReactNode
    readonly icon?: LucideIcon
  }[]
  readonly choose: (value: Value) => void
}): MenuChoice {
  return { kind: 'choice', ...choice, choose: (value) => choice.choose(value as Value) }
}

/**
 * A list of actions behind a button. Entries are data, so that the menu's own code loads when a pointer or the focus
 * comes near the button, and is not part of a page's first load.
 */
export function Menu({ trigger, items, align = 'end' }: MenuProps) {
  const id = useId()
  const anchor = useRef<HTMLElement | null>(null)
  const [open, setOpen] = useState(false)
  return (
    <>
      {cloneElement(trigger, {
        ref: anchor,
        id,
        'aria-haspopup': 'menu',
        'aria-expanded': open,
        'data-popup-open': open ? '' : undefined,
        onPointerEnter: loadPopup,
        onFocus: loadPopup,
        onClick: () => setOpen(!open),
        onKeyDown: (event: React.KeyboardEvent) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          setOpen(true)
        },
      })}
      {open && (
        <Suspense>
          <MenuPopup
            anchor={anchor}
            labelledBy={id}
            items={items}
            align={align}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
