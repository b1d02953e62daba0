import type { ReactNode } from 'react'

export interface SelectOption<Value extends string | number> {
  readonly value: Value
  /** Searched and shown. */
  readonly label: string
  /** Muted, under the label. */
  readonly hint?: string
  /** Right of the label: a ratio, a count. */
  readonly aside?: ReactNode
}

export interface SelectProps<Value extends string | number> {
  readonly value: Value | undefined
  readonly onValueChange: (value: Value) => void
  readonly options: readonly SelectOption<Value>[]
  readonly placeholder?: string
  /** A search box over the list; on by itself from eight options. */
  readonly searchable?: boolean
  readonly disabled?: boolean
  readonly 'aria-label'?: string
  readonly className?: string
}
