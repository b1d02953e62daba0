import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

/** One line of a menu, or a group of lines. Falsy entries are left out, so that the list can contain conditions. */
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

/** Item that is on or off; the menu stays open. */
export interface MenuCheck {
  readonly kind: 'check'
  readonly label: ReactNode
  readonly checked: boolean
  readonly change: (checked: boolean) => void
  readonly disabled?: boolean
}

/** A caption over the entries that follow. */
export interface MenuHeading {
  readonly kind: 'heading'
  readonly label: ReactNode
}
