import type { LucideIcon } from 'lucide-react'
import { cloneElement, type ReactElement, type ReactNode, Suspense, useId, useRef, useState } from 'react'
import { lazyComponent } from '../../lib/lazy-component.ts'

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
 * comes near the button, and is no part of a page's first load.
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

/** One line of a menu, or a group of lines. Falsy entries are left out, so that conditions can stand in the list. */
export type MenuEntry = MenuAction | MenuChoice | MenuCheck | { readonly kind: 'separator' } | MenuHeading
export type MenuItems = readonly (MenuEntry | false | undefined)[]

export interface MenuAction {
  readonly kind: 'action'
  readonly label: ReactNode
  readonly icon?: LucideIcon
  readonly run: () => void
  /** Red; put it last, behind a separator. */
  readonly danger?: boolean
  readonly disabled?: boolean
  /** Right of the words: a state, a shortcut. */
  readonly aside?: ReactNode
}

/** One of several. */
export interface MenuChoice {
  readonly kind: 'choice'
  readonly label: string
  readonly value: string
  readonly options: readonly {
    readonly value: string
    readonly label: ReactNode
    readonly icon?: LucideIcon
  }[]
  readonly choose: (value: string) => void
}

/** On or off; the menu stays open. */
export interface MenuCheck {
  readonly kind: 'check'
  readonly label: ReactNode
  readonly checked: boolean
  readonly change: (checked: boolean) => void
  readonly disabled?: boolean
}

/** A caption over the entries that follow. */
interface MenuHeading {
  readonly kind: 'heading'
  readonly label: ReactNode
}
