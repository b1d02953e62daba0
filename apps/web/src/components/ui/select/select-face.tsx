import { ChevronsUpDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { cx } from '../../../lib/cx.ts'

export const selectTriggerClass =
  'field flex h-control w-full min-w-0 items-center justify-between gap-2 px-2.5 text-left text-sm'

export interface SelectFaceProps {
  /** Chosen value as text. */
  readonly text: string | undefined
  readonly placeholder: string | undefined
}

/** Shows the content of a select's button. */
export function SelectFace({ text, placeholder }: SelectFaceProps) {
  const { t } = useTranslation()
  return (
    <>
      <span className={cx('min-w-0 truncate', text === undefined && 'text-faint')}>
        {text ?? placeholder ?? t('select.placeholder')}
      </span>
      <ChevronsUpDown className="size-3.5 shrink-0 text-faint" aria-hidden />
    </>
  )
}

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
